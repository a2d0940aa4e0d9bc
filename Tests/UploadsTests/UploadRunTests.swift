import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

struct UploadRunTests {
  private let allSteps = ["record", "copy", "turn", "original", "readback"]

  private func fast(_ bench: ClientBench) {
    bench.engine.setLink { $0.rate = .kilobytes(200) }
  }

  @Test func `a photo is kept, sent in its order, read back, and forgotten`() throws {
    let bench = try ClientBench()
    fast(bench)
    try bench.run(.after, stop: 60, [(0, .save(capture: "photo-1"))])
    #expect(bench.steps == allSteps)
    #expect(bench.states("photo-1") == [.kept, .waiting, .sending, .done])
    #expect(bench.outboxNames == ["lock"])
    #expect(bench.texts.last == "photo-1: done, the photo is kept by the engine in both sizes")
    let original = try #require(bench.seen("original").first)
    let path = try #require(original.path.split(separator: "?").first)
    #expect(bench.engine.stored(String(path)) == bench.files.bytes(of: "/captures/photo-1.jpg"))
    // The receipt of the original ends the sending; the check comes after it.
    let finished = try #require(bench.landed(.original, of: "photo-1"))
    #expect(finished < (try #require(bench.landed(.readback, of: "photo-1"))))
    // 0.165 MB and 0.431 MB at 200 KB/s, four round trips, a turn of 5 s, and 260 bytes of JSON.
    #expect(abs(finished - (0.825 + 2.155 + 0.8 + 5)) < 0.002)
  }

