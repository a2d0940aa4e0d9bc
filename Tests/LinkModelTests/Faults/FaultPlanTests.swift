import LinkModel
import Quantities
import Testing

@Suite struct FaultPlanTests {
  private func plan(_ deeds: ConnectionFault.Deed...) -> FaultPlan {
    FaultPlan(deeds.map { ConnectionFault($0) }, connection: 1, openedAt: .zero)
  }

  @Test func `a connection that no fault fits has an empty plan`() {
    let faults = [
      ConnectionFault(.refuse, which: ConnectionChoice(number: 2)),
      ConnectionFault(.silent, which: ConnectionChoice(from: Instant(seconds: 5))),
      ConnectionFault(.slowClose(.seconds(1)), which: ConnectionChoice(until: Instant(seconds: 4))),
      ConnectionFault(.dark(at: Instant(seconds: 4))),
    ]
    let plan = FaultPlan(faults, connection: 1, openedAt: Instant(seconds: 4))
    #expect(plan.isEmpty && plan.opening == .carried && plan.nextEvent == nil)
    #expect(plan.atFirst.isEmpty)
    for seconds in [3, 5] {
      #expect(
        !FaultPlan(faults, connection: 1, openedAt: Instant(seconds: Double(seconds))).isEmpty)
    }
    #expect(FaultPlan(faults, connection: 2, openedAt: Instant(seconds: 4)).opening == .refused)
  }

  @Test func `refused comes before silent, and both before everything else`() {
    let cut = ConnectionFault.Deed.cut(StreamPlace(.up, 9), as: .reset)
    var silent = plan(cut, .dark(at: Instant(seconds: 1)), .silent)
    #expect(silent.opening == .silent && !silent.isEmpty && silent.nextEvent == nil)
    #expect(silent.advance(to: Instant(seconds: 2)) == [])
    #expect(plan(.silent, .refuse).opening == .refused)
  }

  @Test func `of each kind the first that fits acts, and the two sides are two kinds`() {
    let plan = plan(
      .cut(StreamPlace(.up, 50), as: .end), .cut(StreamPlace(.up, 10), as: .reset),
      .hold(StreamPlace(.up, 70), for: .seconds(1)), .cut(StreamPlace(.down, 30), as: .silence))
    #expect(plan.atFirst == [.allow(.up, 50), .allow(.down, 30)])
  }

  @Test(arguments: ConnectionCut.allCases, LinkSide.allCases)
  func `a cut comes behind its byte, and after it nothing`(way: ConnectionCut, side: LinkSide) {
    var plan = plan(
      .cut(StreamPlace(side, 100), as: way), .slowClose(.seconds(1)), .dark(at: Instant(seconds: 9))
    )
    #expect(plan.atFirst == [.allow(side, 100)])
    #expect(plan.passed(99, isEnd: false, side, at: .zero) == [])
    #expect(plan.passed(500, isEnd: false, side.other, at: .zero) == [])
    let after: [FaultPlan.Action] =
      switch way {
      case .reset: []
      case .end: [.allow(.up, nil), .allow(.down, nil)]
      case .silence: [.allow(.up, 0), .allow(.down, 0)]
      }
    #expect(
      plan.passed(1, isEnd: true, side, at: .zero) == [.cut(way, behind: side)] + after)
    #expect(plan.nextEvent == nil)
    #expect(plan.passed(1, isEnd: true, side, at: .zero) == [])
    #expect(plan.advance(to: .distantFuture) == [])
  }

  @Test func `a hold lets the rest up to the cut go once its time is over`() {
    var plan = plan(
      .hold(StreamPlace(.up, 40), for: .seconds(100)), .cut(StreamPlace(.up, 100), as: .reset))
    #expect(plan.atFirst == [.allow(.up, 40)])
    #expect(plan.passed(40, isEnd: false, .up, at: Instant(seconds: 7)) == [.allow(.up, 0)])
    #expect(plan.nextEvent == Instant(seconds: 107))
    #expect(plan.advance(to: Instant(seconds: 106)) == [])
    #expect(plan.advance(to: Instant(seconds: 108)) == [.allow(.up, 60)])
    #expect(
      plan.passed(60, isEnd: false, .up, at: Instant(seconds: 110)) == [.cut(.reset, behind: .up)])
  }

  @Test func `an end waits for the hold, and then for the slow close`() {
    var plan = plan(.hold(StreamPlace(.down, 10), for: .seconds(100)), .slowClose(.seconds(5)))
    #expect(plan.passed(0, isEnd: true, .up, at: Instant(seconds: 1)) == [])
    #expect(plan.passed(10, isEnd: true, .down, at: Instant(seconds: 2)) == [.allow(.down, 0)])
    #expect(plan.nextEvent == Instant(seconds: 6))
    #expect(plan.advance(to: Instant(seconds: 6)) == [.end(.up)])
    #expect(plan.advance(to: Instant(seconds: 102)) == [.allow(.down, nil)])
    #expect(plan.advance(to: .distantFuture) == [.end(.down)])
  }

  @Test func `an end is passed on at once where nothing delays it`() {
    var plan = plan(.dark(at: Instant(seconds: 9)))
    #expect(plan.passed(3, isEnd: true, .up, at: Instant(seconds: 1)) == [.end(.up)])
  }

  @Test func `the dark comes at its time, after what was due before, and ends everything`() {
    var plan = plan(.dark(at: Instant(seconds: 20)), .slowClose(.seconds(5)))
    #expect(plan.nextEvent == Instant(seconds: 20))
    #expect(plan.passed(1, isEnd: true, .up, at: Instant(seconds: 14)) == [])
    #expect(plan.passed(1, isEnd: true, .down, at: Instant(seconds: 18)) == [])
    #expect(
      plan.advance(to: Instant(seconds: 60)) == [
        .end(.up), .cut(.silence, behind: nil), .allow(.up, 0), .allow(.down, 0),
      ])
    #expect(plan.nextEvent == nil)
  }

  @Test func `a rule covers those behind it that could never act`() {
    let narrow = ConnectionChoice(number: 2, from: Instant(seconds: 5), until: Instant(seconds: 9))
    let wide = ConnectionChoice(from: Instant(seconds: 5), until: Instant(seconds: 9))
    let all = ConnectionChoice()
    func covers(_ one: ConnectionChoice, _ other: ConnectionChoice) -> Bool {
      ConnectionFault(.refuse, which: one).covers(ConnectionFault(.refuse, which: other))
    }
    #expect(covers(all, wide) && covers(wide, narrow) && covers(narrow, narrow))
    #expect(!covers(wide, all) && !covers(narrow, wide))
    #expect(covers(ConnectionChoice(from: .zero), all))
    let late = ConnectionFault(.dark(at: Instant(seconds: 20)))
    let early = ConnectionFault(.dark(at: Instant(seconds: 10)))
    #expect(late.covers(early) && !early.covers(late))
    #expect(!late.covers(ConnectionFault(.refuse)))
  }
}
