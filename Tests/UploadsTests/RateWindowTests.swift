import Quantities
import Testing
import Uploads

struct RateWindowTests {
  /// Notes totals of a body: a burst at once, then `chunk` bytes at a time at `rate`.
  private func window(
    burst: Int = 0, rate: DataRate = .kilobytes(20), chunk: Int = 4_000, seconds: Double
  ) -> RateWindow {
    var window = RateWindow()
    if burst > 0 { window.note(bytes: burst, at: .zero) }
    var sent = 0
    while rate.time(for: ByteCount(sent + chunk)).inSeconds <= seconds {
      sent += chunk
      window.note(bytes: burst + sent, at: .zero + rate.time(for: ByteCount(sent)))
    }
    return window
  }

  @Test func `there is no rate before 5 s of movement`() {
    #expect(RateWindow().rate(at: .zero) == nil)
    #expect(window(seconds: 4.9).rate(at: Instant(seconds: 4.9)) == nil)
    #expect(window(burst: 1_430_000, seconds: 5).rate(at: Instant(seconds: 5)) == nil)
  }

  @Test(arguments: [4_000, 8_000, 16_000], [7.0, 20, 61.4, 500])
  func `a steady body has the link's rate, whatever the burst before it`(
    chunk: Int, kilobytes: Double
  ) throws {
    for burst in [0, 64_000, 1_430_000] {
      let window = window(
        burst: burst, rate: .kilobytes(kilobytes), chunk: chunk, seconds: 30)
      let rate = try #require(window.rate(at: Instant(seconds: 30)))
      #expect(abs(rate.bytesPerSecond / (kilobytes * 1_000) - 1) < 0.01)
    }
  }

