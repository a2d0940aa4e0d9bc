import Captures
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// Every kind of request that stores something, lost at twenty places and then sent again.
struct LostAnswerTests {
  /// A request, and those that have to come before it.
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var request: String
    var bodyBytes: Int
    var before: [String] = []

    init(_ name: String, _ line: String, _ body: String, after before: [Kind] = []) {
      testDescription = name
      bodyBytes = body.utf8.count
      request =
        "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      self.before = before.flatMap { $0.before + [$0.request] }
    }
  }

  private static let moment = "/api/moments/\(Talk.moment)"
  static let record = Kind("record", "PUT \(moment)", Talk.record)
  static let file = Kind(
    "file", "PUT \(moment)/media/c1?role=copy", String(repeating: "a", count: 1_000),
    after: [record])
  static let staged = Kind(
    "staged upload", "POST /api/staged-uploads?request_id=s1", String(repeating: "b", count: 1_000))
  static let kinds = [
    record, file, staged,
    Kind(
      "turn", "POST \(moment)/turns", #"{"request_id":"t1","media_id":"c1"}"#, after: [file]),
    Kind(
      "encounter", "POST /api/encounters",
      #"{"request_id":"plate-1","kind":"plate","staged":["s1"]}"#, after: [staged]),
    Kind("live call", "POST /api/live", #"{"request_id":"l1","text":"Where is this?"}"#),
  ]

  private func exchange(_ kind: Kind, _ rules: [ScriptRule]) -> Exchange {
    var exchange = Exchange(
      Engine(script: EngineScript(turnTakes: .seconds(5), liveTakes: .seconds(2), rules: rules)) {
        StandInDigest()
      })
    let place = exchange.open()
    for request in kind.before { exchange.receive(request, on: place) }
    _ = exchange.take(place)
    return exchange
  }

  /// What comes of it on a connection of its own, in ten seconds.
  private func send(_ kind: Kind, in exchange: inout Exchange) -> String {
    let place = exchange.open()
    exchange.receive(kind.request, on: place)
    exchange.pass(to: exchange.now + .seconds(10))
    defer { exchange.end(place) }
    return exchange.take(place)
  }

  @Test(arguments: kinds, ScriptedClose.allCases)
  func `wherever it is lost, its repeat finds it stored once, and says when it was before`(
    kind: Kind, way: ScriptedClose
  ) throws {
    var clean = exchange(kind, [])
    let whole = send(kind, in: &clean)
    #expect(whole.contains(#""replayed":false"#))
    // Within the body, and within the answer short of its last byte.
    let places = (0..<20).map { place -> ScriptPhase in
      place < 10
        ? .body(1 + place * (kind.bodyBytes - 1) / 9)
        : .answer(1 + (place - 10) * (whole.utf8.count - 2) / 9)
    }
    for at in places {
      let rule = ScriptRule(
        when: RequestPattern(connection: 2), then: .init(at: at, .close(way)))
      var exchange = exchange(kind, [rule])
      let lost = send(kind, in: &exchange)
      if case .answer(let bytes) = at {
        #expect(Array(lost.utf8) == Array(whole.utf8.prefix(bytes)))
      } else {
        #expect(lost.isEmpty)
      }
      let again = send(kind, in: &exchange)
      #expect(again.hasPrefix("HTTP/1.1 20"))
      #expect(again.contains(#""replayed":\#(at.isStored)"#), "\(at)")
      let tries = exchange.engine.ledger.requests.suffix(2)
      #expect(tries.map(\.stored) == [at.isStored, !at.isStored], "\(at)")
      #expect(tries.map(\.replay) == [false, at.isStored])
      #expect(tries.first?.status == nil && tries.first?.rule == 0)
      #expect(exchange.engine.ledger.duplicates == 0)
    }
  }
}
