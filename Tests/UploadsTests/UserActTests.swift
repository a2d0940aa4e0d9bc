import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

/// What the user does with an entry by hand.
struct UserActTests {
  private let allSteps = ["record", "copy", "turn", "original", "readback"]

  private func refusal(_ status: Int) -> HTTPAnswer {
    let body = #"{"error":{"code":"no","message":"No."}}"#
    return HTTPAnswer(status: status, body: Array(body.utf8))
  }

  /// `step` of the first capture is refused the first time.
  private func refused(_ step: String, with status: Int, in captures: [String] = ["photo-1"])
    throws -> ClientBench
  {
    let bench = try ClientBench(captures.map { .init(name: $0) })
    bench.engine.setLink { $0.rate = .kilobytes(200) }
    let answer = refusal(status)
    bench.engine.setScript { $0 == step && $1 == 1 ? answer : nil }
    return bench
  }

  @Test(arguments: ["record", "copy", "original"])
  func `a refused entry that is sent now lands under the ids that it had`(step: String) throws {
    let bench = try refused(step, with: 400)
    try bench.run(
      .after, stop: 200, [(0, .save(capture: "photo-1")), (100.5, .sendNow("photo-1"))])
    let tries = bench.seen(step)
    #expect(tries.count == 2)
    #expect(Set(tries.map(\.path)).count == 1 && Set(tries.map(\.body)).count == 1)
    // At once, and not with the sync loop; nothing that had landed is sent again.
    #expect(tries.last?.at == Instant(seconds: 100.5))
    #expect(bench.steps.count == 6)
    #expect(bench.texts.contains("photo-1: Refused: No. (HTTP 400) [Send now, Discard]"))
    #expect(bench.states("photo-1").last == .done)
    #expect(bench.outboxNames == ["lock"])
  }

  @Test func `a send that is asked for survives the end of the client`() throws {
    let bench = try refused("copy", with: 422)
    try bench.run(.after, stop: 50, [(0, .save(capture: "photo-1"))])
    bench.engine.setLink { $0.isOffline = true }
    bench.files.restart()
    try bench.run(.after, stop: 60, [(55, .sendNow("photo-1"))])
    bench.engine.setLink { $0.isOffline = false }
    bench.files.restart()
    try bench.run(.after, stop: 100, [])
    #expect(bench.states("photo-1").last == .done)
    #expect(bench.outboxNames == ["lock"])
  }

  @Test(arguments: [
    (413, "copy", "[Discard]"), (415, "original", "[Discard]"), (422, "original", "[Discard]"),
    (422, "record", "[Send now, Discard]"), (404, "copy", "[Send now, Discard]"),
    (413, "turn", "[Send now, Discard]"),
  ])
  func `the refusal of a file offers no retry, any other one does`(
    status: Int, step: String, offers: String
  ) throws {
    let bench = try refused(step, with: status)
    try bench.run(.after, stop: 50, [(0, .save(capture: "photo-1"))])
    #expect(bench.texts.last == "photo-1: Refused: No. (HTTP \(status)) \(offers)")
    // The same after a start.
    bench.files.restart()
    try bench.run(.after, stop: 60, [])
    #expect(bench.texts.last == "photo-1: Refused: No. (HTTP \(status)) \(offers)")
  }

  @Test func `a refused entry that is discarded leaves nothing, and the others alone`() throws {
    let bench = try refused("copy", with: 422, in: ["a", "b"])
    try bench.run(
      .after, stop: 100,
      [(0, .save(capture: "a")), (0, .save(capture: "b")), (50, .discard("a"))])
    #expect(bench.states("a") == [.kept, .waiting, .sending, .parked, .discarded])
    #expect(bench.states("b").last == .done)
    #expect(bench.texts.last == "a: discarded, no longer kept on this device")
    #expect(bench.outboxNames == ["lock"])
  }

  @Test func `an entry that is discarded while it is being sent is cut, and the pass goes on`()
    throws
  {
    let bench = try ClientBench([.init(name: "a", copy: 1_650_000), .init(name: "b")])
    try bench.run(
      .after, stop: 100,
      [(0, .save(capture: "a")), (0, .save(capture: "b")), (20, .discard("a"))])
    let copy = try #require(bench.seen("copy").first)
    #expect(copy.cut == .reset && copy.endedAt == Instant(seconds: 20))
    #expect(bench.seen("record").last?.at == Instant(seconds: 20))
    #expect(bench.states("a").last == .discarded)
    #expect(bench.states("b").last == .done)
    let ends = bench.reports.values.compactMap { _, report -> String? in
      if case .ended("a", .copy, _, _, let outcome) = report { outcome } else { nil }
    }
    #expect(ends == ["discarded"])
    #expect(bench.outboxNames == ["lock"])
  }

