import Reports
import Testing

/// Plates in the virtual world.
struct PlateTests {
  @Test func `a photo that the network cuts is staged again under one id, and met once`() throws {
    let record = try SmallWorld(shipped: "offline-plate").run("after")
    #expect(record.attempts("staged") == [3, 1, 1])
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.files.map(\.photo) == [1, 2, 3, nil, nil])
    // Without the checks of the engine while it was quiet.
    let plate = record.requests.filter { $0.step != nil }.prefix(7)
    #expect(
      plate.map { $0.step ?? "none" }
        == ["staged", "staged", "staged", "staged", "staged", "encounter", "readback"])
    // Cut by the client, stored with a receipt that breaks off, and then known.
    #expect(plate.map(\.status) == [nil, nil, 200, 201, 201, 201, 200])
    #expect(plate.map(\.capture).prefix(5).allSatisfy { $0 == "plate-1" })
    #expect(plate.map(\.photo) == [1, 1, 1, 2, 3, nil, nil])
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 2))
  }

  private let twoPlates = """
    seed: 7
    horizon: 400 s
    link: { up: 61.4 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
    captures:
      - plate: { photos: 2, size: 60 KB }
        at: 0 s
      - plate: { photos: 3, size: 70 KB }
        at: 0.1 s
    engine:
      script:
    SCRIPT
    variants:
      after: { client: outbox, policy: after }

    """

  private func run(_ rules: [String]) throws -> VariantRecord {
    let script = rules.map { "    - \($0)" }.joined(separator: "\n")
    return try SmallWorld(twoPlates.replacing("SCRIPT", with: script)).run("after")
  }

  @Test func `an encounter whose answer is lost is a replay, and its photos are not sent again`()
    throws
  {
    // The connection has been used before: libcurl would repeat by itself at once.
    let record = try run([
      "{ when: { step: encounter, attempt: 1 }, then: { at: { answer: 20 B }, close: end } }"
    ])
    #expect(record.attempts("staged") == [1, 1, 1, 1, 1])
    let encounters = record.requests.filter { $0.step == "encounter" }
    #expect(encounters.map(\.status) == [nil, 200, 201])
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 2))
    #expect(record.finishedAt.map { $0 < 70 } == true)
  }

  @Test func `a photo that is refused parks its plate, and the next one goes on`() throws {
    let record = try run([
      "{ when: { step: staged, body: 65 KB }, times: 1, then: { answer: 413 } }"
    ])
    #expect(record.attempts("staged") == [1, 1, 1, 0, 0])
    #expect(record.parked == 1)
    #expect(record.files.map(\.landed) == [true, true, false, false, false])
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
  }
}
