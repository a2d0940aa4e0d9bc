import Bench
import EventLoop
import LinkModel
import Quantities
import Reports
import ThrottlingProxy

/// What this machine makes of a link: asked against measured, in real time.
enum LinkSelfTest {
  /// When no link is asked for: slow to fast, a small buffer and a large one.
  static let usual: [LinkConditions] = [
    link(.kilobytes(20), buffer: .kilobytes(64)), link(.kilobytes(61.4), buffer: .megabytes(1.43)),
    link(DataRate(bytesPerSecond: 1e6), buffer: .kilobytes(256)),
    link(DataRate(bytesPerSecond: 10e6), buffer: .megabytes(1.43)),
  ]

  private static func link(_ rate: DataRate, buffer: ByteCount) -> LinkConditions {
    let direction = DirectionConditions(rate: .limited(rate), latency: .milliseconds(100))
    return LinkConditions(up: direction, down: direction, buffer: buffer)
  }

  /// Inconclusive when one of them is out of tolerance, or could not be measured.
  static func run(_ links: [LinkConditions]) throws(SystemFailure) -> ExitCode {
    var code = ExitCode.passed
    for conditions in links {
      Terminal.print(words(conditions))
      let found = try LinkProbe.measure(
        conditions, on: EventLoop(scale: .starting(factor: 1)))
      let check = LinkProbeCheck(
        asked: conditions.asked, measured: LinkProbeCheck.Values(found), factor: 1)
      Terminal.print(check.text)
      if !check.isWithin { code = .inconclusive }
    }
    Terminal.print(
      code == .passed
        ? "self-test: all within tolerance"
        : "self-test: out of tolerance; run it again with less beside it on this machine")
    return code
  }

  private static func words(_ conditions: LinkConditions) -> String {
    "up \(conditions.up.words), down \(conditions.down.words), latency"
      + " \(conditions.up.latency.text), buffer \(conditions.buffer)"
  }
}
