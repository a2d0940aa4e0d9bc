import Reports
import Scenarios
import Testing

/// A client that somebody else wrote, in the reports.
@Suite struct ProcessRecordTests {
  private static let curl = variant(
    ProcessRecord(
      starts: 2, exit: 22, seconds: 12.3456, userSeconds: 0.25, systemSeconds: 0.5,
      memoryPeak: 12_300_000, unassigned: 1))

  private static func variant(_ process: ProcessRecord) -> VariantRecord {
    var variant = SlowCopy.before
    variant.name = "curl"
    variant.outcome = .finished
    variant.process = process
    variant.honesty = nil
    variant.parked = nil
    variant.exactlyOnce.lost = nil
    variant.instrument.buffers = [2_100_000]
    return variant
  }

  private static func record(_ variant: VariantRecord) -> RunRecord {
    var record = SlowCopy.record
    record.variants = [variant]
    record.expectations = []
    return record
  }

  @Test func `what its processes took survives writing and reading`() throws {
    for process in [ProcessRecord(), try #require(Self.curl.process)] {
      let record = Self.record(Self.variant(process))
      #expect(try ResultFile.record(from: ResultFile.text(of: record)) == record)
    }
    let text = ResultFile.text(of: Self.record(Self.curl))
    #expect(text.contains("\"lost\": null") && text.contains("\"memoryPeak\": 12300000"))
  }

  @Test func `the tables tell how it ended, what it took, and what is not known`() {
    let text = MarkdownReport(Self.record(Self.curl)).text
    for part in [
      "the client ended with exit status 22",
      "2 starts, ended with exit status 22, 12.3 s, CPU 0.75 s, 12.30 MB", "none twice",
      "| requests with no capture's file | 1 |",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    let stopped = MarkdownReport(Self.record(Self.variant(ProcessRecord(starts: 1)))).text
    #expect(stopped.contains("1 start, ended by the bench, 0 s, CPU 0 s |"))
    #expect(!stopped.contains("no capture's file"))
  }

  @Test(arguments: [
    (ProcessRecord(starts: 1, exit: 0), "0", true, false),
    (ProcessRecord(starts: 1, exit: 22), "22", false, false),
    (ProcessRecord(starts: 1, signal: 11), "never", false, true),
    (ProcessRecord(starts: 1), "never", false, true),
  ])
  func `an exit status is expected, or that there is none`(
    process: ProcessRecord, measured: String, isZero: Bool, isNone: Bool
  ) {
    func check(_ expected: Expected) -> ExpectationCheck {
      ExpectationCheck(
        Expectation(
          variant: "curl", name: "exit", measure: .exit, text: "0", expected: expected, line: 1),
        of: Self.variant(process))
    }
    let zero = check(.number(.equal, 0, tolerancePercent: 0))
    #expect(zero.measured == measured && zero.pass == isZero)
    #expect(check(.never).pass == isNone)
    #expect(check(.each(0)).pass == false || isZero)
  }

  @Test func `what only a client itself could tell is not measured, and no pass`() {
    let check = ExpectationCheck(
      Expectation(
        variant: "curl", name: "lost", measure: .lost, text: "0",
        expected: .number(.equal, 0, tolerancePercent: 0), line: 1), of: Self.curl)
    #expect(check.measured == nil && !check.pass)
  }

  @Test func `what its own sockets hold is told and not judged`() {
    let check = InstrumentCheck(
      link: SlowCopy.record.link, time: .init(mode: .real), variants: [Self.curl])
    #expect(check.doubts == [])
    #expect(
      check.notes.last
        == "curl: path and the client's own sockets held 2.1 MB on the mean of 1 attempt; of a command "
        + "that is not judged.")
  }
}
