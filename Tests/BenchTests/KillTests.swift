import Bench
import Quantities
import Reports
import Scenarios
import Testing

private let photo = "{ photo: { original: 300 KB, copy: 100 KB }, at: 0 s }"
/// Done after 30 s or so; the second is saved while the first is being sent, the third as well.
private let three = """
  { photo: { original: 150 KB, copy: 50 KB }, at: 0 s }, \
  { photo: { original: 60 KB, copy: 20 KB }, at: 3 s }, \
  { photo: { original: 60 KB, copy: 30 KB }, at: 9 s }
  """

private func world(_ acts: String, captures: String = photo) throws -> SmallWorld {
  try SmallWorld(
    """
    seed: 7
    horizon: 240 s
    link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
    captures: [\(captures)]
    engine: { turn: { takes: 5 s } }
    acts: [\(acts)]
    variants:
      before: { client: outbox, policy: before }
      after: { client: outbox, policy: after }
    """)
}

extension SmallWorld {
  /// What is left of the outbox, beside the device's copies of what was sent.
  fileprivate var outbox: [String] {
    let paths = disk.paths.filter { $0.hasPrefix("/outbox/") }
    let copies = paths.filter { $0.hasSuffix(".json.kept") }
      .map { $0.dropLast(".json.kept".count).suffix(26) }
    return paths.filter { path in !copies.contains { path.contains($0) } }
  }
}

/// What a kill leaves behind, and what a start makes of it.
struct KillTests {

  @Test func `a killed client does nothing more, and its kernel delivers what it took`() throws {
    let record = try world("{ at: 2 s, do: kill }").run("after")
    #expect(record.outcome == .horizon)
    #expect(record.requests.map(\.step) == ["record", "copy"])
    #expect(record.files.allSatisfy { !$0.landed })
    // 2 s less two calls' time at 20 KB/s had left, and 64 KB more had been taken in.
    let delivered = try #require(record.requests.last?.bodyBytes)
    #expect((95_000...100_000).contains(delivered))
    #expect(record.statusLines.lines.allSatisfy { $0.last <= 2 })
    #expect(record.instrument.discarded == 0)
    #expect(record.exactlyOnce.lost == 0)
  }

  @Test func `what was half sent is resumed after a start, and nothing is held twice`() throws {
    let record = try world("{ at: 10 s, do: kill }, { at: 20 s, do: start }").run("after")
    #expect(record.outcome == .finished)
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.attempts("copy") == [1])
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    #expect(record.requests.allSatisfy { $0.at < 10 || $0.at >= 20 })
  }

  @Test(arguments: 1...12)
  func `a kill at any time loses nothing`(quarter: Int) throws {
    let at = Double(quarter) * 2.1
    let record = try world("{ at: \(at) s, do: kill }, { at: \(at + 1) s, do: start }")
      .run("after")
    #expect(record.files.allSatisfy { $0.landed })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
  }

  @Test func `a client that cannot go on ends the run, and it is said how`() throws {
    let world = try world("")
    try world.disk.put("/outbox", [])
    let record = try world.run("after")
    #expect(record.outcome == .clientEnded)
    #expect(record.clientEnd == "with exit status 1: /outbox: it exists already")
  }

  @Test func `a capture saved while the client is dead is saved at the start`() throws {
    var world = try world("{ at: 1 s, do: kill }, { at: 5 s, do: start }")
    world.scenario.captures[0].at = Instant(seconds: 2)
    let record = try world.run("after")
    #expect(record.files.allSatisfy { $0.landed })
    let first = try #require(record.requests.first)
    #expect(first.at >= 5)
  }
}

/// What a loss of power leaves behind: less than a kill does.
struct PowerLossTests {
  @Test func `a device without power falls silent: no end, no reset, and nothing more`() throws {
    let record = try world("{ at: 2 s, do: power-loss }").run("after")
    #expect(record.outcome == .horizon)
    #expect(record.requests.map(\.step) == ["record", "copy"])
    #expect(record.requests.last?.end == "open")
    // What the path had taken in still crosses, as after a kill.
    let delivered = try #require(record.requests.last?.bodyBytes)
    #expect((95_000...100_000).contains(delivered))
    #expect(record.statusLines.lines.allSatisfy { $0.last <= 2 })
    #expect(record.instrument.takenIn == record.instrument.carried)
    #expect(record.exactlyOnce.lost == 0)
  }

  @Test(arguments: ["before", "after"])
  func `a loss of power at any time loses nothing that was kept`(policy: String) throws {
    for half in 1...70 {
      let at = Double(half) / 2
      // At these instants a capture is saved, which is another test.
      if at == 3 || at == 9 { continue }
      let world = try world(
        "{ at: \(at) s, do: power-loss }, { at: \(at + 0.4) s, do: start }", captures: three)
      let record = try world.run(policy)
      #expect(record.outcome == .finished, "\(at)")
      #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true }, "\(at)")
      #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 3), "\(at)")
      #expect(world.outbox == ["/outbox/lock"], "\(at)")
    }
  }

