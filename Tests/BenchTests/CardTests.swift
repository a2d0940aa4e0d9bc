import Reports
import Scenarios
import Testing

/// A web card in the virtual world.
struct CardTests {
  @Test func `a closed page loses what it had not sent, and an outbox does not`() throws {
    let world = try SmallWorld(shipped: "web-card")
    let page = try world.run("page")
    #expect(page.files.map(\.step) == ["original", "original"])
    #expect(page.files.map(\.landed) == [true, false])
    #expect(page.attempts("original") == [2, 1])
    #expect(page.exactlyOnce == ExactlyOnceRecord(moments: 2, lost: 1))
    #expect(page.outcome == .horizon)

    let app = try SmallWorld(shipped: "web-card").run("app")
    #expect(app.files.map(\.landed) == [true, true, true, true])
    #expect(app.exactlyOnce == ExactlyOnceRecord(moments: 2))
    #expect(app.outcome == .finished)
  }

  @Test func `a page that is still open at the end has lost nothing`() throws {
    var world = try SmallWorld(shipped: "web-card")
    world.scenario.acts = []
    let page = try world.run("page")
    // The first photo waits for its user, and the save of the second asks for a pass, too.
    #expect(page.attempts("original") == [2, 1])
    #expect(page.exactlyOnce == ExactlyOnceRecord(moments: 2))
  }
}
