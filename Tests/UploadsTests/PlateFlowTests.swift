import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

/// A plate through the whole client, in memory.
struct PlateFlowTests {
  private func bench() throws -> ClientBench {
    let bench = try ClientBench([.init(name: "plate-1", plate: [60_000, 70_000, 80_000])])
    bench.engine.setLink { $0.rate = .kilobytes(20) }
    return bench
  }

  @Test func `its photos go one by one in their order, each its own bytes, then one encounter`()
    throws
  {
    let bench = try bench()
    try bench.run(.after, stop: 60, [(0, .save(capture: "plate-1"))])
    #expect(bench.steps == ["staged", "staged", "staged", "encounter", "readback"])
    for (number, seen) in bench.seen("staged").enumerated() {
      #expect(seen.body == bench.files.bytes(of: "/captures/plate-1.\(number + 1).jpg"))
    }
    #expect(bench.states("plate-1").last == .done)
    #expect(bench.outboxNames == ["lock"])
  }

  @Test func `killed at any time, it goes on with the photo that had not landed`() throws {
    for tenths in stride(from: 1, to: 125, by: 4) {
      let bench = try bench()
      try bench.run(.after, stop: Double(tenths) / 10, [(0, .save(capture: "plate-1"))])
      bench.files.restart()
      try bench.run(.after, stop: 100, [])
      // Three photos and an encounter, once each, whatever was tried twice.
      #expect(bench.engine.storedPaths.count == 4, "killed at \(tenths) tenths")
      #expect(bench.steps.count <= 6, "killed at \(tenths) tenths")
      #expect(bench.states("plate-1").last == .done, "killed at \(tenths) tenths")
      #expect(bench.outboxNames == ["lock"], "killed at \(tenths) tenths")
    }
  }

  @Test func `kept without a network it waits with its last error, and goes up once`() throws {
    let bench = try bench()
    bench.engine.setLink { $0.isOffline = true }
    bench.time.at(Instant(seconds: 90)) { bench.engine.setLink { $0.isOffline = false } }
    try bench.run(.after, stop: 200, [(0, .save(capture: "plate-1"))])
    #expect(
      bench.texts.contains {
        $0.hasPrefix("plate-1: kept, waits for the engine: no connection: the network")
      })
    // Two tries without a network, and the one that landed: under one id.
    let first = bench.seen("staged").prefix(3)
    #expect(Set(first.map(\.path)).count == 1)
    #expect(bench.engine.storedPaths.count == 4)
    #expect(bench.engine.replays.isEmpty)
    #expect(bench.states("plate-1").last == .done)
  }

  @Test func `a device keeps the plate that was sent, with all its photos`() throws {
    var bench = try bench()
    bench.deviceCopies = 3
    try bench.run(.after, stop: 60, [(0, .save(capture: "plate-1"))])
    let copy = try #require(bench.copies.first)
    #expect(
      bench.allNames.filter { $0.hasPrefix(copy) } == (1...3).map { "\(copy).staged-\($0)" })
    bench.files.restart()
    try bench.run(.after, stop: 100, [])
    #expect(bench.copies == [copy])
    #expect(bench.steps.count == 5)
  }

  @Test func `a record that is not what was sent keeps its entry, and the next one goes on`()
    throws
  {
    let bench = try ClientBench([.init(name: "a"), .init(name: "b")])
    bench.engine.setLink { $0.rate = .kilobytes(200) }
    bench.engine.setAnswerChange { step, answer in
      step == "readback" ? answer.replacing(#""note":"""#, with: #""note":"another's""#) : answer
    }
    try bench.run(.after, stop: 30, [(0, .save(capture: "a"))])
    #expect(
      bench.texts.last
        == "a: Not confirmed: the record that was read back differs from what was sent in the note "
        + "[Send now, Discard]")
    #expect(bench.outboxNames.count == 4)
    bench.engine.setAnswerChange { _, answer in answer }
    bench.files.restart()
    try bench.run(.after, stop: 90, [(31, .save(capture: "b")), (60, .sendNow("a"))])
    #expect(bench.states("b").last == .done)
    #expect(bench.states("a").last == .done)
    #expect(bench.outboxNames == ["lock"])
  }
}
