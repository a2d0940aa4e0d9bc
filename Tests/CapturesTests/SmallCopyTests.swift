import CTurboJPEG
import Captures
import Quantities
import Testing

@Suite struct SmallCopyTests {
  private static let photo = Result {
    try CaptureMaker(seed: 3).make(
      CapturePlan(
        name: "p", kind: .photo(PhotoPlan(original: ByteCount(120_000), copy: ByteCount(60_000))))
    ).files[0].bytes
  }

  @Test func `a copy has its long edge and keeps the facts`() throws {
    let photo = try Self.photo.get()
    let copy = try SmallCopy.make(of: photo, longEdge: 300)
    let picture = try JPEGDecoder.decode(copy)
    #expect(picture.width == 300)
    #expect(picture.height == 225)
    #expect(copy.count < photo.count)
    let (before, after) = (PhotoFacts(jpeg: photo), PhotoFacts(jpeg: copy))
    #expect(after.capturedAt == before.capturedAt)
    #expect(after.capturedAt != nil)
    #expect(after.place == before.place)
    #expect(after.orientation == before.orientation)
  }

  @Test func `a photo that is not larger is its own copy`() throws {
    let photo = try Self.photo.get()
    #expect(try SmallCopy.make(of: photo) == photo)
  }

  @Test func `what is no JPEG is refused in words`() {
    let error = #expect(throws: CaptureError.self) {
      _ = try SmallCopy.make(of: Array("%PDF-1.4".utf8))
    }
    #expect(error?.description.hasPrefix("this JPEG cannot be worked on: ") == true)
  }

  @Test func `a JPEG that ends early is refused, not half decoded`() throws {
    let photo = try Self.photo.get()
    #expect(throws: CaptureError.self) {
      _ = try SmallCopy.make(of: Array(photo[..<(photo.count / 2)]), longEdge: 300)
    }
  }

  @Test func `reducing keeps the mean of every area`() throws {
    var picture = try JPEGDecoder.decode(try Self.photo.get())
    for index in picture.pixels.indices { picture.pixels[index] = index % 2 == 0 ? 200 : 100 }
    let reduced = picture.reduced(longEdge: picture.width / 2)
    #expect(reduced.width == picture.width / 2)
    #expect(Set(reduced.pixels) == [150])
  }

  @Test(arguments: Orientation.allCases)
  func `a phone's photo stored in any way is turned once, by whoever shows it`(
    orientation: Orientation
  ) throws {
    let stored = MarkedPicture(width: 4032, height: 3024, orientation: orientation)
    // The orientation of the thumbnail is another one, and not the picture's.
    let photo = try stored.jpeg([stored.exif(thumbnail: orientation == .flip ? .mirror : .flip)])
    let copy = try SmallCopy.make(of: photo)
    let facts = PhotoFacts(jpeg: copy)
    #expect(
      [facts.width, facts.height] == (orientation.isSideways ? [1536, 2048] : [2048, 1536]))
    #expect(facts.orientation == orientation)
    #expect(facts.capturedAt == "2026-05-04T19:12:33+02:00")
    #expect(facts.place == Place(latitude: 48.8583, longitude: -2.2945))
    let shown = try DerivedCopy.thumbnail.make(of: copy)
    #expect(PhotoFacts(jpeg: shown).width == 320 && PhotoFacts(jpeg: shown).height == 240)
    try Self.expectMarks(shown, "\(orientation)")
    #expect(try SmallCopy.make(of: copy) == copy)
  }

  @Test func `a picture far too large is halved as it is decoded, however it is stored`() throws {
    for sampling in [
      TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY,
    ] {
      for flags in [0, TJFLAG_PROGRESSIVE] {
        for (width, height) in [(640, 480), (1_281, 961), (2_047, 313), (331, 1_999)] {
          let photo = try MarkedPicture(
            width: width, height: height, sampling: sampling, flags: flags
          ).jpeg()
          for edge in [160, 200, 250, 319] {
            let copy = try SmallCopy.make(of: photo, longEdge: edge)
            let picture = try JPEGDecoder.decode(copy)
            #expect(max(picture.width, picture.height) == edge)
            // Of each length no more is made than twice what is asked for.
            let made = try JPEGDecoder.decode(photo, forLongEdge: edge)
            #expect(max(made.width, made.height) <= max(2 * edge, max(width, height) / 8 + 1))
            let short = Double(edge * min(width, height)) / Double(max(width, height))
            #expect(abs(Double(min(picture.width, picture.height)) - short) < 1)
            try Self.expectMarks(copy, "\(sampling) \(flags) \(width) to \(edge)")
          }
        }
      }
    }
  }

  @Test func `colours that no camera stores, and sizes of nothing, are refused in words`() throws {
    let cmyk = #expect(throws: CaptureError.self) {
      _ = try SmallCopy.make(of: try MarkedPicture().jpeg(cmyk: true))
    }
    #expect(cmyk?.description.contains("not stored as cameras store them") == true)
    let dot = try MarkedPicture(width: 1, height: 1).jpeg()
    #expect(try SmallCopy.make(of: dot) == dot)
    // A picture of 12 bits a sample, and one without a height.
    for (at, byte) in [(4, UInt8(12)), (6, 0)] {
      var other = try MarkedPicture(width: 96, height: 1).jpeg()
      let frame = try #require(other.ranges(of: [0xff, 0xc0]).first?.lowerBound)
      other[frame + at] = byte
      #expect(throws: CaptureError.self, "byte \(at)") {
        _ = try SmallCopy.make(of: other, longEdge: 48)
      }
    }
  }

  private static func expectMarks(_ jpeg: [UInt8], _ note: Comment) throws {
    for (found, drawn) in zip(try MarkedPicture.quarters(of: jpeg), MarkedPicture.quarters) {
      #expect(abs(found - Int(drawn)) <= 6, note)
    }
  }
}
