import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct TextTests {
  private func talk(document bytes: [UInt8]) -> Talk {
    var talk = Talk()
    talk.putRecord()
    talk.putMedia("d1", "document", bytes)
    return talk
  }

  /// What the moment holds of the text, as JSON.
  private func read(_ bytes: [UInt8]) -> String {
    var talk = talk(document: bytes)
    #expect(talk.postText()?.status == 200)
    let record = talk.send("GET", "/api/moments/\(Talk.moment)")?.text ?? ""
    let begin = record.firstRange(of: #""texts":["#)?.upperBound ?? record.startIndex
    return String(record[begin...].dropLast(2))
  }

  @Test func `a text is answered once, replayed, and read back with the record`() {
    var talk = talk(document: Array("%PDF-1.4\nstream\nBT (Hello) Tj ET\nendstream".utf8))
    let first = talk.postText()
    #expect(
      first?.text
        == #"{"request_id":"x1","media_id":"d1","bytes":5,"unread":null,"replayed":false}"#)
    #expect(talk.postText()?.text == first?.text.replacing("false", with: "true"))
    #expect(
      talk.send("GET", "/api/moments/\(Talk.moment)")?.text.hasSuffix(
        #""texts":[{"request_id":"x1","media_id":"d1","text":"Hello","unread":null}]}"#) == true)
    #expect(talk.ledger.requests.map(\.step) == [.record, .document, .text, .text, .readback])
    #expect(talk.ledger.requests.suffix(3).map(\.attempt) == [1, 2, 1])
  }

  @Test func `a document that is made here is read in its own words`() throws {
    let plan = CapturePlan(name: "paper", kind: .document(DocumentPlan(size: .kilobytes(12))))
    let file = try CaptureMaker(seed: 7).make(plan).files[0].bytes
    let shown = String(decoding: file, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("(") && $0.hasSuffix(") '") }.map { $0.dropFirst().dropLast(3) }
    #expect(shown.count > 48)
    #expect(
      read(file)
        == #"{"request_id":"x1","media_id":"d1","text":""# + shown.joined(separator: "\\n")
        + #"","unread":null}"#)
  }

  @Test(arguments: [
    ("(a \\(b\\) (c) \\101\\\\) Tj", #""a (b) (c) A\\""#),
    ("[(Wo) -20 (rd)] TJ T* (next) Tj", #""Word\nnext""#),
    ("(one) ' 1 0 (two) \"", #""one\ntwo""#),
    ("/Name (not shown) gs (shown) Tj", #""shown""#),
    ("(split \\\nline) Tj", #""split line""#),
    ("(never ends", "null"),
  ])
  func `strings are read as the operators show them`(_ content: String, _ text: String) {
    let file = Array("%PDF-1.4\n<< >>\nstream\nBT \(content) ET\nendstream".utf8)
    #expect(read(file).contains(#""text":\#(text),"#))
  }

  @Test(arguments: [
    (
      "%PDF-1.4 << /Filter /FlateDecode >> stream\n(x) Tj endstream << >> stream\n(y) Tj endstream",
      #""y""#, "Streams that are compressed or encrypted: 1, not read here."
    ),
    ("%PDF-1.4", "null", "No text stands in it."),
    (
      "PK\u{3}\u{4}word/document.xml", "null",
      "It is a Word document, or another that is zipped, and no zip is opened here."
    ),
    ("\u{0}\u{1}", "null", "It is neither a PDF nor a Word document."),
    (
      "%PDF-1.4 stream\n(" + String(repeating: "a", count: 16_001) + ") Tj endstream",
      "\"" + String(repeating: "a", count: 16_000) + "\"",
      "Reading ends behind 16000 bytes of text and 16022 of the file."
    ),
    (
      "%PDF-1.4 stream\n(a) Tj endstream" + String(repeating: " ", count: 256_000),
      #""a""#, "Reading ends behind 1 bytes of text and 32 of the file."
    ),
  ])
  func `what is not read is said`(_ file: String, _ text: String, _ unread: String) {
    #expect(
      read(Array(file.utf8))
        == #"{"request_id":"x1","media_id":"d1","text":\#(text),"unread":"\#(unread)"}"#)
  }

  @Test func `a damaged PDF is read without a trap`() {
    var random = SeededRandom(seed: 7)
    let sound = Array(
      "%PDF-1.4\n<< /Length 9 >>\nstream\nBT (A\\051(b)\\n) ' [(c)] TJ ET\nendstream\n".utf8)
    for _ in 0..<1_000 {
      var bytes = sound + sound
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = sound[Int.random(in: 0..<sound.count, using: &random)]
        if Bool.random(using: &random) { bytes.removeSubrange(place...) }
        if bytes.isEmpty { bytes = sound }
      }
      _ = read(bytes)
    }
  }

  @Test func `a text needs its document`() {
    var talk = Talk()
    #expect(talk.postText()?.status == 404)
    talk.putRecord()
    let early = talk.postText()
    #expect(early?.status == 409)
    #expect(
      early?.text
        == #"{"error":{"code":"document_missing","message":"The document d1 is not stored; send it before its text is read."}}"#
    )
    talk.putMedia("c1", "copy", .copy)
    #expect(talk.postText(media: "c1")?.text.contains(#""code":"not_a_document""#) == true)
  }
}
