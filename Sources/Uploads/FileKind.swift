/// What a file is, by its first bytes; its name only tells Word documents from other archives.
package enum FileKind: Hashable, Sendable {
  case photo
  /// With its media type.
  case document(String)
  /// Neither, in words: what it is as far as that is known, and what to do.
  case other(String)

  /// Bytes that are looked at.
  package static let headBytes = 1_024

  package init(head: [UInt8], name: String) {
    func begins(with bytes: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: bytes)
    }
    func begins(with text: String, at offset: Int = 0) -> Bool {
      begins(with: Array(text.utf8), at: offset)
    }
    let lowercased = name.lowercased()
    if begins(with: [0xff, 0xd8, 0xff]) {
      self = .photo
    } else if !head.ranges(of: Array("%PDF-".utf8)).isEmpty {
      // Readers accept a PDF whose head stands anywhere in there.
      self = .document("application/pdf")
    } else if begins(with: "PK\u{3}\u{4}"), lowercased.hasSuffix(".docx") {
      self = .document(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
    } else if begins(with: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      lowercased.hasSuffix(".doc")
    {
      self = .document("application/msword")
    } else if head.isEmpty {
      self = .other("it is empty")
    } else {
      let pictures: [(String, Int, String)] = [
        ("PNG\r\n", 1, "a PNG picture"), ("GIF8", 0, "a GIF picture"),
        ("WEBP", 8, "a WebP picture"), ("ftyphei", 4, "a HEIC picture"),
        ("ftyphev", 4, "a HEIC picture"), ("ftypmif1", 4, "a HEIC picture"),
        ("ftypavif", 4, "an AVIF picture"), ("ftyp", 4, "a video"),
        ("II*\0", 0, "a TIFF picture"), ("MM\0*", 0, "a TIFF picture"),
      ]
      let known = pictures.first { begins(with: $0.0, at: $0.1) }?.2
      self = .other(
        known.map { "it is \($0), and only JPEG photos are taken; convert it first" }
          ?? "it is neither a JPEG photo nor a PDF or Word document")
    }
  }
}
