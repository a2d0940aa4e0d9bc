import Quantities

extension DocumentPlan {
  /// Bytes; what one line of text needs.
  package static let smallestFile = 1_000
  /// Bytes; as far as a cross-reference table of a text this simple is tried.
  package static let largestFile = 50_000_000
}

/// Makes a PDF of exactly a size, with text from a seed.
///
/// The text stands uncompressed on pages of 48 lines in Helvetica, which every reader has; the last
/// page has as many lines as fit, and comment lines of the same words fill what is left. Source: ISO
/// 32000-1, sections 7.5 (structure) and 9.4 (text).
struct DocumentMaker {
  private static let linesPerPage = 48
  private static let lineLength = 84
  /// Catalogue, page tree and font come before the pages.
  private static let firstPage = 4
  private static let tableEntrySize = 20
  /// The first bytes: the comment of bytes above 127 says that the file is not text.
  private static let header = Array("%PDF-1.4\n%".utf8) + [0xe2, 0xe3, 0xcf, 0xd3, 0x0a]
  private static let fixedObjects = [
    "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n",
    "3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n",
  ]
  private static let words = [
    "river", "engine", "copy", "line", "window", "signal", "morning", "paper", "station", "weather",
    "number", "letter", "garden", "bridge", "record", "answer", "distance", "yellow", "quiet",
    "small", "heavy", "before", "after", "along", "under", "carries", "waits", "counts", "reads",
    "sends", "keeps", "measures", "the", "a", "one", "each", "and", "or", "with", "from",
  ]

  let file: String
  let size: Int
  private var random: SeededRandom
  private var bytes = DocumentMaker.header
  /// Where each object starts; the index is its number, and 0 is not one.
  private var offsets = [Int](repeating: 0, count: DocumentMaker.firstPage)
  /// The pages as the page tree names them, and the bytes of that.
  private var kids: [String] = []
  private var kidsSize = 0

  init(file: String, size: Int, random: SeededRandom) {
    self.file = file
    self.size = size
    self.random = random
  }

  mutating func make() throws -> [UInt8] {
    if size < DocumentPlan.smallestFile {
      throw CaptureError.tooSmall(file: file, asked: size, smallest: DocumentPlan.smallestFile)
    }
    if size > DocumentPlan.largestFile {
      throw CaptureError.tooLarge(file: file, asked: size, largest: DocumentPlan.largestFile)
    }
    bytes.reserveCapacity(size)
    for (number, object) in zip([1, 3], Self.fixedObjects) {
      offsets[number] = bytes.count
      bytes += object.utf8
    }
    while addPage() {}
    fillUp()
    offsets[2] = bytes.count
    bytes += Self.pageTree(kids, count: kids.count)
    bytes += Self.trailer(offsets: offsets, count: offsets.count, at: bytes.count)
    return bytes
  }

  /// Adds a page with as many lines as fit; false when not one does.
  private mutating func addPage() -> Bool {
    let (page, content) = (offsets.count, offsets.count + 1)
    let head = Array(
      """
      \(page) 0 obj
      << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] \
      /Resources << /Font << /F1 3 0 R >> >> /Contents \(content) 0 R >>
      endobj

      """.utf8)
    let kid = Self.kid(page)
    let room =
      size - bytes.count - head.count
      - Self.closingSize(pages: kids.count + 1, kids: kidsSize + kid.utf8.count)
    var stream = Array("BT /F1 11 Tf 15 TL 56 786 Td\n".utf8)
    var lines = 0
    while lines < Self.linesPerPage {
      let line = Array("(\(Self.line(&random))) '\n".utf8)
      guard Self.contentObject(content, stream + line).count <= room else { break }
      stream += line
      lines += 1
    }
    guard lines > 0 else { return false }
    offsets += [bytes.count, bytes.count + head.count]
    kids.append(kid)
    kidsSize += kid.utf8.count
    bytes += head
    bytes += Self.contentObject(content, stream)
    return lines == Self.linesPerPage
  }

  private static func contentObject(_ number: Int, _ text: [UInt8]) -> [UInt8] {
    let stream = text + Array("ET\n".utf8)
    return Array("\(number) 0 obj\n<< /Length \(stream.count) >>\nstream\n".utf8) + stream
      + Array("endstream\nendobj\n".utf8)
  }

  /// Comment lines of words, up to where the closing parts must begin.
  private mutating func fillUp() {
    var left = size - bytes.count - Self.closingSize(pages: kids.count, kids: kidsSize)
    while left > 0 {
      let length = min(left, Self.lineLength)
      // A line is a mark, words and its end; one byte alone is an empty line.
      let text = length > 1 ? Array("%\(Self.line(&random))".utf8) : []
      let padded = text + [UInt8](repeating: UInt8(ascii: " "), count: Self.lineLength)
      bytes += padded.prefix(length - 1) + [0x0a]
      left -= length
    }
  }

  private static func line(_ random: inout SeededRandom) -> String {
    var text = ""
    while true {
      let word = random.pick(words)
      guard text.utf8.count + word.utf8.count + 1 < lineLength else { return text + "." }
      text += text.isEmpty ? word : " " + word
    }
  }

  /// Bytes of page tree, table and trailer, if that many pages have names of `kids` bytes together.
  private static func closingSize(pages: Int, kids: Int) -> Int {
    pageTree([], count: pages).count + kids
      + trailer(offsets: [], count: firstPage + 2 * pages, at: 0).count
      + (firstPage + 2 * pages) * tableEntrySize
  }

  private static func kid(_ page: Int) -> String { "\(page) 0 R\n" }

  private static func pageTree(_ kids: [String], count: Int) -> [UInt8] {
    Array(
      """
      2 0 obj
      << /Type /Pages /Count \(count) /Kids [
      \(kids.joined())] >>
      endobj

      """.utf8)
  }

  /// The table of offsets, and where it stands.
  private static func trailer(offsets: [Int], count: Int, at start: Int) -> [UInt8] {
    var bytes = Array("xref\n0 \(count)\n".utf8)
    for (number, offset) in offsets.enumerated() {
      bytes += (number == 0 ? "0000000000 65535 f \n" : "\(tenDigits(offset)) 00000 n \n").utf8
    }
    // Its own offset has ten digits too, so that its length does not depend on its place.
    bytes +=
      """
      trailer
      << /Size \(count) /Root 1 0 R >>
      startxref
      \(tenDigits(start))
      %%EOF

      """.utf8
    return bytes
  }

  private static func tenDigits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }
}
