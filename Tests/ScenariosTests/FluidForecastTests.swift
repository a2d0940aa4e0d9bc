import Captures
import LinkModel
import Quantities
import Scenarios
import ScratchEngine
import Testing
import Uploads

private func forecast(
  _ name: String, _ variant: String, _ change: (inout Scenario, inout Variant) -> Void = { _, _ in }
) throws -> FluidForecast {
  var scenario = try shippedScenario(name)
  var variant = try scenario.variant(variant)
  change(&scenario, &variant)
  return try FluidForecaster.forecast(scenario, variant).get()
}

@Test func `before sends the slow copy seven times and lands nothing`() throws {
  let forecast = try forecast("slow-copy", "before")
  #expect(forecast.attempts(of: .copy) == 7)
  // 7 x 70.9 s x 20 KB/s; the published 9.93 MB within 0.1 %.
  #expect(forecast.wire(of: .copy) == ByteCount(9_926_000))
  #expect(forecast.attempts(of: .original) == 0)
  #expect(forecast.finished == nil)
  #expect(forecast.files.allSatisfy { $0.landedAt == nil })
  #expect(forecast.abandoned == ByteCount(9_926_000))
  #expect(
    forecast.attempts.map(\.start.seconds) == [0.2, 131.2, 262.2, 393.2, 524.2, 655.2, 786.2])
  #expect(forecast.attempts.allSatisfy { $0.how == .idleLimit && $0.stored == nil })
  #expect(forecast.attempts.allSatisfy { $0.end - $0.start == .seconds(71) })
}

@Test func `after sends each file of the slow copy once and finishes at 303,8 s`() throws {
  let forecast = try forecast("slow-copy", "after")
  #expect(forecast.files.map(\.attempts) == [1, 1])
  #expect(forecast.files.map(\.wire) == [.megabytes(1.65), .megabytes(4.31)])
  // 298.0 s on the link, 5 s for the turn, 0.8 s of round trips.
  #expect(forecast.finished == Instant(seconds: 303.8))
  #expect(forecast.files.map { $0.landedAt?.seconds } == [82.9, 303.8])
  #expect(forecast.useful == .megabytes(5.96))
  #expect(forecast.repeated == .zero)
  let scenario = try shippedScenario("slow-copy")
  #expect(FluidForecast.floor(of: scenario, for: scenario.variants) == .seconds(298))
}

/// One change of the slow copy under `before`, and what a pencil gives for it.
struct Change: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var attempts: Int
  var bytes: Int
  var apply: @Sendable (inout Scenario, inout Variant) -> Void
}

@Test(arguments: [
  // Counted until 22 s, cut at 82 s: 81.9 s x 10 KB/s = 819 KB. A cycle of 142 s; the seventh
  // starts at 852.2 s and has 47.7 s left: 477 KB.
  Change(testDescription: "half the rate", attempts: 7, bytes: 6 * 819_000 + 477_000) {
    scenario, _ in scenario.link.up.rate = .limited(.kilobytes(10))
  },
  // Counted until 22.5 s, cut at 82.5 s, 0.2 s before the answer: 82.4 s x 20 KB/s = 1.648 MB. A
  // cycle of 142.5 s; the seventh starts at 855.2 s and has 44.7 s left: 894 KB.
  Change(testDescription: "buffer 1.2 MB", attempts: 7, bytes: 6 * 1_648_000 + 894_000) {
    scenario, _ in scenario.link.buffer = .megabytes(1.2)
  },
  // Counted until 2.5 s, cut at 62.5 s: 62.4 s x 20 KB/s = 1.248 MB. A cycle of 122.5 s; the
  // eighth starts at 857.7 s and has 42.2 s left: 844 KB.
  Change(testDescription: "buffer 1.6 MB", attempts: 8, bytes: 7 * 1_248_000 + 844_000) {
    scenario, _ in scenario.link.buffer = .megabytes(1.6)
  },
  // Cut at 56 s: 55.9 s x 20 KB/s = 1.118 MB. A cycle of 116 s; the eighth starts at 812.2 s.
  Change(testDescription: "idle limit 45 s", attempts: 8, bytes: 8 * 1_118_000) {
    _, variant in variant.policy?.idle = .fixed(.seconds(45))
  },
  // A cycle of 101 s; the ninth starts at 808.2 s and is cut at 879.2 s.
  Change(testDescription: "pause 30 s", attempts: 9, bytes: 9 * 1_418_000) {
    _, variant in variant.policy?.syncPause = .seconds(30)
  },
  // The ceiling comes first, at 70 s: 69.9 s x 20 KB/s = 1.398 MB. A cycle of 130 s; the seventh
  // starts at 780.2 s.
  Change(testDescription: "ceiling 70 s", attempts: 7, bytes: 7 * 1_398_000) {
    _, variant in variant.policy?.ceiling = .seconds(70)
  },
  // A refresh in the pause after the first pass starts the second one at 100 s; six more follow
  // at 231 s, 362 s, ..., 886 s, of which the last has 14 s left: 13.9 s x 20 KB/s = 278 KB.
  Change(testDescription: "refresh at 100 s", attempts: 8, bytes: 7 * 1_418_000 + 278_000) {
    scenario, _ in
    scenario.acts = [
      Act(at: Instant(seconds: 50), deed: .setClock(by: .seconds(-3_600))),
      Act(at: Instant(seconds: 100), deed: .refresh),
    ]
  },
])
func `attempts and bytes move as the formula says`(change: Change) throws {
  let forecast = try forecast("slow-copy", "before", change.apply)
  #expect(forecast.attempts(of: .copy) == change.attempts)
  #expect(forecast.wire(of: .copy) == ByteCount(change.bytes))
  #expect(forecast.finished == nil)
}

