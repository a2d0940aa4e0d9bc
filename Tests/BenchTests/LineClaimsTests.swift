import Quantities
import Reports
import Scenarios
import Testing
import Uploads

@testable import Bench

struct LineClaimsTests {
  private func captures(_ lines: LineClaims) -> [String?] {
    lines.shown.map { line in
      if case .own(let claim) = line.claim { claim.capture } else { nil }
    }
  }

  private func claim(_ capture: String) -> LineClaim { LineClaim(capture: capture, state: .kept) }

  @Test func `a line is found its claim, by its text as a terminal shows it`() {
    var lines = LineClaims()
    lines.expect("a", claim("photo-1"))
    lines.expect("a line\u{1b} with a break\n", claim("photo-2"))
    lines.show("a", at: .zero, taken: .max)
    lines.show("a line  with a break", at: .zero, taken: .max)
    #expect(captures(lines) == ["photo-1", "photo-2"])
  }

  @Test func `a claim whose line never came is passed over, and a line without one has none`() {
    var lines = LineClaims()
    lines.expect("a", claim("photo-1"))
    lines.expect("b", claim("photo-2"))
    lines.show("Not saved", at: .zero, taken: .max)
    lines.show("b", at: .zero, taken: .max)
    lines.show("a", at: .zero, taken: .max)
    #expect(captures(lines) == [nil, "photo-2", nil])
  }

  @Test func `figures that patterns read are a claim, too, of a line that has no other`() {
    var lines = LineClaims()
    let figures = FigureClaim(claimed: Figure("45", unit: .percent))
    lines.show("45 %", figures: figures, at: .zero, taken: 7)
    #expect(
      lines.shown == [ShownLine("45 %", at: .zero, claim: .figures(figures), life: 0, taken: 7)])
  }

  @Test func `a new process has claims of its own, and only so many wait`() {
    var lines = LineClaims()
    lines.expect("a", claim("photo-1"))
    lines.clientStarted()
    lines.show("a", at: .zero, taken: .max)
    for number in 0...LineClaims.waitingMax { lines.expect("\(number)", claim("photo-2")) }
    lines.show("0", at: .zero, taken: .max)
    lines.show("1", at: .zero, taken: .max)
    #expect(captures(lines) == [nil, nil, "photo-2"])
    #expect(lines.shown.map(\.life) == [1, 1, 1])
  }
}
