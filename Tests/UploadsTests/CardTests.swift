import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

/// A web card: what is picked is in memory only, and its user tries again.
struct CardTests {
  private var card: UploadPolicy {
    var policy = UploadPolicy.after
    policy.client = .card
    return policy
  }

  private func bench(_ captures: [ClientBench.Capture] = [.init(name: "photo-1")]) throws
    -> ClientBench
  {
    let bench = try ClientBench(captures)
    bench.engine.setLink { $0.rate = .kilobytes(200) }
    return bench
  }

  @Test func `the photo goes as it was picked, with now as its time and no place`() throws {
    let bench = try bench()
    try bench.run(card, stop: 60, [(1, .save(capture: "photo-1"))])
    #expect(bench.steps == ["record", "original", "turn", "readback"])
    let record = try #require(bench.seen("record").first)
    let text = String(decoding: record.body, as: UTF8.self)
    #expect(text.contains(#""captured_at":"2026-01-01T00:00:01+00:00""#))
    #expect(!text.contains("place"))
    #expect(bench.seen("original").first?.body == bench.files.bytes(of: "/captures/photo-1.jpg"))
    #expect(bench.states("photo-1").last == .done)
    #expect(bench.texts.last == "photo-1: done, the photo is kept by the engine as it was picked")
    // Nothing is written on the device.
    #expect(bench.allNames.isEmpty)
  }

  @Test func `a failure keeps all of it until the user asks again, under the same ids`() throws {
    let bench = try bench()
    bench.engine.setScript { step, attempt in
      step == "original" && attempt == 1 ? HTTPAnswer(status: 503) : nil
    }
    try bench.run(card, stop: 1_000, [(0, .save(capture: "photo-1")), (900, .refresh)])
    #expect(
      bench.texts.contains(
        "photo-1: kept in this page, waits for the engine: HTTP 503 [Send now]"))
    let tries = bench.seen("original")
    // No sync loop comes back by itself.
    #expect(tries.map(\.at.seconds).last == 900)
    #expect(tries.count == 2 && Set(tries.map(\.path)).count == 1)
    #expect(bench.steps == ["record", "original", "original", "turn", "readback"])
    #expect(bench.states("photo-1").last == .done)
  }

  @Test func `a page that is closed has forgotten, and what is picked again is another moment`()
    throws
  {
    let bench = try bench([.init(name: "photo-1", original: 2_000_000)])
    try bench.run(card, stop: 5, [(0, .save(capture: "photo-1"))])
    bench.files.restart()
    try bench.run(card, seed: 8, stop: 100, [])
    #expect(bench.steps == ["record", "original"])
    try bench.run(card, seed: 9, stop: 200, [(101, .save(capture: "photo-1"))])
    #expect(Set(bench.seen("record").map(\.path)).count == 2)
    #expect(bench.states("photo-1").last == .done)
  }

  @Test func `documents and plates go as they were picked, too`() throws {
    let bench = try bench([
      .init(name: "paper", document: 3_000), .init(name: "plate", plate: [4_000, 5_000]),
    ])
    try bench.run(card, stop: 60, [(0, .save(capture: "paper")), (1, .save(capture: "plate"))])
    #expect(
      bench.steps
        == ["record", "document", "text", "readback"]
        + ["staged", "staged", "encounter", "readback"])
    #expect(bench.states("plate").last == .done)
  }

  @Test func `a page holds so many captures, and says so`() throws {
    let files = SimulatedDisk()
    try files.put("/captures/o", [1])
    var memory = CardMemory(
      picking: "/captures", on: files, mint: IdentityMint(random: SeededRandom(seed: 7)),
      digest: { WholeDigest(ClientBench.digest) })
    let draft = CaptureDraft(
      capture: "p", kind: .photo, timeZone: "Etc/UTC",
      files: [.init(step: .original, path: "/captures/o", bytes: 1, type: "image/jpeg")])
    for _ in 0..<CardMemory.entriesMax { _ = try memory.commit(draft, now: .zero) }
    let full = #expect(throws: FileSystemError.self) {
      _ = try memory.commit(draft, now: .zero)
    }
    #expect(
      full?.description
        == "/captures: the page holds 1000 captures already; send some first")
  }
}
