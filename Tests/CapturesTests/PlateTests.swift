import Captures
import Quantities
import Testing

struct PlateTests {
  private func make(_ photos: Int, seed: UInt64 = 7) throws -> MadeCapture {
    try CaptureMaker(seed: seed).make(
      CapturePlan(
        name: "plate-1", kind: .plate(PlatePlan(photos: photos, size: .kilobytes(30)))))
  }

  @Test func `a plate is photos of one exact size, each another picture of one time and place`()
    throws
  {
    let made = try make(3)
    #expect(made.files.map(\.name) == ["plate-1.1.jpg", "plate-1.2.jpg", "plate-1.3.jpg"])
    #expect(made.files.map(\.bytes.count) == [30_000, 30_000, 30_000])
    #expect(Set(made.files.map(\.bytes)).count == 3)
    for file in made.files {
      let facts = PhotoFacts(jpeg: file.bytes)
      #expect(facts.capturedAt == made.truth.taken)
      #expect(facts.place == made.truth.place && facts.place != nil)
    }
    #expect(made.truth.files.map(\.step) == [.staged(1), .staged(2), .staged(3)])
    #expect(made.truth.files.map(\.file.sha256) == made.files.map { sha256(of: $0.bytes) })
    // A photo does not depend on how many follow it.
    #expect(try make(2).files[1] == made.files[1])
    #expect(try make(2, seed: 8).files[1] != made.files[1])
  }

  @Test func `the list of captures holds the photos of a plate to its folder`() throws {
    var set = CaptureSet(seed: 7, captures: [try make(2).truth])
    let read = try CaptureSet(json: set.json())
    #expect(read == set)
    set.captures[0].photos?[1].file = "../x.jpg"
    let json = try set.json()
    let error = #expect(throws: CaptureError.self) { try CaptureSet(json: json) }
    #expect(error?.description.contains("captures[0].photos[1].file") == true)
  }

  @Test(arguments: [-1, 0, 1, 65])
  func `a plate has 2 to 64 photos`(photos: Int) {
    let error = #expect(throws: CaptureError.self) { try make(photos) }
    #expect(
      error?.description
        == "plate-1 cannot be a plate of \(photos); a plate has 2 to 64 photos")
  }
}
