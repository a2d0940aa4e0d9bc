import Captures
import Quantities
import Testing

/// The sizes of the published figures, made once for all tests of a photo.
private enum Headline {
  static let plan = CapturePlan(
    name: "photo-1",
    kind: .photo(
      PhotoPlan(
        original: .megabytes(4.31), copy: .megabytes(1.65), taken: "2026-05-04T19:12:33+02:00",
        place: Place(latitude: 48.8583, longitude: -2.2945))))
  static let made = Result { try CaptureMaker(seed: 7).make(plan) }
}

@Suite struct PhotoTests {
  private static func small(
    _ name: String = "small", original: Int = 60_000, copy: Int = 30_000, seed: UInt64 = 7
  ) throws -> MadeCapture {
    try CaptureMaker(seed: seed).make(
      CapturePlan(
        name: name,
        kind: .photo(PhotoPlan(original: ByteCount(original), copy: ByteCount(copy)))))
  }

  @Test func `a photo and its copy have exactly the published sizes`() throws {
    let made = try Headline.made.get()
    #expect(made.files.map(\.name) == ["photo-1.jpg", "photo-1-copy.jpg"])
    #expect(made.files.map(\.bytes.count) == [4_310_000, 1_650_000])
    let pictures = try made.files.map { try JPEGDecoder.decode($0.bytes) }
    #expect(pictures.map(\.width) == [4032, 2048])
    #expect(pictures.map(\.height) == [3024, 1536])
  }

  @Test func `the truth states what is in the files`() throws {
    let made = try Headline.made.get()
    let stated = [made.truth.original, made.truth.copy].compactMap { $0 }
    #expect(stated.map(\.file) == made.files.map(\.name))
    #expect(stated.map(\.bytes) == made.files.map(\.bytes.count))
    #expect(stated.map(\.sha256) == made.files.map { sha256(of: $0.bytes) })
    #expect(stated.map(\.width) == [4032, 2048])
    #expect(stated.map(\.height) == [3024, 1536])
    #expect(made.truth.document == nil)
    for file in made.files {
      let facts = PhotoFacts(jpeg: file.bytes)
      #expect(facts.taken == "2026-05-04T19:12:33")
      #expect(facts.offset == "+02:00")
      #expect(facts.capturedAt == made.truth.taken)
      #expect(facts.place == made.truth.place)
      #expect(facts.place == Place(latitude: 48.8583, longitude: -2.2945))
      #expect(facts.orientation == .upright)
    }
    #expect(PhotoFacts(jpeg: made.files[0].bytes).width == 4032)
    #expect(PhotoFacts(jpeg: made.files[1].bytes).height == 1536)
  }