  @Test func `whenever an entry is discarded, no record and no file of it stays`() throws {
    for tenth in 1...95 {
      let bench = try ClientBench([.init(name: "a"), .init(name: "b")])
      bench.engine.setLink { $0.rate = .kilobytes(200) }
      // Fails once, so that some of the times are between two passes.
      bench.engine.setScript { $0 == "turn" && $1 == 1 ? HTTPAnswer(status: 503) : nil }
      try bench.run(
        .after, stop: 120,
        [
          (0, .save(capture: "a")), (0, .save(capture: "b")),
          (Double(tenth) / 10, .discard("a")),
        ])
      #expect(bench.states("a").last == .discarded, "\(tenth)")
      #expect(bench.states("b").last == .done, "\(tenth)")
      #expect(bench.outboxNames == ["lock"], "\(tenth)")
      let began = bench.reports.values.count { if case .began = $1 { true } else { false } }
      #expect(began == bench.engine.steps.count, "\(tenth)")
    }
  }

  @Test func `a client that ends in the middle of a discard leaves files, and those are swept`()
    throws
  {
    // The calls are: the record is removed, the folder synced, and each file removed.
    for call in 0..<4 {
      let bench = try refused("record", with: 422)
      bench.time.at(Instant(seconds: 9)) { bench.plan(DiskFault(.ends(.before), atCall: call)) }
      try bench.run(.after, stop: 50, [(0, .save(capture: "photo-1")), (10, .discard("photo-1"))])
      #expect(bench.hasEnded)
      bench.files.restart()
      try bench.run(.after, stop: 100, [])
      let isKept = bench.outboxNames != ["lock"]
      #expect(isKept == (call == 0), "call \(call)")
      #expect(bench.steps == ["record"])
    }
  }

  @Test func `a record that cannot be removed is said, and stays as it was`() throws {
    let bench = try refused("record", with: 422)
    bench.time.at(Instant(seconds: 9)) {
      bench.files.plan(DiskFault(.fails(.notPermitted), atCall: 0))
    }
    try bench.run(
      .after, stop: 50,
      [(0, .save(capture: "photo-1")), (10, .discard("photo-1")), (20, .sendNow("photo-1"))])
    #expect(
      bench.texts.contains {
        $0.hasPrefix("Not discarded on this device: photo-1: /outbox/")
          && $0.hasSuffix("not permitted")
      })
    #expect(bench.states("photo-1").last == .done)
  }

  @Test func `a file that has changed since it was saved is told in words, once`() throws {
    let bench = try ClientBench()
    bench.engine.setLink { $0.rate = .kilobytes(200) }
    bench.time.at(Instant(seconds: 0.5)) {
      let copy = bench.files.paths.first { $0.hasPrefix("/outbox/") && $0.hasSuffix(".copy") } ?? ""
      try? bench.files.put(copy, [UInt8](repeating: 9, count: 165_000))
    }
    bench.engine.setScript { $0 == "record" && $1 == 1 ? HTTPAnswer(status: 503) : nil }
    try bench.run(.after, stop: 300, [(0, .save(capture: "photo-1"))])
    #expect(bench.seen("copy").count == 1)
    #expect(
      bench.texts.last
        == "photo-1: Cannot be sent: its file has changed on this device since it was saved [Discard]"
    )
  }

  @Test func `an act on an entry that is not there does nothing, and is obeyed`() throws {
    let bench = try ClientBench()
    try bench.run(.after, stop: 5, [(1, .discard("photo-9")), (2, .sendNow("photo-9"))])
    #expect(bench.reports.values.count { $0.report == .obeyed } == 2)
    #expect(bench.texts.isEmpty && bench.engine.seen.isEmpty)
  }

  @Test func `of an entry that was discarded the four labels show nothing more`() throws {
    let bench = try ClientBench([.init(name: "photo-1", copy: 1_650_000)])
    try bench.run(.before, stop: 30, [(0, .save(capture: "photo-1")), (20, .discard("photo-1"))])
    #expect(bench.texts.last == "Sending")
    #expect(bench.outboxNames == ["lock"])
  }
}
