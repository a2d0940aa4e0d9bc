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
}