@Test func `a close lets the kernel deliver, so that every later delivery is repeated`() throws {
  let forecast = try forecast("slow-copy", "before") { $1.policy?.cut = .close }
  #expect(forecast.wire(of: .copy) == .megabytes(11.55))
  #expect(forecast.useful == .megabytes(1.65))
  #expect(forecast.repeated == .megabytes(9.9))
  #expect(forecast.abandoned == .zero)
  #expect(forecast.attempts.first?.stored == Instant(seconds: 0.2 + 82.5 + 0.1))
  #expect(forecast.files.allSatisfy { $0.landedAt == nil })
}

@Test func `slower than the floor even after never lands the copy`() throws {
  // Counted until 22 s; 120 s of quiet end at 142 s, and the answer would come at 165.2 s.
  let forecast = try forecast("slow-copy", "after") { scenario, _ in
    scenario.link.up.rate = .limited(.kilobytes(10))
  }
  #expect(forecast.files.allSatisfy { $0.landedAt == nil })
  // A cycle of 202 s: 0.2, 202.2, 404.2, 606.2, 808.2.
  #expect(forecast.attempts(of: .copy) == 5)
}

@Test(arguments: [
  // Through the ceiling of 1,800 s: 12 MB take 1,714.3 s, 13 MB would take 1,857.1 s.
  (12.0, FluidForecast.Attempt.End.landed), (13.0, .ceiling),
])
func `twelve megabytes at 7 KB a second pass the ceiling and thirteen do not`(
  megabytes: Double, how: FluidForecast.Attempt.End
) throws {
  let forecast = try forecast("slow-copy", "after") { scenario, _ in
    scenario.horizon = .seconds(3_600)
    scenario.link.up.rate = .limited(.kilobytes(7))
    scenario.link.buffer = .kilobytes(64)
    scenario.captures[0].plan.kind = .photo(
      PhotoPlan(original: .megabytes(megabytes), copy: .kilobytes(10)))
  }
  #expect(forecast.attempts.first { $0.step == .original }?.how == how)
}

@Test func `a capture saved during a pass waits for the pause, or follows at once`() throws {
  // At 61.4 KB/s: a copy crosses in 26.873 s and an original in 70.195 s. A photo takes both, 5 s
  // for the turn and five round trips: 103.068 s.
  let photo = 1.65e6 / 61_400 + 4.31e6 / 61_400 + 5 + 5 * 0.2
  let before = try forecast("three-photos", "before")
  let after = try forecast("three-photos", "after")
  let second = { (forecast: FluidForecast) in
    forecast.attempts.first { $0.capture == "photo-2" }.map(\.start.seconds) ?? .nan
  }
  #expect(abs(second(after) - (photo + 0.2)) < 1e-6)
  #expect(abs(second(before) - (photo + 60 + 0.2)) < 1e-6)
  // The last readback, of 0.2 s, comes after the last receipt.
  #expect(abs((after.finished?.seconds ?? .nan) - (3 * photo - 0.2)) < 1e-6)
  #expect(abs((before.finished?.seconds ?? .nan) - (3 * photo + 60 - 0.2)) < 1e-6)
  for forecast in [before, after] { #expect(forecast.files.allSatisfy { $0.attempts == 1 }) }
}

@Test func `a document is sent and read without a turn`() throws {
  let forecast = try forecast("slow-copy", "after") { scenario, _ in
    scenario.captures[0].plan = CapturePlan(
      name: "document-1", kind: .document(DocumentPlan(size: .kilobytes(400))))
  }
  // The record's round trip, 20 s on the link, its own round trip.
  #expect(forecast.finished == Instant(seconds: 20.4))
}

@Test func `on an unlimited link only round trips and turns take time`() throws {
  let forecast = try forecast("slow-copy", "before") { scenario, _ in
    scenario.link.up.rate = .unlimited
  }
  #expect(forecast.finished == Instant(seconds: 5 + 4 * 0.2))
  #expect(forecast.useful == .megabytes(5.96))
}

/// A change that takes the slow copy out of the model, and the reason that is given.
struct Limitation: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var apply: @Sendable (inout Scenario, inout Variant) -> Void

  init(_ reason: String, _ apply: @escaping @Sendable (inout Scenario, inout Variant) -> Void) {
    testDescription = reason
    self.apply = apply
  }
}

