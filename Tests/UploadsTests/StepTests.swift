import Captures
import Testing
import Uploads

struct StepTests {
  @Test func `a photo goes record, copy, turn, original, and is read back`() {
    #expect(photoEntry().plan.map(\.name) == [.record, .copy, .turn, .original, .readback])
  }

  @Test func `a document goes record, bytes, text, and is read back`() {
    #expect(documentEntry().plan.map(\.name) == [.record, .document, .text, .readback])
  }

  @Test func `the next step is the first that has not landed`() {
    var entry = photoEntry()
    var order: [UploadStep] = []
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

  @Test func `an unknown place is left out`() throws {
    var entry = photoEntry()
    entry.place = nil
    #expect(try text(request(.record, entry))?.contains("place") == false)
  }
}
