import Quantities
import Reports
import Testing
import Uploads

@testable import Bench

struct LineClaimsTests {
  private func claim(_ capture: String) -> LineClaim { LineClaim(capture: capture, state: .kept) }

  @Test func `a line is found its claim, by its text as a terminal shows it`() {
    var lines = LineClaims()
    lines.expect("a", claim("photo-1"))
    lines.expect("a line\u{1b} with a break\n", claim("photo-2"))
    lines.show("a", at: .zero, isBacked: true)
    lines.show("a line  with a break", at: .zero, isBacked: true)
    #expect(lines.shown.map { $0.claim?.capture } == ["photo-1", "photo-2"])
  }

  @Test func `a claim whose line never came is passed over, and a line without one has none`() {
    var lines = LineClaims()
    lines.expect("a", claim("photo-1"))
    lines.expect("b", claim("photo-2"))
    lines.show("Not saved", at: .zero, isBacked: true)
    lines.show("b", at: .zero, isBacked: true)
    lines.show("a", at: .zero, isBacked: true)
    #expect(lines.shown.map { $0.claim?.capture } == [nil, "photo-2", nil])
  }

  @Test func `a new process has claims of its own, and only so many wait`() {
    var lines = LineClaims()
    lines.expect("a", claim("photo-1"))
    lines.clientStarted()
    lines.show("a", at: .zero, isBacked: true)
    for number in 0...LineClaims.waitingMax { lines.expect("\(number)", claim("photo-2")) }
    lines.show("0", at: .zero, isBacked: true)
    lines.show("1", at: .zero, isBacked: true)
    #expect(lines.shown.map { $0.claim?.capture } == [nil, nil, "photo-2"])
    #expect(lines.shown.map(\.life) == [1, 1, 1])
  }
}
