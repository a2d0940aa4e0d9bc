import Captures
import Quantities
import ScratchEngine
import Testing

struct PatternTests {
  private func acts(_ pattern: RequestPattern, times: Int? = nil) -> [Int] {
    var talk = Talk(
      EngineScript(rules: [
        ScriptRule(when: pattern, times: times, then: .init(.answer(.init(418))))
      ]))
    talk.send("GET", "/api/health")
    talk.now = Instant(seconds: 10)
    talk.putRecord()
    talk.now = Instant(seconds: 20)
    talk.send("PUT", "/files/a.jpg?x=/api", .copy)
    return talk.ledger.requests.indices.filter { talk.ledger.requests[$0].rule == 0 }
  }

  @Test func `a field that is left out matches any request`() {
    #expect(acts(RequestPattern()) == [0, 1, 2])
  }

  @Test func `each field narrows it down`() {
    #expect(acts(RequestPattern(step: .record)) == [1])
    #expect(acts(RequestPattern(attempt: 1)) == [1, 2])
    #expect(acts(RequestPattern(attempt: 2)) == [])
    #expect(acts(RequestPattern(method: "PUT")) == [1, 2])
    #expect(acts(RequestPattern(bodyAtLeast: 1_650)) == [2])
    #expect(acts(RequestPattern(bodyAtLeast: 1_651)) == [])
    #expect(acts(RequestPattern(connection: 2)) == [1])
    #expect(acts(RequestPattern(from: Instant(seconds: 10))) == [1, 2])
    #expect(acts(RequestPattern(until: Instant(seconds: 10))) == [0])
    #expect(acts(RequestPattern(), times: 2) == [0, 1])
  }

  @Test(arguments: [
    ("/api/health", [0]), ("/api/*", [0, 1]), ("*", [0, 1, 2]), ("/*/moments/*", [1]),
    ("*.jpg", [2]), ("/files/*a*.jpg", [2]), ("/files", []), ("/api/health/*", []), ("/*x*", []),
  ])
  func `a star in a path stands for any characters`(path: String, expected: [Int]) {
    #expect(acts(RequestPattern(path: path)) == expected)
  }

  @Test(arguments: [
    ("/api/moments/*", "/api/*/media", true), ("*", "", true), ("", "", true), ("/a", "/b", false),
    ("/api/*", "/files/*", false), ("*a*b", "b*a*", true), ("*a", "*b", false),
    ("/*/x", "/*", true),
    ("/api/moments/01J/turns", "/api/moments/*/turns", true), ("a*", "*b*c", true),
    ("a", "", false),
  ])
  func `two paths with stars meet where there is one path that both stand for`(
    one: String, other: String, expected: Bool
  ) {
    #expect(PathGlob(one).meets(PathGlob(other)) == expected)
    #expect(PathGlob(other).meets(PathGlob(one)) == expected)
    // Without stars of its own, a path meets what matches it.
    if !other.contains("*") { #expect(PathGlob(one).matches(other) == expected) }
  }

  @Test func `each step has its requests, and attempts are counted of steps and uploads`() {
    let shapes = RequestShape.all
    func methods(_ step: UploadStep) -> [String] {
      shapes.filter { $0.step == step }.map { "\($0.method) \($0.path)" }
    }
    #expect(methods(.record) == ["PUT /api/moments/*"])
    #expect(methods(.readback) == ["GET /api/moments/*", "GET /api/encounters"])
    #expect(methods(.staged) == ["POST /api/staged-uploads"])
    #expect(methods(.encounter) == ["POST /api/encounters"])
    for step in [UploadStep.copy, .original, .document] {
      #expect(methods(step) == ["PUT /api/moments/*/media/*"])
    }
    #expect(methods(.turn) == ["POST /api/moments/*/turns"])
    #expect(methods(.text) == ["POST /api/moments/*/text"])
    let uploads = shapes.filter { $0.isCounted && $0.step == nil }.map(\.path)
    #expect(uploads == ["/files/*", "/files/*"])
    #expect(RequestPattern(method: "HEAD").mayMatch(shapes[0]))
    #expect(!RequestPattern(attempt: 1, path: "/api/health").mayMatch(shapes[0]))
  }

  @Test func `a pattern covers another one that only adds to it`() {
    let all = RequestPattern()
    let some = RequestPattern(
      step: .copy, bodyAtLeast: 9, from: Instant(seconds: 1), until: Instant(seconds: 9))
    #expect(all.covers(some) && some.covers(some) && !some.covers(all))
    var narrower = some
    narrower.attempt = 1
    narrower.bodyAtLeast = 10
    narrower.from = Instant(seconds: 2)
    narrower.until = Instant(seconds: 8)
    #expect(some.covers(narrower) && !narrower.covers(some))
    #expect(!RequestPattern(step: .record).covers(some))
    #expect(!RequestPattern(chance: 0.5).covers(some) && RequestPattern(chance: 1).covers(some))
    #expect(RequestPattern(from: .zero).covers(all))
  }
}
