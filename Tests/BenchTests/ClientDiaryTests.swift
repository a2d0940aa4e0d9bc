import Captures
import Quantities
import Testing
import Uploads

@testable import Bench

struct ClientDiaryTests {
  private func diary(_ reports: (Double, BenchReport)...) -> ClientDiary {
    var diary = ClientDiary()
    for (seconds, report) in reports { diary.add(report, at: Instant(seconds: seconds)) }
    return diary
  }

  private func saved(_ capture: String) -> BenchReport {
    .saved(capture: capture, moment: "M-\(capture)", media: [:])
  }

  private func ended(_ step: StepName, _ outcome: String) -> BenchReport {
    .ended(capture: "p", step: step, attempt: 1, counted: 9, outcome: outcome)
  }

  @Test func `a capture has its moment and its times`() {
    let diary = diary(
      (0, .ready), (1, saved("p")), (1, .state(capture: "p", .kept)),
      (2, .began(capture: "p", step: .copy, attempt: 1)), (9, ended(.copy, "landed")),
      (10, .state(capture: "p", .done)), (11, .passed))
    #expect(diary.moments == ["p": ["M-p"]])
    #expect(diary.savedAt == ["p": Instant(seconds: 1)])
    #expect(diary.landedAt == [.init(capture: "p", step: .copy): Instant(seconds: 9)])
    #expect(diary.settledAt == ["p": Instant(seconds: 10)])
    #expect(diary.isSettled("p") && !diary.isSettled("q"))
    // Only the engine can say so.
    #expect(diary.lost(kept: []) == 1)
    #expect(diary.lost(kept: [], whole: ["p"]) == 0)
  }

  @Test func `only a receipt lands a step, and the first one counts`() {
    let diary = diary(
      (3, ended(.copy, "failed: no answer in 120 s")), (4, ended(.copy, "refused: landed")),
      (5, ended(.copy, "landed")), (6, ended(.copy, "landed")), (7, ended(.original, "stopped")))
    #expect(diary.landedAt == [.init(capture: "p", step: .copy): Instant(seconds: 5)])
  }

  @Test func `a capture settles when it is done, parked, discarded or not saved`() {
    let diary = diary(
      (1, .state(capture: "p", .sending)), (2, .state(capture: "p", .parked)),
      // The user sends it after all.
      (3, .state(capture: "p", .sending)), (4, .state(capture: "p", .done)),
      (4, .state(capture: "s", .parked)), (5, .state(capture: "s", .discarded)),
      (5, .notSaved(capture: "q", reason: "the disk is full")),
      (6, .state(capture: "r", .waiting)))
    #expect(
      diary.settledAt == [
        "p": Instant(seconds: 4), "q": Instant(seconds: 5), "s": Instant(seconds: 4),
      ])
    #expect(diary.states == ["p": .done, "r": .waiting, "s": .discarded])
    #expect(diary.notSaved.map(\.capture) == ["q"])
    #expect(diary.notSaved.map(\.reason) == ["the disk is full"])
  }

  @Test func `parked captures are counted as they stand now`() {
    let diary = diary(
      (1, .state(capture: "p", .parked)), (1, .state(capture: "q", .parked)),
      (2, .state(capture: "q", .waiting)))
    #expect(diary.parked == 1)
  }

  /// Four were saved and one is done; what the outbox still holds of the others is not lost.
  @Test(arguments: [
    ([], 3), (["M-q", "M-r"], 1), (["M-q", "M-r", "M-s"], 0), (["M-p", "M-q"], 2),
  ])
  func `a capture is lost when it is neither with the engine nor kept`(kept: [String], lost: Int) {
    var diary = diary(
      (1, saved("p")), (1, saved("q")), (1, saved("r")), (1, saved("s")),
      (2, .notSaved(capture: "t", reason: "")), (3, .state(capture: "p", .done)))
    #expect(diary.lost(kept: Set(kept), whole: ["p"]) == lost)
    // A client that is started again saves nothing anew.
    diary.add(.state(capture: "q", .kept), at: Instant(seconds: 4))
    #expect(diary.lost(kept: Set(kept), whole: ["p"]) == lost)
    // What the user gives up is not lost.
    diary.add(.state(capture: "s", .discarded), at: Instant(seconds: 5))
    #expect(diary.lost(kept: Set(kept), whole: ["p"]) == (kept.contains("M-s") ? lost : lost - 1))
  }

  @Test func `what a killed client had no time to tell is learnt from the next one`() {
    let diary = diary(
      (1, saved("p")), (5, ended(.copy, "landed")),
      (9, .recovered(capture: "p", moment: "M-p", done: [.record, .copy, .turn])),
      (9, .recovered(capture: "q", moment: "M-q", done: [])))
    #expect(diary.landedAt[.init(capture: "p", step: .copy)] == Instant(seconds: 5))
    #expect(diary.landedAt[.init(capture: "p", step: .turn)] == Instant(seconds: 9))
    #expect(diary.moments == ["p": ["M-p"], "q": ["M-q"]])
    #expect(diary.savedAt == ["p": Instant(seconds: 1), "q": Instant(seconds: 9)])
  }

  @Test func `a capture that goes by several ids is known by each of them`() {
    let diary = diary(
      (1, saved("p")), (2, .renamed(capture: "p", moment: "M-2")), (3, saved("q")),
      (4, .recovered(capture: "p", moment: "M-p", done: [])))
    #expect(diary.moments == ["p": ["M-p", "M-2"], "q": ["M-q"]])
    #expect(diary.capture(named: "M-2") == "p" && diary.capture(named: "M-p") == "p")
    #expect(diary.lost(kept: ["M-2", "M-q"]) == 0)
  }

  @Test func `a held capture is settled until something lets it go`() {
    var diary = diary((1, saved("p")), (2, .state(capture: "p", .held)))
    #expect(diary.isSettled("p") && diary.held == 1)
    diary.add(.state(capture: "p", .kept), at: Instant(seconds: 3))
    #expect(!diary.isSettled("p") && diary.held == 0)
  }

  @Test func `the worst lateness is kept`() {
    #expect(diary().lateness == nil)
    let diary = diary(
      (1, .late(.seconds(0.2))), (2, .late(.seconds(0.5))), (3, .late(.seconds(0.1))))
    #expect(diary.lateness == .seconds(0.5))
  }
}
