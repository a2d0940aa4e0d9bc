import Captures
import LinkModel
import Quantities
import Reports
import Scenarios
import Testing
import Uploads

/// The closed formula of the story over a grid of its parameters: what the fluid model says of
/// attempts and bytes, the virtual world does, packets, heads and all.
struct FormulaTests {
  private static let setsInAll = 1_000
  private static let sets = 50

  /// Heads before the body are on the link too, so that a cut finds up to a packet and a head more
  /// or less of it across.
  private static let bytesTolerance = LinkDirection.packetBytes + 400
  /// A forecast so near to another that a round trip would decide between them proves nothing.
  private static let margin = Duration.seconds(2)

  @Test(arguments: 0..<(setsInAll / sets))
  func `attempts and bytes follow the formula`(chunk: Int) throws {
    var random = SeededRandom(seed: 7).fork("formula \(chunk)")
    let template = try SmallWorld(
      """
      seed: 7
      horizon: 60 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 10 ms, buffer: 64 KB }
      captures:
        - document: 40 KB
          at: 0 s
      engine: { turn: { takes: 0 s } }
      variants:
        before: { client: outbox, policy: before }
      """
    ).scenario
    var held = 0
    while held < Self.sets {
      let scenario = Self.drawn(from: template, &random)
      guard let forecast = Self.forecast(scenario) else { continue }
      held += 1
      let record = try SmallWorld(scenario).run("before")
      let sent = record.requests.filter { $0.step == "document" }
      let what = "\(scenario.link), \(scenario.captures[0].plan), \(scenario.variants[0].client)"
      #expect(sent.count == forecast.attempts.count, "\(what)")
      #expect(record.files[0].landed == (forecast.finished != nil), "\(what)")
      let last = Instant.zero + (scenario.horizon - Self.margin)
      for (request, attempt) in zip(sent, forecast.attempts) where attempt.end < last {
        let distance = request.bodyBytes - attempt.crossed.bytes
        #expect(abs(distance) <= Self.bytesTolerance, "\(distance) B: \(what)")
      }
    }
  }

  /// A limit is always longer than the client takes to count a step of 16 KB, which the fluid model
  /// does not know of.
  private static func drawn(
    from template: Scenario, _ random: inout SeededRandom
  ) -> Scenario {
    var scenario = template
    func number(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &random).rounded()
    }
    scenario.link.up.rate = .limited(.kilobytes(number(10...25)))
    scenario.link.buffer = ByteCount(Int(number(50...300)) * 1_000)
    scenario.captures[0].plan.kind = .document(
      DocumentPlan(size: ByteCount(Int(number(100...500)) * 1_000)))
    var policy = UploadPolicy.before
    policy.idle = .fixed(.seconds(number(4...10)))
    policy.syncPause = .seconds(number(1...15))
    scenario.variants = [Variant(name: "before", policy: policy)]
    return scenario
  }

  /// Nil where it hangs by a thread.
  private static func forecast(_ scenario: Scenario) -> FluidForecast? {
    func forecast(_ change: (inout Scenario) -> Void) -> FluidForecast? {
      var changed = scenario
      change(&changed)
      return try? FluidForecaster.forecast(changed, changed.variants[0]).get()
    }
    guard let middle = forecast({ _ in }) else { return nil }
    let others = [
      forecast { $0.horizon += margin }, forecast { $0.horizon -= margin },
      forecast { $0.variants[0].policy?.change(idle: margin / 2) },
      forecast { $0.variants[0].policy?.change(idle: .zero - margin / 2) },
    ]
    let isSafe = others.allSatisfy { other in
      other?.attempts.count == middle.attempts.count
        && (other?.finished == nil) == (middle.finished == nil)
    }
    return isSafe ? middle : nil
  }
}

extension UploadPolicy {
  fileprivate mutating func change(idle change: Duration) {
    guard case .fixed(let idle) = idle else { return }
    self.idle = .fixed(idle + change)
  }
}
