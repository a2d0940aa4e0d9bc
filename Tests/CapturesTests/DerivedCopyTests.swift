import CTurboJPEG
import Captures
import Quantities
import Testing

@Suite struct DerivedCopyTests {
  private static func expectMarks(_ jpeg: [UInt8], _ note: Comment) throws {
    for (found, drawn) in zip(try MarkedPicture.quarters(of: jpeg), MarkedPicture.quarters) {
      #expect(abs(found - Int(drawn)) <= 6, note)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `a copy of a photo stored in any way stands upright, and a copy of that one too`(
    orientation: Orientation
  ) throws {
    for thumbnail in [nil] + Orientation.allCases {
      let stored = MarkedPicture(orientation: orientation)
      let photo = try stored.jpeg([stored.exif(thumbnail: thumbnail)])
      for kind in DerivedCopy.allCases {
        let copy = try kind.make(of: photo)
        let picture = try JPEGDecoder.decode(copy)
        #expect([picture.width, picture.height] == [96, 64])
        try Self.expectMarks(copy, "\(orientation), thumbnail \(String(describing: thumbnail))")
        try Self.expectMarks(try kind.make(of: copy), "\(orientation), twice")
      }
    }
  }

  @Test(arguments: [Orientation.upright, .turnRight])
  func `the client's copy keeps its EXIF data unturned, and the engine's copy of it is turned once`(
    orientation: Orientation
  ) throws {
    let stored = MarkedPicture(width: 3024, height: 4032, orientation: orientation)
    let photo = try stored.jpeg([stored.exif(thumbnail: .halfTurn)])
    let small = try SmallCopy.make(of: photo)
    let facts = PhotoFacts(jpeg: small)
    #expect(
      [facts.width, facts.height] == (orientation.isSideways ? [2048, 1536] : [1536, 2048]))
    #expect(facts.orientation == orientation)
    #expect(facts.capturedAt == "2026-05-04T19:12:33+02:00")
    #expect(facts.place == Place(latitude: 48.8583, longitude: -2.2945))
    for source in [photo, small] {
      let display = try DerivedCopy.display.make(of: source)
      let picture = try JPEGDecoder.decode(display)
      #expect([picture.width, picture.height] == [1536, 2048])
      try Self.expectMarks(display, "display")
      let thumbnail = try JPEGDecoder.decode(try DerivedCopy.thumbnail.make(of: source))
      #expect([thumbnail.width, thumbnail.height] == [240, 320])
    }
  }