  @Test func `a loss of power within a commit keeps the capture whole, or leaves nothing of it`()
    throws
  {
    var (whole, gone) = (0, 0)
    for seed in 1...UInt64(40) {
      var world = try world(
        "{ at: 3 s, do: power-loss }, { at: 4 s, do: start }",
        captures: three)
      world.scenario.seed = seed
      let record = try world.run("after")
      let isWhole = try #require(record.files.last { $0.capture == "photo-2" }).landed
      #expect(record.files.allSatisfy { $0.landed == ($0.capture != "photo-2" || isWhole) })
      #expect(record.files.allSatisfy { $0.sha256Matches != false })
      #expect(record.exactlyOnce == ExactlyOnceRecord(moments: isWhole ? 3 : 2))
      #expect(world.outbox == ["/outbox/lock"], "\(seed)")
      if isWhole { whole += 1 } else { gone += 1 }
    }
    #expect(whole >= 5 && gone >= 5)
  }

  @Test func `the same seed loses the same, and a killed client's writes are lost as well`() throws
  {
    let acts =
      "{ at: 3 s, do: kill }, { at: 4 s, do: power-loss }, { at: 5 s, do: start }"
    let first = try world(acts).run("after")
    #expect(first == (try world(acts).run("after")))
    #expect(first.files.allSatisfy { $0.landed })
    #expect(first.exactlyOnce == ExactlyOnceRecord(moments: 1))
  }
}

/// What a full disk costs: the captures that come while it is full, and nothing else.
struct FilledDiskTests {
  @Test(arguments: ["before", "after"])
  func `a disk that is full for a while costs the captures of that while`(policy: String) throws {
    for half in 0...40 {
      let at = Double(half) / 2
      let world = try world(
        "{ at: \(at) s, do: fill-disk }, { at: \(at + 10) s, do: free-disk }", captures: three)
      let record = try world.run(policy)
      // What comes at the same instant comes before.
      let missed = [("photo-2", 3.0), ("photo-3", 9)].filter { $1 > at && $1 <= at + 10 }
      let notSaved = try #require(record.notSaved)
      #expect(notSaved.map(\.capture) == missed.map(\.0), "\(at)")
      #expect(notSaved.allSatisfy { $0.reason.hasSuffix(": the disk is full") })
      let said = record.statusLines.lines.map(\.text).filter {
        $0.hasPrefix("Not saved on this device: ")
      }
      #expect(said.count == missed.count)
      #expect(
        record.files.allSatisfy { file in file.landed != missed.contains { $0.0 == file.capture } })
      #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 3 - missed.count), "\(at)")
      #expect(world.outbox == ["/outbox/lock"], "\(at)")
      #expect(record.outcome == .finished)
    }
  }

  @Test func `a client that is started on a full disk sends what was kept`() throws {
    let world = try world(
      "{ at: 1 s, do: kill }, { at: 1 s, do: fill-disk }, { at: 2 s, do: start }")
    let record = try world.run("after")
    #expect(record.files.allSatisfy { $0.landed })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    #expect(world.outbox == ["/outbox/lock"])
  }
}

/// Nothing is timed by the device's wall clock.
struct WallClockTests {
  @Test(arguments: ["before", "after"])
  func `a clock that jumps changes the ids of later captures, and nothing else`(policy: String)
    throws
  {
    // An hour back, ten years ahead, and to before 1970.
    let jumps =
      "{ at: 1 s, do: set-clock, by: -1 h }, { at: 4 s, do: set-clock, by: 87_600 h }, "
      + "{ at: 8 s, do: set-clock, by: -600_000 h }, "
    let acts = "{ at: 20 s, do: kill }, { at: 21 s, do: start }"
    let steady = try world(acts, captures: three).run(policy)
    let jumped = try world(jumps + acts, captures: three).run(policy)
    func moments(_ record: VariantRecord) -> [String] {
      record.requests.filter { $0.step == "record" }.map {
        String($0.path.dropFirst("/api/moments/".count))
      }
    }
    let (ids, jumpedIDs) = (moments(steady), moments(jumped))
    #expect(jumpedIDs.map { $0.suffix(16) } == ids.map { $0.suffix(16) })
    #expect(jumpedIDs.first == ids.first && jumpedIDs.count == 3)
    #expect(jumpedIDs.last?.hasPrefix("0000000000") == true)
    func withoutIDs(_ record: VariantRecord) -> VariantRecord {
      var record = record
      for index in record.requests.indices { record.requests[index].path = "" }
      return record
    }
    #expect(withoutIDs(jumped) == withoutIDs(steady))
  }
}
