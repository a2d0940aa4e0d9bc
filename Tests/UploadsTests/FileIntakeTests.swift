import Bench
import Captures
import Quantities
import Testing
import Uploads

struct FileIntakeTests {
  private let files = SimulatedDisk()
  private static let photo = Result {
    try CaptureMaker(seed: 3).make(
      CapturePlan(
        name: "p", kind: .photo(PhotoPlan(original: ByteCount(120_000), copy: ByteCount(60_000))))
    ).files[0].bytes
  }

  private func take(
    _ bytes: [UInt8], as name: String = "p.jpg", fileBytesMax: Int = 1_000_000,
    photoBytesMax: Int = 1_000_000, place: Place? = nil
  ) throws -> FileIntake.Taken {
    try files.put("/photos/\(name)", bytes)
    return try FileIntake(
      fileSystem: files, timeZone: "Europe/Paris", fileBytesMax: fileBytesMax,
      photoBytesMax: photoBytesMax
    ).take("/photos/\(name)", as: name, note: " a view ", place: place)
  }

  @Test func `a photo speaks for itself, whatever the user says of its place`() throws {
    let photo = try Self.photo.get()
    let taken = try take(photo, place: Place(latitude: 1, longitude: 2))
    let facts = PhotoFacts(jpeg: photo)
    #expect(taken.draft.taken == facts.capturedAt)
    #expect(taken.draft.place == facts.place)
    #expect(taken.timeSource == .camera && taken.placeSource == .camera)
    #expect(taken.draft.note == "a view")
    #expect(taken.draft.kind == .photo)
    #expect(taken.draft.files.map(\.step) == [.copy, .original])
    #expect(taken.draft.files[1].bytes == photo.count)
    #expect(taken.draft.files[1].made == nil)
    #expect(taken.withoutCopy == nil)
  }

  @Test func `without EXIF data the device's clock and the user's place count`() throws {
    let photo = try Self.photo.get()
    let segment = try #require(JPEGSegments(photo).exif)
    var bare = photo
    bare.removeSubrange(segment.range)
    let place = Place(latitude: -33.8, longitude: 151.2)
    let taken = try take(bare, place: place)
    #expect(taken.draft.taken == nil && taken.timeSource == .device)
    #expect(taken.draft.place == place && taken.placeSource == .user)
    #expect(try take(bare).placeSource == nil)
  }

  @Test func `a photo of which no copy can be made is kept without, and why is said`() throws {
    let photo = try Self.photo.get()
    let large = try take(photo, photoBytesMax: photo.count - 1)
    #expect(large.draft.files.map(\.step) == [.original])
    #expect(large.draft.taken != nil)
    #expect(large.withoutCopy?.contains("it is larger than") == true)
    // A frame of 640 x 480 and no scan.
    let head = Array("Exif".utf8)
    let stub: [UInt8] =
      [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 1, 0xe0, 2, 0x80, 1, 1, 0x11, 0] + head
    let taken = try take(stub)
    #expect(taken.draft.files.map(\.step) == [.original])
    #expect(taken.withoutCopy?.hasPrefix("this JPEG cannot be worked on: ") == true)
  }

  @Test func `a plate is its photos as they are, or nothing`() throws {
    let photo = try Self.photo.get()
    for name in ["1.jpg", "2.jpg"] { try files.put("/photos/\(name)", photo) }
    try files.put("/photos/3.pdf", Array("%PDF-1.4".utf8))
    let intake = FileIntake(fileSystem: files, timeZone: "Europe/Paris")
    let taken = try intake.takePlate(["/photos/1.jpg", "/photos/2.jpg"], as: "1.jpg")
    #expect(taken.draft.kind == .plate)
    #expect(taken.draft.files.map(\.step) == [.staged(1), .staged(2)])
    #expect(taken.draft.files.allSatisfy { $0.bytes == photo.count && $0.made == nil })
    #expect(taken.draft.taken == PhotoFacts(jpeg: photo).capturedAt)
    #expect(taken.timeSource == .camera && taken.placeSource == .camera)
    for (paths, words) in [
      (["/photos/1.jpg"], "and 1 are named"),
      (["/photos/1.jpg", "/photos/3.pdf"], "/photos/3.pdf: a plate is made of JPEG photos"),
    ] {
      let refusal = #expect(throws: SaveFailure.self) {
        _ = try intake.takePlate(paths, as: "plate")
      }
      #expect(refusal?.description.contains(words) == true)
    }
  }

  @Test(arguments: [
    ("%PDF-1.4 ...", "a.pdf", "application/pdf"), ("x\n%PDF-1.4", "no-name", "application/pdf"),
    (
      "PK\u{3}\u{4}..", "a.DOCX",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    ),
  ])
  func `a document is known by its content`(text: String, name: String, type: String) throws {
    let taken = try take(Array(text.utf8), as: name)
    #expect(taken.draft.kind == .document)
    #expect(taken.draft.files.map(\.step) == [.document])
    #expect(taken.draft.files.map(\.type) == [type])
  }

  @Test(
    arguments: [
      ([], "p.jpg", "it is empty"),
      ([0x89] + Array("PNG\r\n\u{1a}\n".utf8), "p.jpg", "it is a PNG picture, and only JPEG"),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), "p.jpg", "it is a HEIC picture, and only JPEG"),
      (Array("PK\u{3}\u{4}".utf8), "a.zip", "it is neither a JPEG photo nor a PDF or Word"),
      ([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0], "p.jpg", "ends before its picture does"),
    ] as [([UInt8], String, String)])
  func `what is neither is refused by its name`(
    bytes: [UInt8], name: String, words: String
  ) throws {
    let refusal = #expect(throws: SaveFailure.self) { _ = try take(bytes, as: name) }
    #expect(refusal?.description.hasPrefix("/photos/\(name): ") == true)
    #expect(refusal?.description.contains(words) == true)
  }

  @Test func `a file beyond the limit, or none, is refused`() throws {
    let large = #expect(throws: SaveFailure.self) {
      _ = try take(Array("%PDF-1.4".utf8), fileBytesMax: 7)
    }
    #expect(large?.description == "/photos/p.jpg: it is larger than 7 B")
    let none = #expect(throws: SaveFailure.self) {
      _ = try FileIntake(fileSystem: files, timeZone: "").take("/photos/none", as: "none")
    }
    #expect(none?.description == "/photos/none: no such file")
  }
}
