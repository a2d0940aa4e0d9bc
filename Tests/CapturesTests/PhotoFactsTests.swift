import Captures
import Quantities
import Testing

@Suite struct PhotoFactsTests {
  typealias Entry = ExifBlock.Entry
  typealias Rational = ExifBlock.Rational

  /// EXIF data as a capture has it, for tests to spoil.
  private static func block(
    _ taken: String = "2026-05-04T19:12:33+02:00", _ latitude: Double = 48.8583,
    _ longitude: Double = -2.2945
  ) throws -> ExifBlock {
    ExifBlock(
      time: try CaptureTime(rfc3339: taken),
      place: Place(latitude: latitude, longitude: longitude), width: 640, height: 480)
  }

  /// The head of a file with that EXIF data and a frame of 640 x 480.
  private static func head(
    _ block: ExifBlock, _ order: ExifBlock.ByteOrder = .big
  ) -> [UInt8] {
    [0xff, 0xd8] + block.segment(order)
      + JPEGSegments.segment(0xc0, [8, 0x01, 0xe0, 0x02, 0x80, 1, 1, 0x11, 0])
  }

  private static func facts(
    _ order: ExifBlock.ByteOrder = .big, _ change: (inout ExifBlock) -> Void = { _ in }
  ) throws -> PhotoFacts {
    var block = try block()
    change(&block)
    return PhotoFacts(jpeg: head(block, order))
  }

  @Test(arguments: [ExifBlock.ByteOrder.big, .little])
  func `facts are read in either byte order`(order: ExifBlock.ByteOrder) throws {
    let facts = try Self.facts(order)
    #expect(facts.taken == "2026-05-04T19:12:33")
    #expect(facts.offset == "+02:00")
    #expect(facts.capturedAt == "2026-05-04T19:12:33+02:00")
    #expect(facts.place == Place(latitude: 48.8583, longitude: -2.2945))
    #expect(facts.orientation == .upright)
    #expect(facts.width == 640)
    #expect(facts.height == 480)
  }

  @Test(arguments: [
    (48.8583, 2.2945), (48.8583, -2.2945), (-33.8568, 151.2153), (-22.9519, -43.2105),
    (0.3713, -0.3713), (-0.3713, 0.0001), (51.4779, 0), (0, -78.4556), (-90, 180), (1e-7, -1e-7),
    (59.9999999, -179.9999999),
  ])
  func `a position comes back in all hemispheres`(latitude: Double, longitude: Double) throws {
    for order in [ExifBlock.ByteOrder.big, .little] {
      let block = try Self.block("2026-05-04T19:12:33Z", latitude, longitude)
      #expect(
        PhotoFacts(jpeg: Self.head(block, order)).place
          == Place(latitude: latitude, longitude: longitude))
    }
  }

  @Test(arguments: [
    ("+02:00", "+02:00"), ("+05:45", "+05:45"), ("-03:00", "-03:00"), ("-09:30", "-09:30"),
    ("+14:00", "+14:00"), ("Z", "+00:00"), ("-00:00", "+00:00"), ("+00:00", "+00:00"),
  ])
  func `an offset comes back, and no offset has a negative zero`(asked: String, read: String) throws
  {
    let facts = PhotoFacts(jpeg: Self.head(try Self.block("2019-01-01T00:00:00\(asked)")))
    #expect(facts.capturedAt == "2019-01-01T00:00:00\(read)")
  }

  @Test(arguments: [
    "      ", "   :  ", "00:47:40", "+0200", "+02:60", "+15:00", "02:00", "+02:00:00", "", "\u{7}",
  ])
  func `an offset that is none is unknown`(text: String) throws {
    let facts = try Self.facts { $0.set(0x9011, .ascii(text)) }
    #expect(facts.offset == nil)
    #expect(facts.capturedAt == "2026-05-04T19:12:33")
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:02:30 10:00:00", "2026:13:01 10:00:00",
    "2026:05:04 24:00:00", "2026-05-04T19:12:33", "2026:05:04", "",
  ])
  func `a time that no calendar has is unknown`(text: String) throws {
    #expect(try Self.facts { $0.set(0x9003, .ascii(text)) }.taken == nil)
  }

  @Test func `numbers divided by 0 are no position, and a zero that is one is valid`() throws {
    let (zero, none) = (Rational(0, 1), Rational(0, 0))
    func place(latitude: [Rational]?, longitude: [Rational]?) throws -> Place? {
      try Self.facts {
        if let latitude { $0.set(0x0002, .rationals(latitude)) }
        if let longitude { $0.set(0x0004, .rationals(longitude)) }
      }.place
    }
    #expect(try place(latitude: [Rational(48, 1), Rational(51, 1), none], longitude: nil) == nil)
    #expect(try place(latitude: [none, none, none], longitude: [none, none, none]) == nil)
    #expect(try place(latitude: [zero, zero, zero], longitude: [zero, zero, zero]) == nil)
    #expect(try place(latitude: nil, longitude: [Rational(2, 0), zero, zero]) == nil)
    #expect(try place(latitude: [Rational(48, 1), Rational(51, 1)], longitude: nil) == nil)
    #expect(try place(latitude: [Rational(91, 1), zero, zero], longitude: nil) == nil)
    #expect(try place(latitude: [Rational(48, 1), Rational(60, 1), zero], longitude: nil) == nil)
    #expect(
      try place(latitude: nil, longitude: [zero, zero, zero])
        == Place(latitude: 48.8583, longitude: 0))
    #expect(
      try place(latitude: [Rational(48, 1), Rational(5_150, 100), zero], longitude: nil)?.latitude
        == 48.8583333)
  }

  @Test func `bytes that are no photo have no facts`() {
    let none = PhotoFacts(jpeg: [])
    #expect(none.taken == nil && none.place == nil && none.width == nil)
    #expect(PhotoFacts(jpeg: [0xff, 0xd8]) == none)
    #expect(PhotoFacts(jpeg: Array("%PDF-1.4".utf8)) == none)
    #expect(PhotoFacts(jpeg: [UInt8](repeating: 0xff, count: 400_000)) == none)
  }
}

extension ExifBlock {
  /// Gives a field another value, in whichever directory has it.
  fileprivate mutating func set(_ tag: UInt16, _ value: Value) {
    func changed(_ entries: [Entry]) -> [Entry] {
      entries.map { $0.tag == tag ? Entry(tag, value) : $0 }
    }
    (image, exposure, position) = (changed(image), changed(exposure), changed(position))
  }
}
