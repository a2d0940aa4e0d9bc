import Reports
import Testing

@Suite struct RepeatSummaryTests {
  @Test func `runs of one scenario are summed up by least, median and most`() {
    var records = [SlowCopy.record, SlowCopy.record, SlowCopy.record]
    records[0].verdict = .passed
    records[1].verdict = .inconclusive
    records[0].variants[0].files[0].attempts = 8
    records[1].variants[1].finishedAt = 304.3
    records[2].variants[1].finishedAt = nil
    var summary = RepeatSummary(records[0])
    for record in records.dropFirst() { summary.add(record) }
    #expect(
      summary.text == """
        The copy that never landed, 3 runs: 1 passed, 1 failed, 1 inconclusive

        variant                          least    median   most     runs
        before   attempts                7        7        8        3
        before   file bytes on the wire  9.93 MB  9.93 MB  9.93 MB  3
        before   all done at             never    never    never    3
        after    attempts                2        2        2        3
        after    file bytes on the wire  5.96 MB  5.96 MB  5.96 MB  3
        after    all done at             304.3 s  305.9 s  never    3

        """)
  }

  @Test func `a scenario that was run once is none to sum up, nor are two seeds`() {
    var other = SlowCopy.record
    other.seed = 8
    let summary = RepeatSummary(SlowCopy.record)
    #expect(summary.text == nil)
    #expect(!summary.covers(other))
    #expect(summary.covers(SlowCopy.record))
  }

  @Test func `in virtual time a run that came out otherwise is told`() {
    var record = SlowCopy.record
    record.time = .init(mode: .virtual)
    var summary = RepeatSummary(record)
    summary.add(record)
    #expect(summary.text?.contains("every one with the same result, to the byte") == true)
    record.variants[0].wire.up += 1
    #expect(!summary.isRepeated(by: record))
    summary.add(record)
    #expect(summary.text?.contains("1 with another result than the first") == true)
  }

  @Test func `a run that was interrupted is counted, and compared with none`() {
    var record = SlowCopy.record
    record.time = .init(mode: .virtual)
    var summary = RepeatSummary(record)
    summary.add(record)
    var cut = record
    cut.verdict = .interrupted
    cut.variants[0].finishedAt = nil
    cut.variants[0].files[0].attempts = 1
    summary.add(cut)
    #expect(summary.text?.contains("3 runs: 2 failed, 1 interrupted") == true)
    #expect(summary.text?.contains("attempts                7        7        7        2") == true)
    #expect(summary.text?.contains("every one with the same result, to the byte") == true)
  }
}
