import Captures
import Testing

@Suite struct CaptureSetTextTests {
  private static let digest = String(repeating: "ab", count: 32)
  private static let set = CaptureSet(
    seed: 18_446_744_073_709_551_615,
    captures: [
      CaptureTruth(
        name: "photo-1", taken: "2026-05-04T19:12:33+02:00",
        place: Place(latitude: 48.8583, longitude: -2.2945),
        original: CaptureFile(
          file: "photo-1.jpg", bytes: 4_310_000, sha256: digest, width: 4032, height: 3024)),
      CaptureTruth(
        name: "paper", document: CaptureFile(file: "paper.pdf", bytes: 2_000, sha256: digest)),
    ])
  private static let text = """
    {
      "captures" : [
        {
          "name" : "photo-1",
          "original" : {
            "bytes" : 4310000,
            "file" : "photo-1.jpg",
            "height" : 3024,
            "sha256" : "\(digest)",
            "width" : 4032
          },
          "place" : {
            "lat" : 48.8583,
            "lon" : -2.2945
          },
          "taken" : "2026-05-04T19:12:33+02:00"
        },
        {
          "document" : {
            "bytes" : 2000,
            "file" : "paper.pdf",
            "sha256" : "\(digest)"
          },
          "name" : "paper"
        }
      ],
      "seed" : 18446744073709551615
    }

    """

  @Test func `a list is written with sorted keys and read back the same`() throws {
    let json = try Self.set.json()
    #expect(String(decoding: json, as: UTF8.self) == Self.text)
    #expect(try CaptureSet(json: json) == Self.set)
  }

  @Test func `a place that is no number is not written`() {
    var set = Self.set
    set.captures[0].place = Place(latitude: .nan, longitude: 0)
    #expect(throws: CaptureError.self) { _ = try set.json() }
  }

  @Test(arguments: [
    (
      "\"lat\" : 48.8583", "\"lat\" : \"north\"",
      "captures[0].place.lat: the value is of another kind"
    ),
    ("\"bytes\" : 2000,", "", "captures[1].document.bytes: the key is missing"),
    ("\"bytes\" : 2000", "\"bytes\" : -1", "captures[1].document.bytes: -1 is below 0"),
    (
      "\"paper.pdf\"", "\"../paper.pdf\"",
      "captures[1].document.file: \"../paper.pdf\" is not the name of a file in the folder"
    ),
    (
      "\(digest)\",\n        \"width", "AB\",\n        \"width",
      "captures[0].original.sha256: expected 64 lowercase hexadecimal digits"
    ),
    ("\"seed\"", "seed", "the whole file: it is not JSON"),
  ])
  func `what is wrong in a list is said with its place`(old: String, new: String, message: String)
    throws
  {
    let pieces = Self.text.split(separator: old, maxSplits: 1)
    try #require(pieces.count == 2, "the change does not apply")
    let error = #expect(throws: CaptureError.self) {
      _ = try CaptureSet(json: Array("\(pieces[0])\(new)\(pieces[1])".utf8))
    }
    #expect(error?.description == "captures.json: \(message); make the captures again")
  }
}
