import Captures
import Quantities
import Testing

/// What is believed of a photo, over generated EXIF data: every rule against every writing of it.
@Suite struct PhotoTruthTests {
  private static let orders = [ExifBlock.ByteOrder.big, .little]

  @Test(
    arguments: [
      (nil, nil), ("+02:00", "+02:00"), ("+05:45", "+05:45"), ("-09:30", "-09:30"),
      ("-00:00", "+00:00"), ("Z", "+00:00"), ("      ", nil), ("   :  ", nil),
      ("\0\0\0\0\0\0", nil),
      ("00:47:40", nil), ("+02", nil), ("+0200", nil), ("+24:00", nil), (" +02:00 ", "+02:00"),
    ] as [(String?, String?)])
  func `only the offset of the capture time is one, whatever the others say`(
    original: String?, believed: String?
  ) {
    for order in Self.orders {
      for ofChange in [nil, "+01:00", "-00:00"] as [String?] {
        for ofScan in [nil, "+03:00"] as [String?] {
          var forge = ExifForge.photo(order, offset: original)
          for (tag, text) in [(UInt16(0x9010), ofChange), (0x9012, ofScan)] {
            if let text { forge.addToExposure(forge.ascii(tag, text + "\0")) }
          }
          let facts = PhotoFacts(jpeg: forge.head)
          #expect(facts.offset == believed)
          #expect(facts.capturedAt == "2026-05-04T19:12:33" + (believed ?? ""))
        }
      }
    }
  }

  @Test func `a time without offset stays local, and an offset without time says nothing`() {
    for order in Self.orders {
      let local = PhotoFacts(jpeg: ExifForge.photo(order, offset: nil).head)
      #expect(local.capturedAt == "2026-05-04T19:12:33")
      let timeless = PhotoFacts(jpeg: ExifForge.photo(order, taken: nil).head)
      #expect(timeless.capturedAt == nil)
      // Not the time of the last change either, nor that of the scan.
      var changed = ExifForge.photo(order, taken: nil)
      changed.image.fields.append(changed.ascii(0x0132, "2026:05:04 19:12:33\0"))
      changed.addToExposure(changed.ascii(0x9004, "2026:05:04 19:12:33\0"))
      #expect(PhotoFacts(jpeg: changed.head).capturedAt == nil)
    }
  }

  @Test(
    arguments: [
      (nil, ""), ("5", ".5"), ("050", ".050"), ("123456789", ".123456789"), ("25  ", ".25"),
      ("1234567890", ""), ("   ", ""), ("-5", ""), ("1.5", ""), ("", ""),
    ] as [(String?, String)])
  func `a fraction of the second is kept as it is written`(digits: String?, believed: String) {
    for order in Self.orders {
      let facts = PhotoFacts(jpeg: ExifForge.photo(order, fraction: digits).head)
      #expect(facts.capturedAt == "2026-05-04T19:12:33\(believed)+02:00")
    }
    // The fraction of the last change is not that of the capture.
    var other = ExifForge.photo()
    other.addToExposure(other.ascii(0x9290, "75\0"))
    #expect(PhotoFacts(jpeg: other.head).taken == "2026-05-04T19:12:33")
  }

