import Reports
import Testing

@Suite struct AgreementTests {
  private var virtual: RunRecord {
    var record = SlowCopy.record
    record.time = RunRecord.Time(mode: .virtual)
    return record
  }

  private func standing(
    of measure: String, _ edit: (inout VariantRecord) -> Void
  ) -> Agreement.Standing? {
    var other = virtual
    edit(&other.variants[1])
    let agreement = Agreement(SlowCopy.record, other)
    let row = agreement.rows.first { $0.measure == measure && $0.standing != .equal }
    #expect(agreement.agrees == agreement.disagreements.isEmpty)
    return row?.standing
  }

  @Test func `a run agrees with itself in every measure`() {
    let agreement = Agreement(SlowCopy.record, virtual)
    #expect(agreement.agrees)
    #expect(agreement.rows.allSatisfy { $0.standing == .equal })
    #expect(AgreementReport(agreement).plain.contains("are equal"))
  }

  @Test func `what decides is compared exactly`() {
    #expect(standing(of: "attempts of copy") { $0.files[0].attempts = 2 } == .disagrees)
    #expect(standing(of: "landed: copy") { $0.files[0].landed = false } == .disagrees)
    #expect(standing(of: "captures parked") { $0.parked = 1 } == .disagrees)
    #expect(
      standing(of: "captures not saved") {
        $0.notSaved = [.init(capture: "photo-1", reason: "the disk is full")]
      } == .disagrees)
    #expect(standing(of: "captures lost") { $0.exactlyOnce.lost = 1 } == .disagrees)
    #expect(standing(of: "captures held twice") { $0.exactlyOnce.duplicates = 1 } == .disagrees)
    #expect(standing(of: "end of the run") { $0.outcome = .clientEnded } == .disagrees)
    #expect(
      standing(of: "stored as it was made: copy") { $0.files[0].sha256Matches = false }
        == .disagrees)
  }

  @Test func `bytes and the finish have a tolerance`() {
    let wire = "bytes of original on the wire"
    #expect(standing(of: wire) { $0.files[1].wireBytes += 21_000 } == .within)
    #expect(standing(of: wire) { $0.files[1].wireBytes += 22_000 } == .disagrees)
    #expect(standing(of: "repeated bytes") { $0.wire.repeated += 1_460 } == .within)
    #expect(standing(of: "repeated bytes") { $0.wire.repeated += 1_461 } == .disagrees)
    #expect(standing(of: "all done at") { $0.finishedAt = 308.9 } == .within)
    #expect(standing(of: "all done at") { $0.finishedAt = 309.1 } == .disagrees)
    #expect(standing(of: "all done at") { $0.finishedAt = nil } == .disagrees)
  }

  @Test(arguments: [(20.9, Agreement.Standing.within), (22.1, .disagrees)])
  func `dilated, a short run may end as much later as its timers can be off`(
    finish: Double, standing: Agreement.Standing
  ) {
    var (one, other) = (SlowCopy.record, virtual)
    one.variants[1].finishedAt = 20
    other.variants[1].finishedAt = finish
    let row = Agreement(one, other).rows.last { $0.measure == "all done at" }
    #expect(row?.standing == standing)
  }

  @Test func `a request that was closed in mid-body may differ by a write of the client`() {
    var (one, other) = (SlowCopy.record, virtual)
    one.variants[1].requests.append(
      RequestRecord(
        at: 1, method: "PUT", path: "/", step: "copy", status: nil, seconds: 1, end: "closed"))
    other.variants[1].requests = one.variants[1].requests
    other.variants[1].files[0].wireBytes += Agreement.writeBytes + 1_460
    #expect(Agreement(one, other).agrees)
    other.variants[1].files[0].wireBytes += 1
    #expect(!Agreement(one, other).agrees)
  }

  @Test func `lines are named where they differ, and not judged`() {
    #expect(standing(of: "distinct status lines") { $0.statusLines.distinct += 50 } == .notJudged)
    #expect(
      standing(of: "first line with live figures") { $0.statusLines.firstLiveAt = 9 }
        == .notJudged)
  }

  @Test func `a variant that only one side ran is a disagreement`() {
    var other = virtual
    other.variants.removeLast()
    #expect(!Agreement(SlowCopy.record, other).agrees)
  }

  @Test func `a run in doubt can be held against nothing`() {
    var other = virtual
    other.verdict = .inconclusive
    let agreement = Agreement(SlowCopy.record, other)
    #expect(!agreement.isSound && !agreement.agrees)
    #expect(AgreementReport(agreement).plain.contains("cannot be held against each other"))
  }

  @Test func `a report in virtual time says what it cannot see, and no other does`() {
    #expect(MarkdownReport(virtual).text.contains("It does not see"))
    #expect(TerminalSummary(virtual).text.contains("It does not see"))
    #expect(!MarkdownReport(SlowCopy.record).text.contains("It does not see"))
    #expect(!TerminalSummary(SlowCopy.record).text.contains("It does not see"))
  }
}