  @Test func `the copy is the same picture and keeps the EXIF segment byte for byte`() throws {
    let made = try Headline.made.get()
    let segments = made.files.map { JPEGSegments($0.bytes) }
    let exif = try zip(made.files, segments).map { file, segments in
      Array(file.bytes[try #require(segments.exif).range])
    }
    #expect(exif[0] == exif[1])
    let pictures = try made.files.map {
      try JPEGDecoder.decode($0.bytes).reduced(longEdge: 64).pixels
    }
    #expect(pictures[0].count == pictures[1].count)
    let worst = zip(pictures[0], pictures[1]).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 6)
    // A flat picture would pass the comparison.
    #expect(Set(pictures[0]).count > 60)
  }

  @Test(arguments: [
    (20_000, 20_000), (50_001, 20_003), (100_000, 40_000), (333_333, 99_999), (1_000_000, 250_000),
  ])
  func `any size is met exactly`(original: Int, copy: Int) throws {
    let made = try Self.small(original: original, copy: copy)
    #expect(made.files.map(\.bytes.count) == [original, copy])
    for file in made.files {
      let picture = try JPEGDecoder.decode(file.bytes)
      #expect(max(picture.width, picture.height) <= 4032)
      try Self.expectRealEntropy(file.bytes)
    }
  }

  @Test func `the published sizes are real entropy with little padding`() throws {
    for file in try Headline.made.get().files { try Self.expectRealEntropy(file.bytes) }
  }

  /// At most 1 % of padding, in segments of our own and no comment; the rest is dense scan data.
  private static func expectRealEntropy(_ jpeg: [UInt8]) throws {
    let segments = JPEGSegments(jpeg)
    let padding = segments.segments.filter { $0.marker == 0xef }
    #expect(padding.reduce(0) { $0 + $1.range.count } <= jpeg.count / 100)
    for segment in padding {
      #expect(jpeg[segment.payload].starts(with: Array("onebar\0".utf8)))
    }
    #expect(!segments.segments.contains { $0.marker == 0xfe })
    #expect(segments.segments.first == segments.exif)
    let scan = jpeg[try #require(segments.scanData)...]
    #expect(Double(scan.count) > Double(jpeg.count) * 0.92)
    #expect(scan.suffix(2) == [0xff, 0xd9])
    var counts = [Int](repeating: 0, count: 256)
    for byte in scan { counts[Int(byte)] += 1 }
    // Sum of squares: the collision entropy, a lower bound of Shannon's, without a logarithm.
    // 7.5 bits a byte are a sum of 2 to the power of -7.5.
    let squares = counts.reduce(0.0) { $0 + Double($1) * Double($1) }
    #expect(squares / (Double(scan.count) * Double(scan.count)) < 1 / 181.0)
  }

  @Test func `a seed gives the same bytes, another seed and another name give others`() throws {
    let first = try Self.small()
    #expect(try Self.small() == first)
    for other in [try Self.small(seed: 8), try Self.small("other")] {
      #expect(other.files[0].bytes.count == first.files[0].bytes.count)
      #expect(other.truth.original?.sha256 != first.truth.original?.sha256)
      #expect(other.truth.copy?.sha256 != first.truth.copy?.sha256)
      #expect(other.truth.taken != first.truth.taken)
      #expect(other.truth.place != first.truth.place)
    }
  }

  @Test(arguments: [
    (1_530_000, 4032), (7_600_000, 4032), (12_000_000, 6752), (100_000, 608), (20_000, 272),
  ])
  func `the picture grows with the file outside of the usual camera's range`(
    bytes: Int, width: Int
  ) {
    let size = PhotoPlan(original: ByteCount(bytes), copy: .zero).pixelSize
    #expect(size.width == width)
    #expect(size.height * 4 == width * 3)
  }

  @Test func `a drawn time and place are the ones in the file`() throws {
    for seed in UInt64(0)..<12 {
      let made = try Self.small(original: 20_000, copy: 20_000, seed: seed)
      let facts = PhotoFacts(jpeg: made.files[0].bytes)
      #expect(facts.capturedAt == made.truth.taken)
      #expect(facts.place == made.truth.place)
      #expect(facts.place != nil)
    }
  }

  @Test(arguments: [
    (19_999, 40_000, "p.jpg cannot be made as small as 19999 bytes; the smallest is 20000 bytes"),
    (
      20_000_001, 40_000,
      "p.jpg cannot be made as large as 20000001 bytes; the largest is 20000000 bytes"
    ),
  ])
  func `a size outside the limits is refused`(original: Int, copy: Int, message: String) {
    let error = #expect(throws: CaptureError.self) {
      _ = try Self.small("p", original: original, copy: copy)
    }
    #expect(error?.description == message)
  }

  @Test func `a size that the picture cannot have is refused with the nearest one`() throws {
    let error = #expect(throws: CaptureError.self) {
      _ = try Self.small("p", original: 30_000, copy: 900_000)
    }
    guard case .tooLarge("p-copy.jpg", 900_000, let largest) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((60_000..<900_000).contains(largest))
    #expect(try Self.small("p", original: 30_000, copy: largest).files[1].bytes.count == largest)
  }

  @Test(arguments: [
    (Place(latitude: 90.5, longitude: 3), "2026-05-04T19:12:33+02:00"),
    (Place(latitude: 3, longitude: -181), "2026-05-04T19:12:33+02:00"),
    (Place(latitude: 0, longitude: 0), "2026-05-04T19:12:33+02:00"),
    (Place(latitude: .nan, longitude: 1), "2026-05-04T19:12:33+02:00"),
    (Place(latitude: 1, longitude: 1), "2026-05-04T19:12:33"),
    (Place(latitude: 1, longitude: 1), "2026-02-29T19:12:33Z"),
    (Place(latitude: 1, longitude: 1), "2026-05-04 19:12:33+0200"),
  ])
  func `a place or time that no photo can hold is refused`(place: Place, taken: String) {
    let photo = PhotoPlan(
      original: ByteCount(20_000), copy: ByteCount(20_000), taken: taken, place: place)
    #expect(throws: CaptureError.self) {
      _ = try CaptureMaker(seed: 1).make(CapturePlan(name: "p", kind: .photo(photo)))
    }
  }
}