  @Test(arguments: [
    ("N", "E", 1.0, 1.0), ("N", "W", 1, -1), ("S", "E", -1, 1), ("S", "W", -1, -1),
    ("n", "e", 1, 1), ("s", "w", -1, -1), ("North", "West", 1, -1), (" S", "W ", -1, -1),
  ])
  func `the references give the signs, in every hemisphere and way of writing`(
    north: String, east: String, latitudeSign: Double, longitudeSign: Double
  ) {
    for order in Self.orders {
      for (latitude, longitude) in [(48.8583, 2.2945), (0.3713, 0.3713), (89.9999999, 179.5)] {
        let believed = Place(
          latitude: latitude * latitudeSign, longitude: longitude * longitudeSign)
        // As signed numbers too; and written negative already under S and W.
        for signed in [false, true] {
          for negative in signed ? [false, true] : [false] {
            let forge = ExifForge.photo(order) {
              $0.place(
                (north, negative ? latitude * min(latitudeSign, 1) : latitude),
                (east, negative ? longitude * min(longitudeSign, 1) : longitude), signed: signed)
            }
            #expect(PhotoFacts(jpeg: forge.head).place == believed)
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      (nil, "W"), ("N", nil), (nil, nil), ("", "W"), ("N", " "), ("E", "N"), ("W", "W"), ("X", "E"),
      ("N", "S"), ("+", "-"), ("\u{7f}", "E"),
    ] as [(String?, String?)])
  func `without a reference that is one there is no position`(north: String?, east: String?) {
    for order in Self.orders {
      let forge = ExifForge.photo(order) { $0.place((north, 48.8583), (east, 2.2945)) }
      #expect(PhotoFacts(jpeg: forge.head).place == nil)
    }
  }

  @Test func `a negative number under N or E contradicts itself and is no position`() {
    for order in Self.orders {
      for (latitude, longitude) in [(("N", -48.8), ("W", 2.2)), (("N", 48.8), ("E", -2.2))] {
        for signed in [false, true] {
          let forge = ExifForge.photo(order) { $0.place(latitude, longitude, signed: signed) }
          #expect(PhotoFacts(jpeg: forge.head).place == nil)
        }
      }
    }
  }

  @Test func `every mixture of zeros in a position is a place on the globe or none`() {
    let numbers: [(Int32, Int32)] = [(0, 0), (0, 1), (1, 0), (12, 1), (-1, 1), (0, -1)]
    for order in Self.orders {
      for signed in [false, true] {
        for index in 0..<(6 * 6 * 6 * 6) {
          let picked = [index % 6, index / 6 % 6, index / 36 % 6, index / 216].map { numbers[$0] }
          let forge = ExifForge.photo(order) {
            [
              $0.ascii(1, "N\0"), $0.rationals(2, picked[0...1] + [(0, 1)], signed: signed),
              $0.ascii(3, "W\0"), $0.rationals(4, picked[2...3] + [(0, 1)], signed: signed),
            ]
          }
          let facts = PhotoFacts(jpeg: forge.head)
          // By the rule, from the fractions themselves.
          let values = picked.map { number -> Double? in
            let divisor = signed ? Double(number.1) : Double(UInt32(bitPattern: number.1))
            let value = signed ? Double(number.0) : Double(UInt32(bitPattern: number.0))
            return divisor == 0 ? nil : value / divisor
          }
          guard let a = values[0], let b = values[1], let c = values[2], let d = values[3],
            a >= 0, b >= 0, b < 60, d.magnitude < 60, a < 90, c < 180,
            a != 0 || b != 0 || c != 0 || d != 0
          else {
            #expect(facts.place == nil)
            continue
          }
          let place = facts.place ?? Place(latitude: .nan, longitude: .nan)
          #expect(abs(place.latitude - (a + b / 60)) < 1e-7)
          #expect(abs(place.longitude + c.magnitude + d.magnitude / 60) < 1e-7)
          // No negative zero: it would be read as another place.
          #expect(place.longitude.sign == .minus || place.longitude == 0)
          #expect(place.latitude != 0 || place.latitude.sign == .plus)
        }
      }
    }
  }

  @Test func `the image's orientation counts, and the thumbnail's does not`() {
    for order in Self.orders {
      for own in Orientation.allCases {
        for small in Orientation.allCases {
          var forge = ExifForge(order: order)
          forge.image.fields = [forge.short(0x0112, UInt16(own.rawValue))]
          forge.thumbnail = ExifForge.Directory(
            fields: [forge.short(0x0112, UInt16(small.rawValue))])
          #expect(PhotoFacts(jpeg: forge.head).orientation == own)
          forge.image.fields = []
          #expect(PhotoFacts(jpeg: forge.head).orientation == nil)
        }
      }
      for senseless in [UInt16(0), 9, 255, 65_535] {
        var forge = ExifForge(order: order)
        forge.image.fields = [forge.short(0x0112, senseless)]
        #expect(PhotoFacts(jpeg: forge.head).orientation == nil)
      }
    }
  }

  @Test func `other application segments before or behind the EXIF data change nothing`() {
    let exif = JPEGSegments.segment(0xe1, ExifForge.photo().payload)
    let xmp = JPEGSegments.segment(
      0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x exif:DateTimeOriginal='1999-01-01'/>".utf8))
    let jfif = JPEGSegments.segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    let almost = JPEGSegments.segment(0xe1, Array("Exif".utf8))
    let second = JPEGSegments.segment(0xe1, ExifForge.photo(taken: "1999:01:01 00:00:00").payload)
    let believed = PhotoFacts(jpeg: ExifForge.head([exif]))
    #expect(believed.capturedAt == "2026-05-04T19:12:33+02:00")
    #expect(believed.place == Place(latitude: 48.8583, longitude: -2.2945))
    for segments in [
      [xmp, exif], [exif, xmp], [jfif, xmp, exif], [almost, exif], [exif, second],
      [[0xff], exif], [jfif, exif, almost, xmp],
    ] {
      #expect(PhotoFacts(jpeg: ExifForge.head(segments)) == believed)
    }
    let none = PhotoFacts(jpeg: ExifForge.head([jfif, xmp]))
    #expect(none.capturedAt == nil && none.place == nil && none.width == 640)
  }
}