  @Test func `a copy tells nothing of its origin, and keeps comments and the colour profile`()
    throws
  {
    let stored = MarkedPicture(orientation: .turnRight)
    let comments = ["first", "second é"].map { JPEGSegments.segment(0xfe, Array($0.utf8)) }
    let profile = JPEGSegments.segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9])
    let secrets = [
      stored.exif(),
      JPEGSegments.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<secret/>".utf8)),
      JPEGSegments.segment(0xe1, Array("http://ns.adobe.com/xmp/extension/\0secret".utf8)),
      JPEGSegments.segment(0xed, Array("Photoshop 3.0\0secret".utf8)),
      JPEGSegments.segment(0xe2, Array("MPF\0secret".utf8)),
    ]
    let photo = try stored.jpeg([secrets[0], comments[0], profile] + secrets[1...] + [comments[1]])
    for kind in DerivedCopy.allCases {
      let copy = try kind.make(of: photo)
      let segments = JPEGSegments(copy)
      #expect(segments.exif == nil)
      #expect(
        segments.segments.filter { $0.marker >= 0xe0 }.map { Array(copy[$0.range]) }
          == [comments[0], profile, comments[1]])
      #expect(copy.ranges(of: Array("secret".utf8)).isEmpty)
    }
    // The client's own copy keeps its EXIF data too; sized down, so that it is made anew.
    let small = try SmallCopy.make(of: photo, longEdge: 48)
    let kept = JPEGSegments(small).segments.filter { $0.marker >= 0xe0 }
    #expect(kept.map { Array(small[$0.range]) } == [secrets[0], comments[0], profile, comments[1]])
  }

  @Test func `every way of storing colours and scans can be shown`() throws {
    for sampling in [
      TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY,
    ] {
      for flags in [0, TJFLAG_PROGRESSIVE] {
        for orientation in [Orientation.upright, .turnRight, .transverse] {
          for (width, height) in [(96, 64), (97, 65), (700, 31)] {
            let stored = MarkedPicture(
              width: width, height: height, orientation: orientation, sampling: sampling,
              flags: flags)
            let photo = try stored.jpeg([stored.exif()])
            let thumbnail = try DerivedCopy.thumbnail.make(of: photo)
            let picture = try JPEGDecoder.decode(thumbnail)
            #expect(picture.width == min(width, 320))
            #expect(picture.height == (width > 320 ? 14 : height))
            #expect(picture.planes.count == (sampling == TJSAMP_GRAY ? 1 : 3))
            try Self.expectMarks(thumbnail, "\(sampling) \(flags) \(orientation) \(width)")
          }
        }
      }
    }
    for (width, height) in [(1, 1), (1, 5_000), (5_000, 1), (2, 3)] {
      let stored = MarkedPicture(width: width, height: height, orientation: .turnLeft)
      let picture = try JPEGDecoder.decode(
        try DerivedCopy.display.make(of: try stored.jpeg([stored.exif()])))
      #expect([picture.width, picture.height] == [min(width, 2048), min(height, 2048)])
    }
  }

  private static func reason(_ photo: [UInt8]) -> String? {
    let error = #expect(throws: CaptureError.self) { _ = try DerivedCopy.display.make(of: photo) }
    return error?.description
  }

  @Test func `a photo that cannot be decoded has no copy, and a reason`() throws {
    let photo = try MarkedPicture().jpeg()
    for cause in [
      Self.reason([]), Self.reason([0xff, 0xd8]), Self.reason(Array("%PDF-1.4".utf8)),
      Self.reason(Array(photo[..<(photo.count / 2)])), Self.reason(ExifForge.photo().head),
    ] {
      #expect(cause?.hasPrefix("this JPEG cannot be worked on: ") == true)
    }
    #expect(
      Self.reason(try MarkedPicture().jpeg(cmyk: true))
        == "this JPEG cannot be worked on: its colours are not stored as cameras store them (YCbCr)"
    )
    // Four numbers in the head ask for gigabytes.
    let frame = try #require(photo.ranges(of: [0xff, 0xc0]).first?.lowerBound)
    var vast = photo
    vast.replaceSubrange(frame + 5..<frame + 9, with: [0x7f, 0xff, 0x7f, 0xff])
    #expect(
      Self.reason(vast)
        == "this JPEG cannot be worked on: 32767 x 32767 is more than 120000000 pixels")
  }

  @Test func `more scans than any camera writes are refused`() throws {
    let photo = try MarkedPicture(flags: TJFLAG_PROGRESSIVE).jpeg()
    let scan = try #require(photo.ranges(of: [0xff, 0xda]).last?.lowerBound)
    func bomb(scans count: Int) -> [UInt8] {
      let last = Array(photo[scan..<photo.count - 2])
      return photo[..<scan] + Array(repeating: last, count: count).flatMap { $0 }
        + photo.suffix(2)
    }
    // A repeated scan is wrong anyhow; it is the work until then that is bounded.
    #expect(Self.reason(bomb(scans: 400))?.contains("progression") == true)
    #expect(Self.reason(bomb(scans: 600))?.contains("more than 500 scans") == true)
  }

  @Test func `no damage to a photo ends the decoder`() throws {
    var random = SeededRandom(seed: 58)
    let photos = try [TJSAMP_420, TJSAMP_422].flatMap { sampling in
      try [0, TJFLAG_PROGRESSIVE].map { flags in
        let stored = MarkedPicture(orientation: .turnRight, sampling: sampling, flags: flags)
        return try stored.jpeg([stored.exif()])
      }
    }
    var (made, refused) = (0, 0)
    for round in 0..<4_000 {
      var photo = photos[round % photos.count]
      // The sizes stay: large pictures are only slow.
      let frame = photo.ranges(of: [0xff, round % 2 == 0 ? 0xc0 : 0xc2])[0].lowerBound
      let size = photo[frame + 5..<frame + 9]
      for _ in 0...random.next() % 3 {
        photo[Int(random.next() % UInt64(photo.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      photo.replaceSubrange(frame + 5..<frame + 9, with: size)
      do {
        let copy = try DerivedCopy.thumbnail.make(of: photo)
        made += 1
        #expect(try JPEGDecoder.decode(copy).width <= 320)
      } catch is CaptureError {
        refused += 1
      }
    }
    #expect(made > 400)
    #expect(refused > 400)
  }
}
