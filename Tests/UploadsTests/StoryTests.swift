import Captures
import Quantities
import TestSupport
import Testing
import Uploads

/// The published figures, as far as client and a simple link alone produce them.
struct StoryTests {
  private func bench(_ count: Int, rate: DataRate) throws -> ClientBench {
    let photos = (1...count).map {
      ClientBench.Capture(name: "photo-\($0)", copy: 1_650_000, original: 4_310_000)
    }
    let bench = try ClientBench(photos)
    bench.engine.setLink { link in
      link.rate = rate
      link.buffer = 1_430_000
    }
    return bench
  }

  @Test func `before, a slow copy is sent seven times, 9.93 MB, and never lands`() throws {
    let bench = try bench(1, rate: .kilobytes(20))
    try bench.run(.before, stop: 900, [(0, .save(capture: "photo-1"))])
    let copies = bench.seen("copy")
    #expect(copies.count == 7)
    #expect(abs(Double(copies.map(\.carried).reduce(0, +)) / 9.93e6 - 1) < 0.01)
    #expect(copies.allSatisfy { $0.cut == .reset && $0.status == nil })
    #expect(bench.landed(.copy, of: "photo-1") == nil)
    // 11 s to hand it over, 60 s of silence, 60 s of rest.
    for (copy, next) in zip(copies, copies.dropFirst()) {
      #expect(next.at - copy.at == .seconds(131))
    }
    #expect(Set(bench.texts) == ["Kept on this device", "Sending"])
  }

  @Test func `after, copy and original are sent once each, all done at 303 point 8 s`() throws {
    let bench = try bench(1, rate: .kilobytes(20))
    try bench.run(.after, stop: 900, [(0, .save(capture: "photo-1"))])
    #expect(bench.steps == ["record", "copy", "turn", "original", "readback"])
    let finished = try #require(bench.landed(.original, of: "photo-1"))
    // 298.0 s of link, 5 s of turn, four round trips, and 260 bytes of JSON.
    #expect(abs(finished - 303.8) < 0.02)
  }

  @Test func `three photos before: exactly four labels`() throws {
    let bench = try bench(3, rate: .kilobytes(61.4))
    try bench.run(.before, stop: 900, saves)
    #expect(Set(bench.texts) == Set(StatusLine.Label.allCases.map(\.rawValue)))
  }

  @Test func `three photos after: 299 lines or more, live in the first second, nothing twice`()
    throws
  {
    let bench = try bench(3, rate: .kilobytes(61.4))
    try bench.run(.after, stop: 900, saves)
    #expect(Set(bench.texts).count >= 299)
    let live = try #require(bench.lines.values.first { $0.text.contains(/[1-9][0-9]* MB/) })
    #expect(live.at.seconds < 1)
    for step in ["copy", "original"] { #expect(bench.seen(step).count == 3) }
    #expect(bench.engine.replays.isEmpty)
    // Whoever is told that all is handed over is told at that moment: 0.22 MB after the burst.
    let copy = try #require(bench.seen("copy").first)
    let told = try #require(bench.lines.values.first { $0.text.contains("handed over") })
    #expect(told.at == copy.at + DataRate.kilobytes(61.4).time(for: ByteCount(220_000)))
    let done = bench.texts.filter { $0.contains("done, ") }
    #expect(done.count == 3)
  }

  @Test func `while a photo is being sent its line changes every second, and not too often`() throws
  {
    let bench = try bench(1, rate: .kilobytes(61.4))
    try bench.run(.after, stop: 200, [(0, .save(capture: "photo-1"))])
    let done = try #require(bench.lines.values.firstIndex { $0.text.contains("done, ") })
    let times = bench.lines.values[...done].map(\.at)
    for (time, next) in zip(times, times.dropFirst()) { #expect(next - time <= .seconds(1)) }
    for (time, later) in zip(times, times.dropFirst(5)) { #expect(later - time >= .seconds(1)) }
  }

  private let saves: [(at: Double, BenchCommand)] = [
    (0, .save(capture: "photo-1")), (5, .save(capture: "photo-2")), (10, .save(capture: "photo-3")),
  ]
}