@Test(arguments: [
  Limitation("the link is offline") { scenario, _ in scenario.link.down.rate = .offline },
  Limitation("the engine has a script") { scenario, _ in
    scenario.engine.rules = [ScriptRule(when: RequestPattern(), then: .init(.delay(.zero)))]
  },
  Limitation("the client is killed and started") { scenario, _ in
    scenario.acts = [Act(at: .zero, deed: .kill)]
  },
  Limitation("the client is killed and started") { scenario, _ in
    scenario.acts = [Act(at: .zero, deed: .powerLoss)]
  },
  Limitation("the user sends or discards a capture") { scenario, _ in
    scenario.acts = [Act(at: Instant(seconds: 1), deed: .discard("photo-1"))]
  },
  Limitation("the disk is full for a time") { scenario, _ in
    scenario.acts = [Act(at: .zero, deed: .fillDisk)]
  },
  Limitation("the client keeps no record of finished steps") { _, variant in
    variant.policy?.doneSet = false
  },
  Limitation("the client mints new ids for each try") { _, variant in
    variant.policy?.stableIDs = false
  },
  Limitation("the client sends in another order") { _, variant in
    variant.policy?.order = .newestFirst
  },
  Limitation("the client's own send buffer is larger than the path's") { _, variant in
    variant.policy?.sendBuffer = 2_000_000
  },
  Limitation("a small call takes 15 s or more, its own limit") { scenario, _ in
    scenario.engine.turnTakes = .seconds(20)
  },
  Limitation("what a close left behind shares the link with the next request") { _, variant in
    variant.policy?.cut = .close
    variant.policy?.syncPause = .seconds(5)
  },
])
func `what the model leaves out gives a reason and no forecast`(limitation: Limitation) throws {
  let error = #expect(throws: OutsideTheModel.self) {
    try forecast("slow-copy", "before", limitation.apply)
  }
  #expect(error?.reasons == [limitation.testDescription])
}

@Test func `the explanation can be followed with a pencil`() throws {
  let text = ScenarioExplanation(try shippedScenario("slow-copy")).text
  let before = """
    before (policy before): idle limit 60 s, ceiling 180 s, labels, no coalescing, cut by reset, \
    pause 60 s after a pass
      photo-1 copy, 1.65 MB: first started at 0.2 s. From its start:
        1.43 MB is taken in at once and the rest at the pace of the link; the last byte is counted \
    at 11 s;
        60 s later the idle limit fires, at 71 s; the answer would come at 82.7 s.
        1.418 MB arrive; the reset discards the rest.
        After a pause of 60 s it starts again: a cycle is 131 s, and 7 attempts start inside 900 s \
    (0.2 s, 131.2 s, 262.2 s, ...).
      photo-1 original, 4.31 MB: never started.
      forecast: photo-1 copy: attempts 7, wire 9.926 MB, not landed
      forecast: photo-1 original: attempts 0, wire 0 B, not landed
      forecast: wire 9.926 MB (useful 0 B, repeated 0 B, abandoned 9.926 MB); landed 0 of 2; \
    not finished
      expected: attempts.copy: 7
      expected: wire.copy: 9.93 MB +- 1 %
      expected: landed: none

    """
  #expect(text.contains(before))
  #expect(text.contains("landed 2 of 2; finished at 303.8 s"))
}

@Test func `an explanation without a forecast says why`() throws {
  let text = ScenarioExplanation(try decode(everything).get()).text
  let reasons = [
    "the link changes over time", "chance decides when a packet arrives", "the link has faults",
    "the engine has a script",
    "the client is killed and started", "the user sends or discards a capture",
    "the disk is full for a time",
  ]
  let lines = reasons.map { "  no forecast: \($0), which the fluid model leaves out\n" }
  #expect(text.contains(lines.joined()))
  #expect(
    text.contains(
      """
      At 50 s: send-now of tower.
      At 51 s: discard of document-1.
      At 51 s: set-clock by -3600 s.
      At 52 s: fill-disk.
      At 53 s: free-disk.
      At 54 s: power-loss.
      At 55 s: start.
      It runs with --time virtual only: power and disk are simulated there alone.

      """))
}

@Test func `a file that is held is sent once, and the next one has its turn`() throws {
  let beyond = try forecast("ceiling-held", "beyond")
  #expect(beyond.files.map(\.attempts) == [1, 1])
  #expect(beyond.attempts.map(\.how) == [.ceiling, .landed])
  // 89.9 s x 7 KB/s.
  #expect(beyond.abandoned == ByteCount(629_300))
  let after = try forecast("ceiling-held", "after")
  #expect(after.files.map(\.attempts) == [2, 0])
}
