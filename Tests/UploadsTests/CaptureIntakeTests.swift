import Bench
import Captures
import FoundationEssentials
import Quantities
import TestSupport
import Testing
import Uploads

struct CaptureIntakeTests {
  private let files = SimulatedDisk()

  private func intake(fileBytesMax: Int = 100) -> CaptureIntake {
    CaptureIntake(
      fileSystem: files, folder: "/captures", timeZone: "Europe/Paris",
      facts: { CameraFacts(taken: "bytes: \($0.count)", place: nil) },
      fileBytesMax: fileBytesMax)
  }

  private func put(_ truths: [CaptureTruth]) throws {
    let list = try JSONEncoder().encode(CaptureSet(seed: 7, captures: truths))
    try files.put("/captures/captures.json", Array(list))
  }

  private func file(_ name: String, _ count: Int) throws -> CaptureFile {
    try files.put("/captures/\(name)", [UInt8](repeating: 1, count: count))
    return CaptureFile(file: name, bytes: count, sha256: "")
  }

  @Test func `a photo is both its files, with the facts of the original`() throws {
    try put([
      try CaptureTruth(name: "p", original: file("p.jpg", 9), copy: file("p-copy.JPEG", 4))
    ])
    let draft = try intake(fileBytesMax: 1_000).draft(of: "p", note: " a view \n")
    #expect(
      draft
        == CaptureDraft(
          capture: "p", kind: .photo, note: "a view", taken: "bytes: 9",
          timeZone: "Europe/Paris",
          files: [
            CaptureDraft.File(
              step: .copy, path: "/captures/p-copy.JPEG", bytes: 4, type: "image/jpeg"),
            CaptureDraft.File(
              step: .original, path: "/captures/p.jpg", bytes: 9, type: "image/jpeg"),
          ]))
  }

  @Test func `the original speaks first, and its copy for what it leaves out`() throws {
    let camera = CameraFacts(
      taken: "2026-05-04T19:12:33", place: Place(latitude: 48, longitude: 2))
    let other = CameraFacts(
      taken: "1999-01-01T00:00:00Z", place: Place(latitude: -33, longitude: 151))
    let nothing = CameraFacts()
    for (original, copy, believed) in [
      (camera, other, camera), (nothing, camera, camera), (nothing, nothing, nothing),
      (
        CameraFacts(taken: camera.taken), other,
        CameraFacts(taken: camera.taken, place: other.place)
      ),
      (
        CameraFacts(place: camera.place), other,
        CameraFacts(taken: other.taken, place: camera.place)
      ),
    ] {
      try put([
        try CaptureTruth(name: "p", original: file("p.jpg", 9), copy: file("p-copy.jpg", 4))
      ])
      let intake = CaptureIntake(
        fileSystem: files, folder: "/captures", timeZone: "Europe/Paris",
        facts: { $0.count == 9 ? original : copy }, fileBytesMax: 1_000)
      let draft = try intake.draft(of: "p")
      #expect(draft.taken == believed.taken)
      #expect(draft.place == believed.place)
    }
  }

  @Test func `no more than the head of a photo is read, whatever its size`() throws {
    try put([try CaptureTruth(name: "p", original: file("p.jpg", 1_000_000))])
    let draft = try intake(fileBytesMax: 1_000_000).draft(of: "p")
    #expect(draft.taken == "bytes: \(PhotoFacts.headBytes)")
    #expect(draft.files.map(\.bytes) == [1_000_000])
  }

  @Test func `a document is its one file, and no camera knows of it`() throws {
    try put([try CaptureTruth(name: "d", document: file("d.pdf", 9))])
    let draft = try intake(fileBytesMax: 1_000).draft(of: "d")
    #expect(draft.kind == .document)
    #expect(draft.taken == nil)
    #expect(draft.files.map(\.type) == ["application/pdf"])
  }

  private func failure(_ name: String, fileBytesMax: Int = 1_000) -> String? {
    let error = #expect(throws: SaveFailure.self) {
      _ = try intake(fileBytesMax: fileBytesMax).draft(of: name)
    }
    return error?.description
  }

  @Test func `of a plate the first photo that tells is believed, for time and place each`() throws {
    let photos = try [9, 8, 7].map { try file("p.\($0).jpg", $0) }
    try put([CaptureTruth(name: "p", photos: photos)])
    let intake = CaptureIntake(
      fileSystem: files, folder: "/captures", timeZone: "Europe/Paris",
      facts: { head in
        CameraFacts(
          taken: head.count == 9 ? nil : "of \(head.count)",
          place: head.count == 7 ? Place(latitude: 1, longitude: 2) : nil)
      })
    let draft = try intake.draft(of: "p")
    #expect(draft.kind == .plate)
    #expect(draft.files.map(\.step) == [.staged(1), .staged(2), .staged(3)])
    #expect(draft.taken == "of 8")
    #expect(draft.place == Place(latitude: 1, longitude: 2))
  }

  @Test func `a plate of more photos than the engine takes is not saved`() throws {
    let photo = try file("p.jpg", 9)
    try put([
      CaptureTruth(
        name: "p", photos: Array(repeating: photo, count: CaptureIntake.filesMax + 1))
    ])
    let failure = #expect(throws: SaveFailure.self) {
      try intake(fileBytesMax: 100_000).draft(of: "p")
    }
    #expect(failure?.description == "p has 65 photos, and a plate 64 at most")
  }

  @Test func `what cannot be taken in is said with its place and a way out`() throws {
    #expect(failure("p") == "/captures/captures.json: no such file")
    try files.put("/captures/captures.json", [1])
    #expect(failure("p") == "/captures/captures.json is no list of captures; make it again")
    try put([
      try CaptureTruth(name: "p", original: file("p.jpg", 1_001)), CaptureTruth(name: "none"),
      CaptureTruth(
        name: "lost", original: CaptureFile(file: "lost.jpg", bytes: 1, sha256: "")),
    ])
    #expect(failure("p") == "/captures/p.jpg: it is larger than 1 KB")
    #expect(failure("lost") == "/captures/lost.jpg: no such file")
    #expect(failure("none") == "none has no files in captures.json; make the captures again")
    #expect(
      failure("q") == "no capture is named \"q\" in /captures; there are: p, none, lost")
  }
}
