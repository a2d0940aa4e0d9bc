import Quantities
import Testing
import Uploads

struct LimitTests {
  private func limits(_ kind: RequestKind, _ policy: UploadPolicy = .after) -> RequestLimits {
    RequestLimits(of: kind, under: policy)
  }

  @Test func `each kind of request has its limits`() {
    let table: [(RequestKind, Int, Int, Int)] = [
      (.json, 15, 30, 8), (.mediaDown, 60, 180, 32), (.file(bytes: 1_650_000), 120, 1_800, 1),
      (.live, 60, 75, 1), (.events, 120, 900, 8),
    ]
    for (kind, idle, ceiling, mebibytes) in table {
      let limits = limits(kind)
      #expect(limits.idle == .seconds(idle), "\(kind)")
      #expect(limits.ceiling == .seconds(ceiling), "\(kind)")
      #expect(limits.answerBytes == mebibytes * 1_048_576, "\(kind)")
    }
  }

  @Test func `a body of 1.65 MB may stand still for 120 s, one of 4.31 MB for 287 s`() {
    #expect(limits(.file(bytes: 1_650_000)).idle == .seconds(120))
    #expect(limits(.file(bytes: 1_800_000)).idle == .seconds(120))
    #expect(abs(limits(.file(bytes: 4_310_000)).idle.inSeconds - 287.333) < 0.001)
    #expect(limits(.file(bytes: 0)).idle == .seconds(120))
  }

  @Test func `before, every file has 60 s and 180 s, and a turn is JSON all the same`() {
    let file = limits(.file(bytes: 4_310_000), .before)
    #expect(file.idle == .seconds(60))
    #expect(file.ceiling == .seconds(180))
    #expect(limits(.json, .before).idle == .seconds(15))
  }

  /// Feeds a steady link until the watch has something to say; nil when the body gets through.
  private func send(
    _ bytes: Int, at rate: DataRate, _ policy: UploadPolicy = .after
  ) -> LimitWatch.Expired? {
    var watch = LimitWatch(
      limits(.file(bytes: bytes), policy), bodyBytes: bytes, began: .zero)
    watch.note(.began(attempt: 1), at: .zero)
    var sent = 0
    while sent < bytes {
      sent = min(bytes, sent + 7_000)
      let now = Instant.zero + rate.time(for: ByteCount(sent))
      // A sleeper looks at each deadline that comes before the next byte.
      if watch.deadline <= now, let expired = watch.expired(at: watch.deadline) { return expired }
      watch.note(.sent(bytes: sent), at: now)
    }
    return nil
  }

  @Test func `12 MB at 7 KB per s passes the ceiling, 13 MB is cut`() {
    #expect(send(12_000_000, at: .kilobytes(7)) == nil)
    #expect(send(13_000_000, at: .kilobytes(7)) == .ceiling(.seconds(1_800)))
    #expect(send(4_000_000, at: .kilobytes(20), .before) == .ceiling(.seconds(180)))
  }

  @Test func `idle counts from the last byte in either direction`() {
    var watch = LimitWatch(limits(.json), bodyBytes: 100, began: .zero)
    #expect(watch.deadline == Instant(seconds: 15))
    #expect(watch.expired(at: Instant(seconds: 15)) == .noConnection(.seconds(15)))
    watch.note(.began(attempt: 1), at: Instant(seconds: 1))
    watch.note(.sent(bytes: 40), at: Instant(seconds: 2))
    #expect(watch.deadline == Instant(seconds: 17))
    // The same count again is no byte.
    watch.note(.sent(bytes: 40), at: Instant(seconds: 9))
    #expect(watch.deadline == Instant(seconds: 17))
    #expect(watch.expired(at: Instant(seconds: 17)) == .noByte(.seconds(15)))
    watch.note(.received(bytes: 1), at: Instant(seconds: 10))
    #expect(watch.deadline == Instant(seconds: 25))
    #expect(watch.expired(at: Instant(nanoseconds: 24_999_999_999)) == nil)
  }

  @Test func `once the body has gone, the answer has the same time again`() {
    var watch = LimitWatch(limits(.file(bytes: 100), .before), bodyBytes: 100, began: .zero)
    watch.note(.began(attempt: 1), at: .zero)
    watch.note(.sent(bytes: 100), at: Instant(seconds: 11))
    #expect(watch.deadline == Instant(seconds: 71))
    #expect(watch.expired(at: Instant(seconds: 71)) == .noAnswer(.seconds(60)))
  }

  @Test func `a repeat by the transport counts its bytes anew under the old ceiling`() {
    var watch = LimitWatch(limits(.file(bytes: 100), .before), bodyBytes: 100, began: .zero)
    watch.note(.began(attempt: 1), at: .zero)
    watch.note(.sent(bytes: 90), at: Instant(seconds: 10))
    watch.note(.began(attempt: 2), at: Instant(seconds: 20))
    watch.note(.sent(bytes: 50), at: Instant(seconds: 150))
    #expect(watch.deadline == Instant(seconds: 180))
    #expect(watch.expired(at: Instant(seconds: 180)) == .ceiling(.seconds(180)))
  }

  @Test(arguments: [(7, nil), (8, LimitWatch.Expired.ceiling(.seconds(75)))])
  func `a live call whose answer dribbles has until its ceiling`(
    bytes: Int, expected: LimitWatch.Expired?
  ) {
    var watch = LimitWatch(limits(.live), bodyBytes: 60, began: .zero)
    watch.note(.began(attempt: 1), at: .zero)
    watch.note(.sent(bytes: 60), at: .zero)
    var cut: LimitWatch.Expired?
    for byte in 1...bytes {
      let now = Instant(seconds: Double(byte) * 10)
      if watch.deadline <= now { cut = cut ?? watch.expired(at: watch.deadline) }
      watch.note(.received(bytes: byte), at: now)
    }
    #expect(cut == expected)
  }

  @Test func `bytes up do not hide that an answer has fallen silent, nor the other way round`() {
    var watch = LimitWatch(limits(.live), bodyBytes: 300_000, began: .zero)
    watch.note(.began(attempt: 1), at: .zero)
    watch.note(.sent(bytes: 300_000), at: Instant(seconds: 4.9))
    // A byte a second is no silence, however slow it is on the mean.
    for byte in 1...9 {
      watch.note(.received(bytes: byte), at: Instant(seconds: 4.9 + Double(byte)))
    }
    #expect(watch.deadline == Instant(seconds: 13.9 + 60))
    #expect(watch.expired(at: Instant(seconds: 73.9)) == .noAnswer(.seconds(60)))
  }
}
