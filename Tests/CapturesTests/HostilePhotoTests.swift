import Captures
import Quantities
import Testing

/// Photos that are broken, or made to break a reader.
@Suite struct HostilePhotoTests {
  /// Heads with everything that is read, in both byte orders, and with makers whose notes libexif
  /// takes apart.
  private static let heads: [[UInt8]] = [ExifBlock.ByteOrder.big, .little].flatMap { order in
    ["onebar", "Canon", "NIKON", "OLYMPUS OPTICAL", "FUJIFILM", "PENTAX"].map { maker in
      var forge = ExifForge.photo(order, fraction: "25")
      forge.image.fields[0] = forge.ascii(0x010f, maker + "\0")
      let note = Array(maker.utf8) + [0] + forge.number(UInt16(3)) + forge.payload.suffix(120)
      forge.addToExposure(
        .init(tag: 0x927c, type: 7, count: UInt32(note.count), bytes: note))
      forge.thumbnail = .init(fields: [forge.short(0x0112, 3)])
      return forge.head
    }
  }

  private static func isSensible(_ facts: PhotoFacts) -> Bool {
    let place = facts.place.map {
      $0.latitude.magnitude <= 90 && $0.longitude.magnitude <= 180
        && ($0.latitude != 0 || $0.longitude != 0)
    }
    let taken = facts.taken.map { (19...29).contains($0.utf8.count) && $0.utf8.count != 20 }
    let offset = facts.offset.map { $0.utf8.count == 6 && $0 != "-00:00" }
    let size = facts.width.map { (1...65_535).contains($0) }
    return (place ?? true) && (taken ?? true) && (offset ?? true) && (size ?? true)
  }

  @Test func `no damage to a photo's head ends the reader or makes it believe nonsense`() {
    var random = SeededRandom(seed: 54)
    let whole = Self.heads.map { PhotoFacts(jpeg: $0) }
    #expect(whole.allSatisfy { $0.capturedAt == "2026-05-04T19:12:33.25+02:00" })
    var (senseless, different, withPlace) = (0, 0, 0)
    let rounds = 200_000
    for round in 0..<rounds {
      let which = round % Self.heads.count
      var head = Self.heads[which]
      var word = random.next()
      // Mostly within the EXIF data, where a change says something else.
      for _ in 0...word & 3 {
        word = random.next()
        let at = Int(truncatingIfNeeded: word >> 32) % head.count
        switch word & 7 {
        case 0, 1: head[at] = UInt8(truncatingIfNeeded: word >> 8)
        case 2: head[at] ^= 1 << UInt8((word >> 8) & 7)
        case 3: head[at] = 0
        case 4: head[at] = 0xff
        case 5: head[at] = head[Int(truncatingIfNeeded: (word >> 8) & 0xffff) % head.count]
        case 6: head[at] &+= 1
        default: if word & 0xf00 == 0 { head.removeSubrange(max(at, 1)...) }
        }
      }
      let facts = PhotoFacts(jpeg: head)
      if !Self.isSensible(facts) { senseless += 1 }
      if facts != whole[which] { different += 1 }
      if facts.place != nil { withPlace += 1 }
    }
    #expect(senseless == 0)
    // The damage reaches the facts, and does not always destroy them.
    #expect(different > rounds / 10)
    #expect(withPlace > rounds / 10)
  }

  @Test func `a head cut at any byte gives the facts of the whole or none`() {
    for head in Self.heads {
      let whole = PhotoFacts(jpeg: head)
      for count in 0..<head.count {
        let facts = PhotoFacts(jpeg: Array(head[..<count]))
        #expect(facts.capturedAt == nil || facts.capturedAt == whole.capturedAt)
        #expect(facts.place == nil || facts.place == whole.place)
        #expect(facts.orientation == nil || facts.orientation == whole.orientation)
      }
    }
  }

  @Test func `a segment that ends within its EXIF data gives what is left of it`() {
    for order in [ExifBlock.ByteOrder.big, .little] {
      let payload = ExifForge.photo(order).payload
      for count in 0..<payload.count {
        let facts = PhotoFacts(
          jpeg: ExifForge.head([JPEGSegments.segment(0xe1, Array(payload[..<count]))]))
        #expect(facts.taken == nil || facts.taken == "2026-05-04T19:12:33")
        #expect(facts.offset == nil || facts.offset == "+02:00")
        #expect(facts.place == nil || facts.place == Place(latitude: 48.8583, longitude: -2.2945))
        #expect(facts.width == 640)
      }
    }
  }

  @Test func `directories that point at each other end`() {
    for order in [ExifBlock.ByteOrder.big, .little] {
      let last = UInt32(ExifForge.photo(order).payload.count - JPEGSegments.exifTag.count)
      for at in [0, 4, 8, 14, 20, last - 1, last, last + 1, 0x7fff_ffff, 0xffff_fff0, .max] {
        var forge = ExifForge.photo(order)
        forge.exposureAt = at
        #expect(Self.isSensible(PhotoFacts(jpeg: forge.head)))
        forge.positionAt = at
        forge.image.next = at
        #expect(Self.isSensible(PhotoFacts(jpeg: forge.head)))
        forge = .photo(order)
        forge.addToExposure(forge.long(0xa005, at))
        forge.position?.next = at
        #expect(PhotoFacts(jpeg: forge.head).place == Place(latitude: 48.8583, longitude: -2.2945))
      }
    }
  }

  @Test func `thousands of pointers to thousands of entries take no long time`() {
    // The largest that a segment holds; each pointer is to the same directory of unknown tags.
    for order in [ExifBlock.ByteOrder.big, .little] {
      var forge = ExifForge(order: order)
      forge.image.fields = (0..<3_000).map { _ in forge.long(0x8769, 0) }
      forge.exposure = .init(
        fields: (0..<2_400).map { .init(tag: 0x4000 + $0, type: 2, count: .max, bytes: [1]) })
      let head = forge.head
      #expect(head.count > 64_000)
      let start = ContinuousClock.now
      #expect(PhotoFacts(jpeg: head).capturedAt == nil)
      #expect(ContinuousClock.now - start < .seconds(10))
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 19, 20, 21, 1_000, 65_535, 0x1000_0000, 0x2000_0001, .max])
  func `an absurd count is no value`(count: UInt32) {
    for order in [ExifBlock.ByteOrder.big, .little] {
      for type in [UInt16(0), 1, 2, 3, 5, 7, 10, 12, 13, 0xffff] {
        var forge = ExifForge.photo(order)
        for directory in [\ExifForge.exposure, \.position] {
          for index in (forge[keyPath: directory]?.fields ?? []).indices {
            forge[keyPath: directory]?.fields[index].count = count
            forge[keyPath: directory]?.fields[index].type = type
          }
        }
        let facts = PhotoFacts(jpeg: forge.head)
        #expect(Self.isSensible(facts))
        // 20 bytes are the time with its zero, 19 the time without.
        #expect(facts.taken == nil || type == 2 && (19...21).contains(count))
        #expect(facts.place == nil)
      }
    }
  }
}
