import Bench
import Quantities
import Reports
import Testing

/// What a client counts that has a large send buffer of its own, and one behind a large buffer of the
/// path: where the bytes are acknowledged before they have crossed, no client can know.
struct CountingTests {
  private func world(buffer: String, sendBuffer: String) throws -> SmallWorld {
    try SmallWorld(
      """
      seed: 7
      horizon: 200 s
      link: { up: 12 KB/s, down: 200 KB/s, latency: 100 ms, buffer: \(buffer) }
      captures:
        - { document: 900 KB, at: 0 s }
      variants:
        handed: { client: outbox, policy: after, idle: 60 s, send-buffer: \(sendBuffer) }
        acknowledged:
          client: outbox
          policy: after
          idle: 60 s
          send-buffer: \(sendBuffer)
          counting: acknowledged
      """)
  }

  @Test func `with a large send buffer of its own only the acknowledged count is of the link`()
    throws
  {
    func record(_ name: String) throws -> VariantRecord {
      try world(buffer: "64 KB", sendBuffer: "4 MB").run(name)
    }
    let handed = try record("handed")
    #expect(handed.attempts("document") == [2] && !handed.files[0].landed)
    #expect(handed.honesty?.worstMegabytes == 0.9 && handed.statusLines.live == 1)
    let acknowledged = try record("acknowledged")
    #expect(acknowledged.attempts("document") == [1] && acknowledged.files[0].landed)
    #expect(acknowledged.honesty?.worstMegabytes ?? 9 < 0.01)
    #expect(acknowledged.statusLines.live > 60)
    for record in [handed, acknowledged] { #expect(record.honesty?.findings == []) }
  }

  @Test func `what the path has acknowledged counts in either way`() throws {
    for name in ["handed", "acknowledged"] {
      let record = try world(buffer: "800 KB", sendBuffer: "16 KB").run(name)
      // The last byte is counted after some 10 s, the limit passes 60 s later, and the link takes 75 s.
      #expect(record.attempts("document") == [2])
      let ahead = try #require(record.honesty?.worstMegabytes)
      // 16 KB of its own kernel are some 22 KB.
      #expect(ahead > (name == "handed" ? 0.79 : 0.76) && ahead < 0.81)
      #expect(record.honesty?.findings == [])
    }
  }
}
