import Captures
import Quantities
import Testing

@Suite struct DocumentTests {
  private static func make(_ size: Int, seed: UInt64 = 7) throws -> MadeCapture {
    try CaptureMaker(seed: seed).make(
      CapturePlan(name: "paper", kind: .document(DocumentPlan(size: ByteCount(size)))))
  }

  @Test(arguments: [400_000, 1_000, 6_789, 1_234_567])
  func `a document has its size and every offset of its table is right`(size: Int) throws {
    let made = try Self.make(size)
    #expect(made.files.map(\.name) == ["paper.pdf"])
    let pdf = made.files[0].bytes
    #expect(pdf.count == size)
    #expect(made.truth.document?.bytes == size)
    #expect(made.truth.document?.sha256 == sha256(of: pdf))
    #expect(made.truth.original == nil && made.truth.copy == nil && made.truth.taken == nil)
    try Self.expectSoundStructure(pdf)
  }

  @Test func `every size from the smallest on is met exactly`() throws {
    for size in 1_000...1_800 {
      let pdf = try Self.make(size).files[0].bytes
      #expect(pdf.count == size)
      try Self.expectSoundStructure(pdf)
    }
  }

  private static func expectSoundStructure(_ pdf: [UInt8]) throws {
    #expect(pdf.starts(with: Array("%PDF-1.4\n".utf8)))
    let tail = String(decoding: pdf.suffix(30), as: UTF8.self).split(separator: "\n")
    #expect(tail.last == "%%EOF")
    let start = try #require(Int(tail[tail.count - 2]))
    let table = String(decoding: pdf[start...], as: UTF8.self)
    let lines = table.split(separator: "\n")
    #expect(lines[0] == "xref")
    let count = try #require(Int(lines[1].split(separator: " ")[1]))
    #expect(table.contains("/Size \(count) /Root 1 0 R"))
    #expect(lines[2] == "0000000000 65535 f ")
    var pages = 0
    for number in 1..<count {
      let entry = lines[2 + number]
      #expect(entry.hasSuffix(" 00000 n "))
      let offset = try #require(Int(entry.prefix(10)))
      let object = pdf[offset...]
      #expect(object.starts(with: Array("\(number) 0 obj\n".utf8)))
      let text = String(decoding: object.prefix(60), as: UTF8.self)
      if text.contains("/Type /Page ") { pages += 1 }
      if let length = Self.number(after: "/Length ", in: text) {
        let head = "\(number) 0 obj\n<< /Length \(length) >>\nstream\n"
        #expect(object.starts(with: Array(head.utf8)))
        #expect(object.dropFirst(head.utf8.count + length).starts(with: Array("endstream".utf8)))
      }
      if let stated = Self.number(after: "/Type /Pages /Count ", in: text) {
        #expect(stated * 2 + 4 == count)
      }
    }
    #expect(pages > 0)
    #expect(pages * 2 + 4 == count)
    #expect(pages > 1 || pdf.count < 8_000)
  }

  private static func number(after key: String, in text: String) -> Int? {
    guard text.contains(key) else { return nil }
    let pieces = text.split(separator: key, maxSplits: 1)
    return pieces.last.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  @Test func `the bytes of a seed are the same in every process`() throws {
    #expect(
      try Self.make(6_000).truth.document?.sha256
        == "9ec03eef4b0cd0048263f09fe79d2de5ac8180ce1a0c23633de84bf223ac4ae8")
  }

  @Test func `text comes from the seed and is most of the document`() throws {
    let pdf = try Self.make(40_000).files[0].bytes
    #expect(try Self.make(40_000).files[0].bytes == pdf)
    #expect(try Self.make(40_000, seed: 8).files[0].bytes != pdf)
    let shown = pdf.split(separator: 0x0a).filter { $0.starts(with: [UInt8(ascii: "(")]) }
    #expect(shown.reduce(0) { $0 + $1.count } > 32_000)
    #expect(Set(shown).count == shown.count)
  }

  @Test func `a size outside the limits is refused`() {
    #expect(throws: CaptureError.tooSmall(file: "paper.pdf", asked: 999, smallest: 1_000)) {
      _ = try Self.make(999)
    }
    #expect(
      throws: CaptureError.tooLarge(file: "paper.pdf", asked: 60_000_000, largest: 50_000_000)
    ) {
      _ = try Self.make(60_000_000)
    }
  }
}
