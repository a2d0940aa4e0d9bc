/// The text of a document, as far as this engine reads it, and why it reads no further.
struct DocumentText: Hashable, Sendable {
  /// Nil when none could be read.
  var text: String?
  /// A sentence; nil when all was read.
  var unread: String?

  /// Bytes of a document that are looked at: all connections wait while it is read.
  static let scannedMax = 256_000
  /// Bytes of a text that are kept: it is part of the record that a client reads back.
  static let keptMax = 16_000

  init(of document: [UInt8]) {
    if document.starts(with: "%PDF-".utf8) {
      readPDF(document)
    } else if document.starts(with: Self.zipMark) {
      unread = "It is a Word document, or another that is zipped, and no zip is opened here."
    } else {
      unread = "It is neither a PDF nor a Word document."
    }
  }

  private mutating func readPDF(_ document: [UInt8]) {
    var reader = PDFTextReader(document[..<min(document.count, Self.scannedMax)])
    let text = reader.read(atMost: Self.keptMax)
    self.text = text.isEmpty ? nil : text
    if !reader.isAtEnd || document.count > Self.scannedMax {
      unread =
        "Reading ends behind \(text.utf8.count) bytes of text and \(reader.position) of the file."
    } else if reader.skippedStreams > 0 {
      unread = "Streams that are compressed or encrypted: \(reader.skippedStreams), not read here."
    } else if text.isEmpty {
      unread = "No text stands in it."
    }
  }

  /// A local file header: APPNOTE.TXT (PKWARE) section 4.3.7.
  private static let zipMark: [UInt8] = [0x50, 0x4b, 0x03, 0x04]
}
