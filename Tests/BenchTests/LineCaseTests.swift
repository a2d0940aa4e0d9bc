import Bench
import Quantities
import Reports
import TestSupport
import Testing

/// Lines that are known to have lied to people elsewhere, each with what is right, in the virtual world.
struct LineCaseTests {
  private func record(
    _ link: String, captures: String = "[{ document: 1.65 MB, at: 0 s }]", more: String = "",
    horizon: Int = 300
  ) throws -> VariantRecord {
    let record = try SmallWorld(
      """
      seed: 7
      horizon: \(horizon) s
      link: { \(link) }
      captures: \(captures)
      \(more)
      variants: { only: { client: outbox, policy: after } }
      """
    ).run("only")
    #expect(record.honesty?.findings == [])
    for line in record.statusLines.lines {
      for word in ["nan", "NaN", "inf", "-"] {
        #expect(!line.text.contains(" \(word)"), "\(line.text)")
      }
      let claim = ByteClaim(in: line.text)
      #expect((claim?.claimed ?? 0) <= (claim?.total ?? 0))
    }
    return record
  }

  /// The figures before a unit in a line, in thousands of it.
  private func rate(_ line: StatusLinesRecord.Line) -> Double? {
    line.text.firstMatch(of: /([0-9.]+) KB\/s/).flatMap { Double($0.1) }
  }

  @Test func `a path that takes all in at once gets no absurd rate, and then a wait is named`()
    throws
  {
    let record = try record("up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 4 MB")
    #expect(record.attempts("document") == [1])
    let finished = try #require(record.finishedAt)
    #expect(finished > 82.5 && finished < 90)
    #expect(record.statusLines.lines.compactMap(rate).allSatisfy { $0 <= 61 })
    let waiting = record.statusLines.lines.filter { $0.text.contains("waiting for the engine") }
    #expect(waiting.count > 75 && waiting.allSatisfy { rate($0) == nil })
  }

  @Test func `on a link that comes in lumps the rate is the mean one, or none`() throws {
    let record = try record(
      """
      up: { rate: 20 KB/s, lumps: 3.2 s }, down: 200 KB/s, latency: 100 ms, buffer: 128 KB
      """)
    #expect(record.attempts("document") == [1])
    let finished = try #require(record.finishedAt)
    #expect(finished > 83 && finished < 90)
    let rates = record.statusLines.lines.filter { $0.first > 10 }.compactMap(rate)
    #expect(rates.allSatisfy { 15...25 ~= $0 })
    #expect(rates.count > 10)
  }

  @Test func `once the network is gone the megabytes stop, and the line says so`() throws {
    let record = try record(
      "up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB, offline: [{ at: 25 s, for: 600 s }]",
      horizon: 160)
    // 25 s at 20 KB/s, and what the path holds.
    let shown = record.statusLines.lines.compactMap { ByteClaim(in: $0.text)?.claimed }.max() ?? 0
    #expect(shown > 480_000 && shown < 500_000 + 64_000 + 10_000)
    let later = record.statusLines.lines.filter { $0.first > 35 }
    #expect(later.allSatisfy { rate($0) == nil })
    #expect(later.contains { $0.text.contains("the link is down (checked") })
    // Up to the limit of 120 s without a byte.
    #expect(later.contains { $0.text.contains("waits for the engine: no byte moved for 120 s") })
    #expect(record.honesty?.worstMegabytes ?? 9 < 0.08)
  }

  @Test func `a repeat starts at nothing and never passes the whole`() throws {
    let record = try record(
      """
      up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB, faults: [
        { cut: { up: 1 MB }, as: reset, connection: 1 },
        { cut: { up: 1 MB }, as: reset, connection: 2 }]
      """,
      captures: "[{ document: 1.65 MB, at: 0 s }, { document: 100 KB, at: 30 s }]", horizon: 400)
    #expect(record.attempts("document") == [3, 1])
    #expect(record.wire.abandoned > 1_990_000 && record.wire.useful == 1_750_000)
    let claims = record.statusLines.lines.compactMap { line in
      line.text.hasPrefix("document-1:") ? ByteClaim(in: line.text)?.claimed : nil
    }
    // From each of the two cuts it goes back to nothing, which a distinct text shows once.
    #expect(claims.max() == 1_650_000 && claims.min() == 0)
  }

  @Test func `nothing is said of small things that has no basis`() throws {
    // 100 B/s is the slowest link there is: the record alone takes seconds.
    let record = try record(
      "up: 100 B/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB",
      captures: "[{ document: 2 KB, at: 0 s }]", horizon: 200)
    #expect(record.files.allSatisfy { $0.landed })
    let record0 = record.statusLines.lines.filter { $0.text.contains("the engine is told of it") }
    #expect(record0.count > 3 && record0.allSatisfy { ByteClaim(in: $0.text) == nil })
    // Whole seconds, each a second after the one before.
    let seconds = record0.compactMap { line in
      line.text.firstMatch(of: /told of it, (\d+) s/).flatMap { Int($0.1) }
    }
    #expect(seconds == Array(0..<seconds.count))
  }

  @Test func `lines count no steps, and a parked photo is named apart`() throws {
    let record = try record(
      "up: 61.4 KB/s, down: 614 KB/s, latency: 100 ms, buffer: 64 KB",
      captures: """
        [{ photo: { original: 900 KB, copy: 310 KB }, at: 0 s },
         { photo: { original: 901 KB, copy: 311 KB }, at: 5 s },
         { photo: { original: 902 KB, copy: 312 KB }, at: 10 s },
         { photo: { original: 903 KB, copy: 313 KB }, at: 45 s }]
        """,
      more:
        "engine: { script: [{ when: { step: original, body: 900001 B }, times: 1, then: { answer: 422 } }] }"
    )
    #expect(record.parked == 1)
    #expect(record.files.filter(\.landed).count == 7)
    let texts = record.statusLines.lines.map(\.text)
    #expect(!texts.contains { $0.contains(/\d of \d+(?! MB|\.)/) })
    #expect(texts.filter { $0.contains("done, the photo") }.count == 3)
    #expect(texts.filter { $0.hasPrefix("photo-2: Refused:") }.count == 1)
  }
}
