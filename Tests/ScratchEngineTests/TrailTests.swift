import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct TrailTests {
  /// The trail of a body of one byte per step.
  private func trail(pieces: Int, every step: Duration) -> ByteTrail? {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/api/moments/\(Talk.moment)", framing: .length(pieces))
    _ = engine.requestHead(head, on: id, at: .zero)
    for piece in 0..<pieces {
      _ = engine.bodyBytes([0], on: id, at: Instant.zero + step * piece)
    }
    return engine.ledger.requests.first?.trail
  }

  @Test func `counts are kept once per interval, and the last one always`() throws {
    let samples = try #require(trail(pieces: 100, every: .milliseconds(10))).samples
    #expect(samples.last?.at == Instant(seconds: 0.99))
    #expect(samples.last?.bytes == 100)
    #expect(samples.count == 11)
    for (earlier, later) in zip(samples, samples.dropFirst()) {
      #expect(earlier.at < later.at && earlier.bytes < later.bytes)
    }
  }

  @Test func `a pause in a long body keeps its beginning and its end`() throws {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/api/moments/\(Talk.moment)", framing: .length(10_000))
    _ = engine.requestHead(head, on: id, at: .zero)
    for piece in 0..<10_000 {
      let pause = piece < 3_333 ? Duration.zero : .seconds(60)
      _ = engine.bodyBytes(
        [0], on: id, at: Instant.zero + Duration.milliseconds(100) * piece + pause)
    }
    let samples = try #require(engine.ledger.requests.first).trail.samples
    let pause = try #require(
      zip(samples, samples.dropFirst()).max { $0.1.at - $0.0.at < $1.1.at - $1.0.at })
    #expect(pause.0.bytes <= 3_333 && pause.0.bytes > 3_320)
    #expect(pause.1.bytes > 3_333 && pause.1.bytes < 3_350)
    #expect(samples.last?.bytes == 10_000)
  }

  @Test func `a long body keeps its whole course in bounded memory`() throws {
    let samples = try #require(trail(pieces: 20_000, every: .milliseconds(100))).samples
    #expect(samples.count <= ByteTrail.samplesMax)
    #expect(samples.count > ByteTrail.samplesMax / 3)
    #expect(samples.last?.bytes == 20_000)
    #expect((samples.first?.at.seconds ?? 9) < 2)
    let gaps = zip(samples, samples.dropFirst()).map { ($1.at - $0.at).inSeconds }
    #expect(gaps.allSatisfy { $0 <= 1.7 })
  }
}
