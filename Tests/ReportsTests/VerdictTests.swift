import Reports
import Scenarios
import Testing

@Suite struct VerdictTests {
  private func doubts(
    mode: RunRecord.Time.Mode = .dilated, _ change: (inout VariantRecord) -> Void
  ) -> [String] {
    var variant = SlowCopy.after
    change(&variant)
    return InstrumentCheck(
      link: SlowCopy.record.link, time: .init(mode: mode, factor: 60), variants: [variant]
    ).doubts
  }

  @Test func `an instrument in tolerance leaves no doubt`() {
    let check = InstrumentCheck(
      link: SlowCopy.record.link, time: SlowCopy.record.time, variants: SlowCopy.record.variants)
    #expect(check.doubts == [])
    #expect(
      check.notes == [
        "before: the down link was hardly busy (2.1 KB), so its rate is not judged.",
        "after: the down link was hardly busy (2.4 KB), so its rate is not judged.",
      ])
  }

  @Test func `a single byte that is not accounted for is a doubt`() {
    #expect(
      doubts { $0.instrument.takenIn += 1 } == [
        "after: the proxy took in 5964001 B, but carried, discarded and queued bytes are 5964000 B"
          + " together: 1 B are not accounted for."
      ])
    #expect(
      doubts { $0.instrument.engineReceived -= 1 } == [
        "after: the proxy carried 5964000 B, but the engine received 5963999 B."
      ])
  }

  @Test func `a rate beyond half a percent is a doubt`() {
    #expect(doubts { $0.instrument.upRate = 20_100 } == [])
    #expect(
      doubts { $0.instrument.upRate = 20_101 } == [
        "after: the up link ran at 20.101 KB/s instead of 20 KB/s (+0.51 %; 0.5 % is allowed)."
          + " Use a smaller factor, such as --time 20x."
      ])
    #expect(
      doubts {
        $0.instrument.downRate = 198_000
        $0.wire.down = 2_000_000
      }.count == 1)
  }

  @Test func `a direction that was hardly busy is not held to its rate`() {
    #expect(
      doubts {
        $0.instrument.downRate = 150_000
        $0.wire.down = 1_999_999
      } == [])
  }

  @Test func `what the lateness of timers explains of a rate is no doubt`() {
    // 20 s on a busy machine, in three busy periods: 0.36 s of them are uncertain, 1.8 %.
    let short = { (variant: inout VariantRecord) in
      variant.instrument.lateness = .init(p50: 0.01, p99: 0.12)
      variant.instrument.upPeriods = 3
      (variant.instrument.takenIn, variant.instrument.carried) = (400_000, 400_000)
      variant.instrument.engineReceived = 400_000
      variant.instrument.upRate = 20_350
    }
    #expect(doubts(short) == [])
    #expect(
      doubts {
        short(&$0)
        $0.instrument.upRate = 20_370
      } == [
        "after: the up link ran at 20.37 KB/s instead of 20 KB/s (+1.85 %; 1.8 % is allowed). Use a"
          + " smaller factor, such as --time 20x."
      ])
    #expect(InstrumentCheck.rateTolerance(busy: 300, uncertain: 0.36) == 0.5)
  }

  @Test func `a busy direction without a measured rate is a doubt, a quiet one is none`() {
    #expect(
      doubts { $0.instrument.upRate = nil } == [
        "after: the up link carried 5.96 MB, 298.2 s at the rate asked, and its rate was not"
          + " measured."
      ])
    #expect(doubts { $0.wire.down = 1_999_999 } == [])
    #expect(doubts { $0.wire.down = 2_000_000 }.count == 1)
  }

  @Test func `the buffer may be off by one percent or three packets, whichever is more`() {
    #expect(doubts { $0.instrument.buffers = [1_444_300, 1_444_300] } == [])
    #expect(
      doubts { $0.instrument.buffers = [1_460_000, 1_430_000] } == [
        "after: the buffer held 1.445 MB on the mean of 2 attempts instead of 1.43 MB (14.3 KB"
          + " either way is allowed). Use a smaller factor, such as --time 20x."
      ])
    #expect(doubts { $0.instrument.buffers = [] } == [])
    #expect(InstrumentCheck.bufferTolerance(declared: 64_000) == 4_380)
  }

  @Test func `timers of the kernel are a doubt in dilated time only`() {
    let change = { (variant: inout VariantRecord) in
      variant.instrument.retransmissions = 4
      variant.instrument.zeroWindowProbes = 1
    }
    #expect(
      doubts(change) == [
        "after: the kernel made 4 retransmissions; its timers do not run in dilated time. Use a"
          + " smaller factor, such as --time 20x.",
        "after: the kernel made 1 zero-window probe; its timers do not run in dilated time. Use a"
          + " smaller factor, such as --time 20x.",
      ])
    #expect(doubts(mode: .real, change) == [])
    // A busy moment of the machine looks like this, and decides nothing.
    #expect(doubts { $0.instrument.retransmissions = InstrumentCheck.retransmissionsMax } == [])
  }

  @Test func `a machine that is too busy is a doubt in dilated time only`() {
    let change = { (variant: inout VariantRecord) in
      variant.instrument.lateness = .init(p50: 0.01, p99: 0.6)
      variant.instrument.clientLateness = 12.5
    }
    #expect(
      doubts(change) == [
        "after: one timer of the bench in a hundred fired 0.6 s late or more; the machine is too"
          + " busy for this factor. Use a smaller factor, such as --time 20x.",
        "after: a timer of the client fired 12.5 s late, and so may its limits have; the machine is"
          + " too busy for this factor. Use a smaller factor, such as --time 20x.",
      ])
    #expect(doubts(mode: .real, change) == [])
    #expect(doubts { $0.instrument.clientLateness = InstrumentCheck.clientLatenessMax } == [])
  }

  @Test func `interrupted outranks a doubt, a doubt a failure, a failure a pass`() {
    let pass = ExpectationRecord(
      variant: "a", name: "n", expected: "1", measured: "1", pass: true)
    let fail = ExpectationRecord(
      variant: "a", name: "n", expected: "1", measured: "2", pass: false)
    typealias Verdict = RunRecord.Verdict
    #expect(
      Verdict(interrupted: true, doubts: ["x"], expectations: [fail]) == .interrupted)
    #expect(Verdict(interrupted: false, doubts: ["x"], expectations: [fail]) == .inconclusive)
    #expect(Verdict(interrupted: false, doubts: [], expectations: [pass, fail]) == .failed)
    #expect(Verdict(interrupted: false, doubts: [], expectations: [pass]) == .passed)
  }

  @Test func `a record is judged from what it holds`() {
    let expectation = Expectation(
      variant: "after", name: "landed", measure: .landed, text: "all", expected: .all, line: 1)
    var record = SlowCopy.record
    record.judge(by: [expectation])
    #expect(record.verdict == .passed && record.expectations.map(\.pass) == [true])
    record.judge(by: [expectation], doubts: ["too many lines"])
    #expect(record.verdict == .inconclusive && record.doubts == ["too many lines"])
    record.variants[1].files[0].landed = false
    record.judge(by: [expectation])
    #expect(record.verdict == .failed && record.expectations[0].why != nil)
    record.variants[0].instrument.takenIn += 1
    record.judge(by: [expectation])
    #expect(record.verdict == .inconclusive)
    record.variants[0].outcome = .interrupted
    record.judge(by: [expectation])
    #expect(record.verdict == .interrupted)
  }

  /// A link second in dilated time, whatever the timers say.
  @Test(arguments: [
    (312.1, RunRecord.Verdict.inconclusive), (312.9, .inconclusive), (298.9, .inconclusive),
    (313.2, .failed), (298.6, .failed),
  ])
  func `a time that is off by less than the machine's pauses fails nobody`(
    finished: Double, verdict: RunRecord.Verdict
  ) {
    let expectation = Expectation(
      variant: "after", name: "finished", measure: .finished, text: "305.9 s +- 2 %",
      expected: .number(.equal, 305.9, tolerancePercent: 2), line: 1)
    // 6.118 s are allowed.
    var record = SlowCopy.record
    record.variants[1].finishedAt = finished
    record.judge(by: [expectation])
    #expect(record.verdict == verdict)
    #expect(record.doubts.count == (verdict == .inconclusive ? 1 : 0))
    // A failure beside it stays one.
    let attempts = Expectation(
      variant: "after", name: "attempts.copy", measure: .attempts(step: "copy"), text: "2",
      expected: .number(.equal, 2, tolerancePercent: 0), line: 2)
    record.judge(by: [expectation, attempts])
    #expect(record.verdict == .failed && record.doubts.isEmpty)
    record.time = .init(mode: .virtual, factor: 1, lateness: nil)
    for index in record.variants.indices { record.variants[index].instrument.lateness = nil }
    record.judge(by: [expectation])
    #expect(record.verdict == .failed && record.doubts.isEmpty)
  }

  @Test func `an expectation without a measured value cannot be made a pass`() {
    let record = ExpectationRecord(
      variant: "a", name: "n", expected: "1", measured: nil, pass: true)
    #expect(!record.pass)
  }

  @Test func `the exit codes are the documented numbers`() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 70, 130])
    #expect(
      RunRecord.Verdict.allCases.map { ExitCode($0) } == [
        .passed, .failed, .inconclusive, .interrupted,
      ])
  }

  @Test func `of several runs the gravest code stands`() {
    #expect(ExitCode(gravestOf: []) == .passed)
    #expect(ExitCode(gravestOf: [.passed, .inconclusive, .failed]) == .failed)
    #expect(ExitCode(gravestOf: [.inconclusive, .passed]) == .inconclusive)
    #expect(ExitCode(gravestOf: [.failed, .benchBroke]) == .benchBroke)
    #expect(ExitCode(gravestOf: [.benchBroke, .interrupted]) == .interrupted)
  }

  @Test func `the link's record keeps the worst rate and the mean buffer`() {
    let link = SlowCopy.record.link
    #expect(link.up.measured == 20_001 && link.up.errorPercent == 0.005)
    #expect(link.down.measured == nil && link.down.errorPercent == nil)
    #expect(link.buffer.measured == 1_430_000)
  }

  @Test func `lateness is by nearest rank, in link seconds`() {
    let measured = (1...200).map { Int64($0) * 1_000 }
    #expect(
      RunRecord.Lateness(of: measured.reversed(), factor: 60)
        == RunRecord.Lateness(p50: 0.006, p99: 0.01188))
    #expect(
      RunRecord.Lateness(of: [5_000], factor: 1) == RunRecord.Lateness(p50: 5e-6, p99: 5e-6))
    #expect(RunRecord.Lateness(of: [], factor: 60) == nil)
  }
}