  @Test func `no rate is ever far above the link's own`() {
    for tenths in stride(from: 0, through: 300, by: 1) {
      let now = Double(tenths) / 10
      let shown = window(burst: 1_430_000, seconds: now).rate(at: Instant(seconds: now))
      if let shown { #expect(shown.bytesPerSecond <= 20_000 * 1.2, "at \(now) s") }
    }
  }

  @Test func `a burst that takes a second is in no rate`() throws {
    var window = RateWindow()
    var shown = 0
    for tenth in 1...200 {
      let now = Instant(seconds: Double(tenth) / 10)
      // 1.43 MB in the first second, 20 KB/s after it.
      let bytes = tenth <= 10 ? tenth * 143_000 : 1_430_000 + (tenth - 10) * 2_000
      window.note(bytes: bytes, at: now)
      guard let rate = window.rate(at: now) else { continue }
      shown += 1
      #expect(abs(rate.bytesPerSecond / 20_000 - 1) < 0.2, "at \(now.seconds) s")
    }
    #expect(shown > 100)
  }

  /// What a client with SO_SNDBUF 16 KB counts behind a path that takes in 1.43 MB: its kernels take
  /// a little more, so that the count stands still for `pause` seconds, and goes on in steps that
  /// come in two writes each.
  @Test(arguments: [0.5, 1.0, 1.6, 2.4], [13_000, 16_384, 20_000])
  func `the pause behind a burst is in no rate`(pause: Double, step: Int) throws {
    let counts = Self.counts(pause: pause, step: step)
    var window = RateWindow()
    var next = 0
    var worst = 0.0
    var shown = 0
    for hundredth in 0...2_000 {
      let now = Double(hundredth) / 100
      while next < counts.count, counts[next].at <= now {
        window.note(bytes: counts[next].bytes, at: Instant(seconds: counts[next].at))
        next += 1
      }
      guard let rate = window.rate(at: Instant(seconds: now)) else { continue }
      if shown == 0 { #expect(now >= 0.9 + pause + 5, "too early, at \(now) s") }
      shown += 1
      worst = max(worst, abs(rate.bytesPerSecond / 20_000 - 1))
    }
    #expect(worst < 0.1)
    #expect(shown > 800)
  }

  /// A burst of 1.45 MB in 0.9 s, and what follows it at 20 KB/s.
  private static func counts(pause: Double, step: Int) -> [(at: Double, bytes: Int)] {
    let burst = (1...30).map { (at: Double($0) * 0.03, bytes: $0 * 48_333) }
    let stepTime = Double(step) / 20_000
    let rest = (0..<30).flatMap { number in
      let at = 0.9 + pause + Double(number) * stepTime
      let bytes = 1_450_000 + (number + 1) * step
      return [(at: at, bytes: bytes - 3_000), (at: at + 0.05, bytes: bytes)]
    }
    return burst + rest
  }

  /// Seconds and body bytes as a client counted them at 20 KB/s behind a buffer of 1.43 MB, with
  /// SO_SNDBUF 16 KB; the burst is thinned out.
  private static let counted: [(at: Double, bytes: Int)] = [
    (0, 83), (5.59, 16_384), (5.65, 163_840), (5.74, 327_680), (5.82, 491_520),
    (5.89, 655_360), (5.98, 802_816), (6.07, 962_848), (6.14, 1_126_688), (6.21, 1_277_952),
    (6.59, 1_425_408), (6.59, 1_437_984), (6.61, 1_441_792), (6.62, 1_458_176),
    (7.08, 1_474_560), (7.94, 1_486_144), (8.77, 1_490_944), (8.81, 1_507_328),
    (9.62, 1_518_912), (10.35, 1_523_712), (10.94, 1_540_096), (11.67, 1_556_480),
    (12.32, 1_572_864), (13.14, 1_589_248), (13.86, 1_600_832), (14.58, 1_605_632),
    (14.65, 1_622_016), (15.46, 1_633_600), (16.14, 1_638_400), (16.7, 1_654_784),
    (17.44, 1_671_168), (18.09, 1_687_552), (18.89, 1_703_936),
  ]

  @Test func `the rate that follows a real burst is the link's`() {
    var window = RateWindow()
    var shown = 0
    for (at, bytes) in Self.counted {
      window.note(bytes: bytes, at: Instant(seconds: at))
      guard let rate = window.rate(at: Instant(seconds: at)) else { continue }
      if shown == 0 { #expect(at >= 7.08 + 5) }
      shown += 1
      #expect(abs(rate.bytesPerSecond / 20_000 - 1) < 0.15, "at \(at) s")
    }
    #expect(shown >= 4)
  }

  /// A client's kernel takes 16 KB at a time, now a little sooner and now later: what it holds of a
  /// body goes up and down by most of a step.
  @Test(arguments: [6.0, 7, 10, 14, 20], UInt64(0)..<20)
  func `the rate of a slow body is not a step off`(kilobytes: Double, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var window = RateWindow()
    window.note(bytes: 64_000, at: .zero)
    var shown = 0
    for step in 1...40 {
      let held = Double(random.whole(0...12_000))
      let at = Instant(seconds: (Double(step) * 16_384 - held) / (kilobytes * 1_000))
      window.note(bytes: 64_000 + step * 16_384, at: at)
      guard let rate = window.rate(at: at) else { continue }
      shown += 1
      #expect(abs(rate.bytesPerSecond / (kilobytes * 1_000) - 1) < 0.2, "at \(at.seconds) s")
    }
    #expect(shown > 15)
  }

  @Test func `a body that moves in steps too large for half a minute has no rate`() {
    let now = Instant(seconds: 120)
    #expect(window(rate: .kilobytes(7), chunk: 16_384, seconds: 120).rate(at: now) != nil)
    #expect(window(rate: .kilobytes(20), chunk: 82_000, seconds: 120).rate(at: now) == nil)
  }

  @Test func `a quiet body has no rate`() {
    let window = window(seconds: 30)
    #expect(window.rate(at: Instant(seconds: 32.9)) != nil)
    #expect(window.rate(at: Instant(seconds: 33.1)) == nil)
  }

  @Test func `a link that changes has no rate until it is steady again`() throws {
    var window = window(seconds: 20)
    for step in 1...40 {
      let now = Instant(seconds: 20 + Double(step) * 0.5)
      window.note(bytes: 400_000 + step * 2_500, at: now)
      let rate = window.rate(at: now).map(\.bytesPerSecond)
      if step >= 24 {
        #expect(try abs(#require(rate) / 5_000 - 1) < 0.25, "step \(step)")
      }
    }
    let rate = try #require(window.rate(at: Instant(seconds: 40)))
    #expect(abs(rate.bytesPerSecond - 5_000) < 50)
  }
}
