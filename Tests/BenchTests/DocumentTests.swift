import Reports
import Testing

/// A document and its text, in the virtual world.
struct DocumentTests {
  @Test func `a document is sent once, however often its text is asked for`() throws {
    let record = try SmallWorld(shipped: "document").run("after")
    #expect(record.attempts("document") == [1])
    #expect(record.files.map(\.landed) == [true])
    let steps = record.requests.map { $0.step ?? "none" }
    #expect(steps == ["record", "document", "text", "text", "text", "readback"])
    #expect(record.requests.map(\.status) == [201, 201, 503, nil, 200, 200])
    #expect(record.parked == 0)
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
  }
}
