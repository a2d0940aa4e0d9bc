import Captures
import EngineServer
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// Real photos through real sockets: what the engine makes of them.
@Suite(.timeLimit(.minutes(1)))
struct PhotoServingTests {
  private static let made = Result {
    try CaptureMaker(seed: 54).make(
      CapturePlan(
        name: "p",
        kind: .photo(
          PhotoPlan(
            original: ByteCount(120_000), copy: ByteCount(60_000),
            taken: "2025-12-31T23:59:59+05:45",
            place: Place(latitude: -33.8568, longitude: 151.2153)
          ))))
  }

  @Test func `a photo's own time and place come back, and a copy of it without them`() throws {
    let files = try Self.made.get().files
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let path = ServerFixture.path
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    for (id, role, file) in [("c1", "copy", files[1]), ("o1", "original", files[0])] {
      talk.send("PUT", "\(path)/media/\(id)?role=\(role)", file.bytes)
      #expect(talk.receive()?.status == 201)
      let record = talk.ask("GET", path)?.body ?? ""
      #expect(
        record.contains(
          #""captured_at":"2025-12-31T23:59:59+05:45","captured_at_source":"camera""#))
      #expect(
        record.contains(#""place":{"lat":-33.8568,"lon":151.2153},"place_source":"camera""#))
    }
    for kind in DerivedCopy.allCases {
      let expected = try JPEGReader().copy(kind, of: files[0].bytes)
      let answer = talk.ask("HEAD", "\(path)/media/o1?as=\(kind.rawValue)")
      #expect(answer?.fields["Content-Length"] == "\(expected.count)")
      #expect(answer?.fields["Content-Type"] == "image/jpeg")
      let facts = PhotoFacts(jpeg: expected)
      #expect(facts.capturedAt == nil && facts.place == nil && facts.orientation == nil)
      #expect(facts.width == kind.longEdge || kind == .display)
    }
    // Nothing of it was stored: the ledger holds the two files.
    #expect(try server.ledger().files.map(\.storedBytes) == [60_000, 120_000])
  }
}
