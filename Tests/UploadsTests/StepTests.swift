import Captures
import FoundationEssentials
import Testing
import Uploads

struct StepTests {
  @Test func `a photo goes record, copy, turn, original, and is read back`() {
    #expect(photoEntry().plan.map(\.name) == [.record, .copy, .turn, .original, .readback])
  }

  @Test func `a document goes record, bytes, text, and is read back`() {
    #expect(documentEntry().plan.map(\.name) == [.record, .document, .text, .readback])
  }

  @Test func `a plate stages its photos one by one, names them together, and is read back`() {
    var entry = plateEntry()
    let order: [StepName] = [.staged(1), .staged(2), .staged(3), .encounter, .readback]
    #expect(entry.plan.map(\.name) == order)
    entry.done = [.staged(1), .staged(3)]
    #expect(entry.next(in: .capture)?.name == .staged(2))
  }

  @Test func `a step of a plate is written with the number of its photo`() throws {
    for step in [StepName.copy, .staged(1), .staged(64), .encounter] {
      #expect(StepName("\(step)") == step)
      #expect(try JSONDecoder().decode(StepName.self, from: JSONEncoder().encode(step)) == step)
    }
    #expect("\(StepName.staged(2))" == "staged-2")
    for text in ["", "staged", "staged-", "staged-0", "staged-01", "staged-x", "copy-1", "step"] {
      #expect(StepName(text) == nil, "\(text)")
    }
  }

  @Test func `the next step is the first that has not landed`() {
    var entry = photoEntry()
    var order: [StepName] = []
    while let step = entry.next(in: .capture) {
      order.append(step.name)
      entry.done.append(step.name)
    }
    #expect(order == [.record, .copy, .turn, .original, .readback])
    entry.done = [.record, .copy, .original]
    #expect(entry.next(in: .capture)?.name == .turn)
  }

  private func request(_ step: PlannedStep, _ entry: OutboxEntry) throws -> OutgoingRequest {
    try StepRequest(for: step, of: entry, in: "/outbox", under: .after).request
  }

  private func text(_ request: OutgoingRequest) -> String? {
    guard case .bytes(let bytes, "application/json") = request.body else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `every request is as the contract has it`() throws {
    let photo = photoEntry()
    let requests = try photo.plan.map { try request($0, photo) }
    #expect(
      requests.map { "\($0.method) \($0.path)" } == [
        "PUT /api/moments/MOMENT",
        "PUT /api/moments/MOMENT/media/COPY?role=copy",
        "POST /api/moments/MOMENT/turns",
        "PUT /api/moments/MOMENT/media/ORIGINAL?role=original",
        "GET /api/moments/MOMENT",
      ])
    #expect(
      text(requests[0])
        == #"{"captured_at":"2026-05-04T19:12:33+02:00","kind":"photo","note":"","#
        + #""place":{"lat":48.8583,"lon":-2.2945},"request_id":"ENTRY","#
        + #""time_zone":"Europe/Paris"}"#)
    #expect(
      requests[1].body
        == .file(path: "/outbox/ENTRY.copy", bytes: 1_650_000, type: "image/jpeg"))
    #expect(text(requests[2]) == #"{"media_id":"COPY","request_id":"TURN"}"#)
    #expect(requests[4].body == .none)

    let document = documentEntry()
    let paper = try document.plan.map { try request($0, document) }
    #expect(paper[1].path == "/api/moments/MOMENT/media/PAPER?role=document")
    #expect(paper[2].path == "/api/moments/MOMENT/text")
    #expect(text(paper[2]) == #"{"media_id":"PAPER","request_id":"TEXT"}"#)
  }

  @Test func `a plate's photos go under their own ids, and the encounter names them`() throws {
    let plate = plateEntry()
    let requests = try plate.plan.map { try request($0, plate) }
    #expect(
      requests.map { "\($0.method) \($0.path)" } == [
        "POST /api/staged-uploads?request_id=PAGE1", "POST /api/staged-uploads?request_id=PAGE2",
        "POST /api/staged-uploads?request_id=PAGE3", "POST /api/encounters",
        "GET /api/encounters?request_id=ENTRY",
      ])
    #expect(
      requests[1].body
        == .file(path: "/outbox/ENTRY.staged-2", bytes: 600_000, type: "image/jpeg"))
    #expect(
      text(requests[3])
        == #"{"captured_at":"2026-05-04T19:12:33+02:00","kind":"plate","note":"","#
        + #""place":{"lat":48.8583,"lon":-2.2945},"request_id":"ENTRY","#
        + #""staged":["PAGE1","PAGE2","PAGE3"],"time_zone":"Europe/Paris"}"#)
  }

  @Test func `an unknown place is left out`() throws {
    var entry = photoEntry()
    entry.place = nil
    #expect(try text(request(.record, entry))?.contains("place") == false)
  }
}
