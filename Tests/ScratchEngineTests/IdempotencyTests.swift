import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

/// Every route that stores something, against the same rule.
struct IdempotencyTests {
  /// A request under an id, and what it may bring under that id.
  struct Row: Sendable, CustomTestStringConvertible {
    var method: String
    var target: String
    var content: String
    var other: String
    /// What has to be stored before.
    var needs: [Step] = []
    var firstStatus = 201
    /// No body is too much for it.
    var takesAny = false
    var testDescription: String { "\(method) \(target)" }
  }

  struct Step: Sendable {
    var method: String
    var target: String
    var content: String
  }

  private static let path = "/api/moments/\(Talk.moment)"
  private static let record = Step(method: "PUT", target: path, content: Talk.record)
  private static func media(_ id: String, _ role: String) -> Step {
    Step(method: "PUT", target: "\(path)/media/\(id)?role=\(role)", content: "bytes of \(id)")
  }
  private static func staged(_ id: String) -> Step {
    Step(method: "POST", target: "/api/staged-uploads?request_id=\(id)", content: "photo \(id)")
  }

  static let rows = [
    Row(
      method: "PUT", target: path, content: Talk.record,
      other: Talk.record.replacing("A street", with: "A lane")),
    Row(
      method: "PUT", target: "\(path)/media/c1?role=copy", content: "copy", other: "other",
      needs: [record]),
    Row(
      method: "POST", target: "\(path)/turns", content: #"{"request_id":"t1","media_id":"c1"}"#,
      other: #"{"request_id":"t1","media_id":"c2"}"#,
      needs: [record, media("c1", "copy"), media("c2", "copy")], firstStatus: 200),
    Row(
      method: "POST", target: "\(path)/text", content: #"{"request_id":"x1","media_id":"d1"}"#,
      other: #"{"request_id":"x1","media_id":"d2"}"#,
      needs: [record, media("d1", "document"), media("d2", "document")], firstStatus: 200),
    Row(
      method: "POST", target: "/api/staged-uploads?request_id=s1", content: "photo",
      other: "other"),
    Row(
      method: "POST", target: "/api/encounters",
      content: #"{"request_id":"e1","kind":"plate","staged":["s1","s2"]}"#,
      other: #"{"request_id":"e1","kind":"plate","staged":["s2","s1"]}"#,
      needs: [staged("s1"), staged("s2")]),
    Row(
      method: "POST", target: "/api/live", content: #"{"request_id":"l1","text":"hello"}"#,
      other: #"{"request_id":"l1","text":"good-bye"}"#, firstStatus: 200),
    Row(method: "PUT", target: "/files/a", content: "file", other: "other", takesAny: true),
  ]

  private func talk(before row: Row, limits: EngineLimits = EngineLimits()) -> Talk {
    var talk = Talk(limits: limits)
    for step in row.needs {
      #expect(talk.send(step.method, step.target, Array(step.content.utf8))?.status == 201)
    }
    return talk
  }

  @Test(arguments: rows)
  func `the same again is a replay, other content is refused, and the first stays`(row: Row) {
    var talk = talk(before: row)
    let duplicates = talk.ledger.duplicates
    func send(_ content: String) -> ServerAnswer? {
      talk.send(row.method, row.target, Array(content.utf8))
    }
    let first = send(row.content)
    #expect(first?.status == row.firstStatus)
    #expect(first?.text.contains(#""replayed":false"#) == true)
    let replay = first?.text.replacing(#""replayed":false"#, with: #""replayed":true"#)
    for _ in 0..<2 {
      let again = send(row.content)
      #expect(again?.status == 200)
      #expect(again?.text == replay)
      let other = send(row.other)
      #expect(other?.status == 422)
      #expect(other?.text.contains(#""code":"content_differs""#) == true)
    }
    let own = talk.ledger.requests.dropFirst(row.needs.count)
    #expect(own.map(\.stored) == [true, false, false, false, false])
    #expect(own.map(\.replay) == [false, true, false, true, false])
    #expect(talk.ledger.duplicates == duplicates)
  }

  @Test(arguments: rows)
  func `a lost answer is followed by a replay`(row: Row) {
    var talk = talk(before: row)
    let content = Array(row.content.utf8)
    #expect(talk.send(row.method, row.target, content, cut: .beforeAnswer) == nil)
    #expect(
      talk.send(row.method, row.target, content)?.text.contains(#""replayed":true"#) == true)
  }

  @Test(arguments: rows)
  func `a body that is too large is refused, declared or not, and stores nothing`(row: Row) {
    guard !row.takesAny else { return }
    var limits = EngineLimits()
    let needed = row.needs.map(\.content.utf8.count).max() ?? 0
    limits.json = max(needed, row.content.utf8.count) + 100
    limits.media = limits.json
    var talk = talk(before: row, limits: limits)
    let large = Array(row.content.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: limits.json)
    #expect(talk.send(row.method, row.target, large)?.status == 413)
    #expect(talk.send(row.method, row.target, large, framing: .chunked)?.status == 413)
    #expect(talk.send(row.method, row.target, Array(row.content.utf8))?.status == row.firstStatus)
  }
}