  @Test func `a line stands before the first request goes out`() throws {
    let bench = try ClientBench()
    bench.engine.setLink { $0.isOffline = true }
    try bench.run(.after, stop: 1, [(0, .save(capture: "photo-1"))])
    #expect(bench.texts.first == "photo-1: kept, next in line")
    #expect(
      bench.texts.contains(
        "photo-1: kept, waits for the engine: no connection: the network is unreachable "
          + "[Send now]"))
  }

  @Test func `no network, then network: the same ids, once`() throws {
    let bench = try ClientBench()
    bench.engine.setLink { $0.isOffline = true }
    bench.time.at(Instant(seconds: 100)) { bench.engine.setLink { $0.isOffline = false } }
    try bench.run(.after, stop: 300, [(0, .save(capture: "photo-1"))])
    // One try at once and one by the sync loop, both without a network; then the third.
    #expect(bench.steps == ["record", "record"] + allSteps)
    #expect(Set(bench.seen("record").map(\.path)).count == 1)
    #expect(Set(bench.seen("record").map(\.body)).count == 1)
    #expect(bench.seen("record").map(\.at.seconds) == [0, 60, 120])
    #expect(bench.engine.storedPaths.count == 4)
    #expect(bench.engine.replays.isEmpty)
    #expect(bench.states("photo-1").last == .done)
  }

  @Test func `two captures in a row: one moment, one copy, one original each, of its own bytes`()
    throws
  {
    let bench = try ClientBench([.init(name: "a", copy: 50_000), .init(name: "b", copy: 51_000)])
    fast(bench)
    try bench.run(.after, stop: 100, [(0, .save(capture: "a")), (0, .save(capture: "b"))])
    for name in ["record", "copy", "turn", "original", "readback"] {
      #expect(bench.seen(name).count == 2, "\(name)")
    }
    let saved = bench.reports.values.compactMap { _, report -> (String, String)? in
      if case .saved(let capture, let moment, _) = report { (capture, moment) } else { nil }
    }
    #expect(saved.map(\.0) == ["a", "b"])
    for (capture, moment) in saved {
      for (step, file) in [("copy", "\(capture)-copy.jpg"), ("original", "\(capture).jpg")] {
        let sent = bench.seen(step).filter { $0.path.contains(moment) }
        #expect(sent.count == 1)
        #expect(sent.first?.body == bench.files.bytes(of: "/captures/\(file)"))
      }
    }
  }

  @Test func `a capture that no camera dated has the wall clock's time, however that jumps`() throws
  {
    let bench = try ClientBench([
      .init(name: "a", document: 1_000), .init(name: "b", document: 1_000),
      .init(name: "c", document: 1_000), .init(name: "d", document: 1_000),
    ])
    fast(bench)
    try bench.run(
      .after, stop: 100,
      [
        (0, .save(capture: "a")), (10, .wallClock(ahead: .seconds(-3_600))),
        (11, .save(capture: "b")), (12, .wallClock(ahead: .seconds(315_360_000))),
        (13, .save(capture: "c")), (14, .wallClock(ahead: .seconds(-2_000_000_000))),
        (15, .save(capture: "d")),
      ])
    let dates = bench.seen("record").map { record in
      String(decoding: record.body, as: UTF8.self).split(separator: "\"")
        .drop { $0 != "captured_at" }.dropFirst(2).first.map(String.init)
    }
    #expect(
      dates == [
        "2026-01-01T00:00:00+00:00", "2025-12-31T23:00:11+00:00", "2035-12-30T00:00:13+00:00",
        "1962-08-16T20:26:55+00:00",
      ])
    #expect(bench.engine.storedPaths.count == 12)
  }

  @Test func `a turn answered 503 costs one turn; the next pass goes on from there`() throws {
    let bench = try ClientBench()
    fast(bench)
    bench.engine.setScript { step, attempt in
      step == "turn" && attempt == 1 ? HTTPAnswer(status: 503) : nil
    }
    try bench.run(.after, stop: 200, [(0, .save(capture: "photo-1"))])
    #expect(bench.steps == ["record", "copy", "turn", "turn", "original", "readback"])
    let turns = bench.seen("turn")
    #expect(Set(turns.map(\.body)).count == 1)
    let failed = try #require(turns[0].endedAt)
    #expect(turns[1].at == failed + .seconds(60))
    #expect(
      bench.states("photo-1") == [.kept, .waiting, .sending, .kept, .waiting, .sending, .done])
    #expect(bench.texts.contains("photo-1: kept, waits for the engine: HTTP 503 [Send now]"))
  }

  @Test func `a refused capture is parked with the reason, and the pass goes on`() throws {
    let bench = try ClientBench([.init(name: "a"), .init(name: "b")])
    fast(bench)
    bench.engine.setScript { step, attempt in
      let body = #"{"error":{"code":"no","message":"It is not a photo."}}"#
      return step == "record" && attempt == 1
        ? HTTPAnswer(status: 422, body: Array(body.utf8)) : nil
    }
    try bench.run(.after, stop: 200, [(0, .save(capture: "a")), (0, .save(capture: "b"))])
    #expect(bench.steps == ["record"] + allSteps)
    #expect(bench.states("a").last == .parked)
    #expect(bench.states("b").last == .done)
    #expect(bench.texts.contains("a: Refused: It is not a photo. (HTTP 422) [Send now, Discard]"))
    // It is kept, it stays refused in a later run, and nothing is sent by itself.
    #expect(bench.outboxNames.count == 4)
    bench.files.restart()
    try bench.run(.after, stop: 400, [])
    #expect(bench.steps.count == 6)
  }

  @Test func `an engine that asks for time is given it`() throws {
    let bench = try ClientBench()
    fast(bench)
    bench.engine.setScript { step, attempt in
      step == "record" && attempt == 1
        ? HTTPAnswer(status: 429, headers: [HTTPField("Retry-After", "90")]) : nil
    }
    try bench.run(.after, stop: 200, [(0, .save(capture: "photo-1")), (30, .refresh)])
    let records = bench.seen("record").map(\.at.seconds)
    // The refresh at 30 s is before its time, and so is the sync loop 60 s after that.
    #expect(records.count == 2)
    #expect(records[1] >= 90.2)
    #expect(
      bench.texts.contains(
        "photo-1: kept, waits for the engine: HTTP 429, to be tried again after 90 s [Send now]"))
  }

  @Test(arguments: [UploadPolicy.before, .after])
  func `a capture saved during a pass waits 60 s after it before, and no time after`(
    policy: UploadPolicy
  ) throws {
    let bench = try ClientBench([.init(name: "a"), .init(name: "b")])
    fast(bench)
    try bench.run(policy, stop: 300, [(0, .save(capture: "a")), (2, .save(capture: "b"))])
    let first = try #require(bench.landed(.readback, of: "a"))
    let second = try #require(bench.seen("record").last)
    #expect(bench.seen("record").count == 2)
    let waited = second.at.seconds - first
    #expect(abs(waited - (policy.coalescing ? 0 : 60)) < 1e-6)
  }

  @Test func `a drain asked for during a pass that fails is dropped with it`() throws {
    let bench = try ClientBench()
    fast(bench)
    bench.engine.setScript { step, attempt in
      step == "turn" && attempt == 1 ? HTTPAnswer(status: 503) : nil
    }
    try bench.run(.after, stop: 200, [(0, .save(capture: "photo-1")), (3, .refresh)])
    let turns = bench.seen("turn")
    #expect(turns[1].at == (try #require(turns[0].endedAt)) + .seconds(60))
  }

  @Test func `five triggers during a pass are one further pass`() throws {
    let bench = try ClientBench()
    fast(bench)
    try bench.run(
      .after, stop: 50,
      [(0, .save(capture: "photo-1"))] + (0..<5).map { (1 + Double($0) / 10, .refresh) })
    let passes = bench.reports.values.filter { $0.report == .passed }
    #expect(passes.count == 2)
    #expect(passes.first?.at == passes.last?.at)
    #expect(bench.steps == allSteps)
  }

  @Test(arguments: UploadPolicy.Cut.allCases)
  func `the idle limit cuts at the predicted instant, in the way of the policy`(
    cut: UploadPolicy.Cut
  ) throws {
    let bench = try ClientBench([.init(name: "photo-1", copy: 1_650_000)])
    bench.engine.setLink { $0.holdsAfter = 464_000 }
    var policy = UploadPolicy.after
    policy.cut = cut
    try bench.run(policy, stop: 200, [(0, .save(capture: "photo-1"))])
    let copy = try #require(bench.seen("copy").first)
    // 64 KB at once, 400 KB at 20 KB/s, and 120 s without a byte.
    #expect(copy.endedAt == copy.at + .seconds(140))
    #expect(copy.cut == cut)
    #expect(
      bench.texts.contains(
        "photo-1: kept, waits for the engine: no byte moved for 120 s [Send now]"))
  }

  @Test func `a stopped client cuts what is in flight and ends at once`() throws {
    let bench = try ClientBench([.init(name: "photo-1", copy: 1_650_000)])
    try bench.run(.after, stop: 20.25, [(0, .save(capture: "photo-1"))])
    #expect(bench.time.now == Instant(seconds: 20.25))
    let copy = try #require(bench.seen("copy").first)
    #expect(copy.cut == .reset)
    #expect(copy.endedAt == Instant(seconds: 20.25))
    #expect(bench.states("photo-1").last == .kept)
  }

  @Test func `started again, it recovers, and repeats only what had not landed`() throws {
    let bench = try ClientBench([.init(name: "photo-1", copy: 1_650_000)])
    try bench.run(.after, stop: 20, [(0, .save(capture: "photo-1"))])
    bench.files.restart()
    try bench.run(.after, stop: 300, [])
    #expect(bench.steps == ["record", "copy", "copy", "turn", "original", "readback"])
    #expect(bench.seen("copy").last?.at == Instant(seconds: 20))
    #expect(Set(bench.seen("copy").map(\.path)).count == 1)
    #expect(bench.outboxNames == ["lock"])
  }

  @Test func `an empty outbox starts no pass of its own`() throws {
    let bench = try ClientBench()
    try bench.run(.after, stop: 59, [])
    #expect(!bench.reports.values.contains { $0.report == .passed })
    #expect(bench.engine.seen.isEmpty)
  }

  @Test func `a landed step that could not be written down is sent again as a replay`() throws {
    let bench = try ClientBench([.init(name: "photo-1", copy: 1_650_000)])
    bench.time.at(Instant(seconds: 0.1)) {
      bench.files.plan(DiskFault(.failsForGood(.noSpace), atCall: 0))
    }
    try bench.run(.after, stop: 20, [(0, .save(capture: "photo-1"))])
    bench.files.restart()
    try bench.run(.after, stop: 300, [])
    #expect(bench.seen("record").count == 2)
    #expect(bench.engine.replays.count == 1)
    #expect(bench.engine.storedPaths.count == 4)
    #expect(bench.states("photo-1").last == .done)
  }

  @Test func `a disk that dies at any call loses no capture that was saved`() throws {
    var refused = 0
    for call in 0..<40 {
      let bench = try ClientBench()
      fast(bench)
      bench.time.at(Instant(seconds: 0.5)) {
        bench.files.plan(DiskFault(.failsForGood(.noSpace), atCall: call))
      }
      try bench.run(.after, stop: 60, [(1, .save(capture: "photo-1"))])
      if bench.texts.contains(where: { $0.hasPrefix("Not saved on this device") }) {
        refused += 1
        #expect(bench.engine.seen.isEmpty, "call \(call)")
      }
      bench.files.restart()
      try bench.run(.after, stop: 200, [])
      // Call 8 is the sync after the rename: a disk that then dies keeps a whole record that could
      // not be taken back. It may be sent, but never in part and never twice.
      #expect(bench.engine.storedPaths.count == (call < 8 ? 0 : 4), "call \(call)")
      #expect(bench.outboxNames == ["lock"], "call \(call)")
    }
    #expect(refused == 9)
  }

  @Test func `connections that break at any time cost time, and nothing else`() throws {
    for tenths in 0..<90 {
      let bench = try ClientBench()
      fast(bench)
      bench.time.at(Instant(seconds: Double(tenths) / 10)) { bench.engine.breakConnections() }
      try bench.run(.after, stop: 200, [(0, .save(capture: "photo-1"))])
      #expect(bench.engine.storedPaths.count == 4, "broken at \(tenths) tenths")
      #expect(bench.engine.steps.count <= 6, "broken at \(tenths) tenths")
      #expect(bench.states("photo-1").last == .done, "broken at \(tenths) tenths")
      #expect(bench.outboxNames == ["lock"], "broken at \(tenths) tenths")
    }
  }

  @Test func `a repeat by the transport itself is an attempt like any other`() throws {
    let bench = try ClientBench()
    fast(bench)
    bench.engine.setLink { $0.isStale = true }
    try bench.run(.after, stop: 60, [(0, .save(capture: "photo-1"))])
    let copies = bench.reports.values.map(\.report).filter { report in
      switch report {
      case .began(_, .copy, _), .ended(_, .copy, _, _, _): true
      default: false
      }
    }
    #expect(
      copies == [
        .began(capture: "photo-1", step: .copy, attempt: 1),
        .ended(
          capture: "photo-1", step: .copy, attempt: 1, counted: 0,
          outcome: "repeated by the transport"),
        .began(capture: "photo-1", step: .copy, attempt: 2),
        .ended(
          capture: "photo-1", step: .copy, attempt: 2, counted: 165_000, outcome: "landed"),
      ])
  }

  @Test func `what cannot be saved is said, and leaves nothing`() throws {
    let bench = try ClientBench()
    bench.time.at(Instant(seconds: 1)) { bench.files.plan(DiskFault(.fails(.noSpace), atCall: 3)) }
    try bench.run(
      .after, stop: 5, [(0, .save(capture: "photo-9")), (2, .save(capture: "photo-1"))])
    #expect(
      bench.texts.first
        == "Not saved on this device: no capture is named \"photo-9\" in /captures; there are: "
        + "photo-1")
    #expect(bench.texts.count == 2)
    #expect(bench.texts.last?.hasPrefix("Not saved on this device: /outbox/") == true)
    #expect(bench.texts.last?.hasSuffix(": the disk is full") == true)
    #expect(bench.outboxNames == ["lock"])
    #expect(bench.engine.seen.isEmpty)
  }

  @Test func `a quiet upload asks the link, then the engine, and never the engine of a dead link`()
    throws
  {
    let bench = try ClientBench([.init(name: "photo-1", copy: 1_650_000)])
    bench.engine.setLink { $0.holdsAfter = 464_000 }
    try bench.run(
      .after, stop: 100, [(0, .save(capture: "photo-1")), (41, .link(.down))])
    // The copy moves for 20 s. A check 5 s later is answered in a round trip, one comes 15 s after
    // its answer, and none once the link is known to be down.
    let copy = try #require(bench.seen("copy").first)
    #expect(
      bench.seen("health").map(\.at)
        == [copy.at + .seconds(25), copy.at + .milliseconds(40_200)])
    #expect(
      bench.texts.contains { $0.hasSuffix("the link is up, the engine answers (checked 3 s ago)") })
    #expect(bench.texts.contains { $0.hasSuffix("the link is down (checked 3 s ago)") })
  }

  @Test func `the same seed gives the same run, line by line`() throws {
    func run() throws -> [String] {
      let bench = try ClientBench([.init(name: "a"), .init(name: "b")])
      try bench.run(.after, stop: 100, [(0, .save(capture: "a")), (5, .save(capture: "b"))])
      return bench.lines.values.map { "\($0.at.seconds) \($0.text)" }
        + bench.engine.seen.map { "\($0.at.seconds) \($0.path)" }
    }
    let first = try run()
    #expect(first.count > 100)
    #expect(try run() == first)
  }
}
