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

  /// Somebody waits for it; a probe of a run has less.
  private static let secondsMax = 20.0

  /// Inconclusive when one of them is out of tolerance, or could not be measured.
  static func run(_ links: [LinkConditions]) throws(SystemFailure) -> ExitCode {
    var rows: [LinkProbeCheck.Row] = []
    for conditions in links {
      Terminal.print(ProxyFigures.text(conditions, preset: nil))
      let found = try LinkProbe.measure(
        conditions, on: EventLoop(scale: .starting(factor: 1)), secondsMax: secondsMax)
      let check = LinkProbeCheck(
        asked: conditions.asked, measured: LinkProbeCheck.Values(found), factor: 1)
      Terminal.print(check.text)
      rows += check.rows
    }
    if rows.contains(where: { $0.isWithin == false }) {
      Terminal.print(
        "self-test: out of tolerance; run it again with less beside it on this machine")
    } else if rows.contains(where: { $0.isWithin == nil }) {
      Terminal.print(
        "self-test: not measured in \(Int(secondsMax)) s, the link carries too little; ask for a"
          + " faster one")
    } else {
      Terminal.print("self-test: all within tolerance")
      return .passed
    }
    return .inconclusive
  }
}
