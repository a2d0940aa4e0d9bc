import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct FileTests {
  private static let formType = [HeaderField("Content-Type", "multipart/form-data; boundary=b")]

  private func part(_ name: String, _ file: String?, _ content: String) -> String {
    let filename = file.map { "; filename=\"\($0)\"" } ?? ""
    return
      "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(filename)\r\n\r\n\(content)\r\n"
  }

  private func form(_ parts: String...) -> [UInt8] {
    Array((parts.joined() + "--b--\r\n").utf8)
  }

  private func digest(_ text: String) -> String { StandInDigest.of(Array(text.utf8)) }

  @Test(arguments: [BodyFraming.length(5), .chunked])
  func `a file is put at its path, and read back`(_ framing: BodyFraming) {
    var talk = Talk()
    let type = HeaderField("Content-Type", "text/plain")
    let first = talk.send(
      "PUT", "/files/a/b%20c", Array("hello".utf8), fields: [type], framing: framing)
    #expect(
      first?.text
        == #"{"id":"/files/a/b%20c","bytes":5,"sha256":"\#(digest("hello"))","replayed":false,"kept":true}"#
    )
    let back = talk.send("GET", "/files/a/b%20c")
    #expect(back?.text == "hello")
    #expect(back?.fields.first == type)
    #expect(back?.fields.first("Repr-Digest") != nil)
    #expect(talk.send("GET", "/files/a")?.status == 404)
    #expect(talk.send("DELETE", "/files/a")?.fields.first("Allow") == "PUT, POST, GET, HEAD")
    #expect(talk.ledger.requests.first?.sha256 == digest("hello"))
  }

  @Test func `files are listed in order of storing, page by page`() {
    var limits = EngineLimits()
    limits.listed = 2
    var talk = Talk(limits: limits)
    for name in ["b", "a", "c"] {
      talk.send(
        "PUT", "/files/\(name)", Array(name.utf8), fields: [HeaderField("Content-Type", "x/y")])
    }
    func entry(_ name: String) -> String {
      #"{"id":"/files/\#(name)","type":"x/y","bytes":1,"sha256":"\#(digest(name))","kept":true}"#
    }
    #expect(
      talk.send("GET", "/files")?.text
        == #"{"files":[\#(entry("b")),\#(entry("a"))],"next":"/files/a"}"#)
    #expect(
      talk.send("GET", "/files?after=/files/a")?.text == #"{"files":[\#(entry("c"))],"next":null}"#)
  }

  @Test func `without digests a receipt says so, and a repeat is known by its bytes`() {
    var talk = Talk()
    talk.engine = Engine(digest: nil)
    let first = talk.send("PUT", "/files/a", Array("one".utf8))
    #expect(first?.text.contains(#""bytes":3,"sha256":null,"replayed":false"#) == true)
    #expect(talk.send("PUT", "/files/a", Array("one".utf8))?.status == 200)
    #expect(talk.send("PUT", "/files/a", Array("two".utf8))?.status == 422)
    #expect(talk.send("GET", "/files/a")?.fields.first("Repr-Digest") == nil)
    for number in 2...3 {
      let posted = talk.send("POST", "/files/in", Array("one".utf8))
      #expect(posted?.text.contains(#""id":"/files/in/\#(number)""#) == true)
    }
    talk.putRecord()
    #expect(talk.putMedia("c1", "copy", [1, 2])?.text.contains(#""sha256":null"#) == true)
    #expect(talk.putMedia("c1", "copy", [1, 2])?.status == 200)
    #expect(talk.putMedia("c1", "copy", [1, 3])?.status == 422)
    #expect(talk.ledger.requests.allSatisfy { $0.sha256 == nil })
  }

  @Test func `what is posted to one path is found by its digest`() {
    var talk = Talk()
    let id = "/files/in/\(digest("one"))"
    let first = talk.send("POST", "/files/in", Array("one".utf8))
    #expect(first?.status == 201)
    #expect(first?.text.hasPrefix(#"{"id":"\#(id)","bytes":3"#) == true)
    #expect(talk.send("POST", "/files/in", Array("two".utf8))?.status == 201)
    let again = talk.send("POST", "/files/in", Array("one".utf8))
    #expect(again?.status == 200)
    #expect(again?.text.contains(#""replayed":true"#) == true)
    #expect(talk.send("GET", id)?.text == "one")
    #expect(talk.ledger.uses == [.useful, .useful, .repeated, nil])
    #expect(talk.ledger.files.map(\.attempts) == [3])
    #expect(talk.ledger.duplicates == 0)
  }

  @Test func `each part of a form has its receipt`() {
    var talk = Talk()
    let body = form(part("note", nil, "hi"), part("file", "a.jpg", "photo"))
    let first = talk.send("POST", "/files/in", body, fields: Self.formType, framing: .chunked)
    func receipt(_ name: String, _ file: String, _ text: String, _ replay: Bool) -> String {
      #"{"name":"\#(name)","filename":\#(file),"id":"/files/in/\#(digest(text))","#
        + #""bytes":\#(text.utf8.count),"sha256":"\#(digest(text))","replayed":\#(replay),"kept":true}"#
    }
    #expect(first?.status == 201)
    #expect(
      first?.text == #"{"files":["# + receipt("note", "null", "hi", false) + ","
        + receipt("file", #""a.jpg""#, "photo", false) + #"],"replayed":false}"#)
    #expect(talk.send("GET", "/files/in/\(digest("photo"))")?.text == "photo")

    let again = talk.send("POST", "/files/in", body, fields: Self.formType)
    #expect(again?.status == 200)
    #expect(again?.text.hasSuffix(#""replayed":true}"#) == true)
    let more = form(part("note", nil, "hi"), part("file", "b.jpg", "another"))
    #expect(talk.send("POST", "/files/in", more, fields: Self.formType)?.status == 201)
    #expect(talk.ledger.uses == [.useful, nil, .repeated, .useful])
  }

  @Test func `a form with another boundary is the same content`() {
    var talk = Talk()
    for boundary in ["b", "c"] {
      let body = "--\(boundary)\r\n\r\nphoto\r\n--\(boundary)--"
      talk.send(
        "POST", "/files/in", Array(body.utf8),
        fields: [HeaderField("Content-Type", "multipart/form-data; boundary=\(boundary)")])
    }
    #expect(talk.ledger.uses == [.useful, .repeated])
    #expect(Set(talk.ledger.requests.map(\.sha256)) == [digest("photo")])
  }

  @Test(arguments: [
    ("multipart/form-data", "--b--", "The Content-Type has no boundary"),
    ("multipart/form-data; boundary=b", "--b\r\n\r\nphoto", "The body ended before"),
    ("multipart/form-data; boundary=b", "--b\r\n?\r\n\r\n\r\n--b--", "A field of a part"),
  ])
  func `what is no form is read to its end and refused`(
    _ type: String, _ body: String, _ message: String
  ) {
    var talk = Talk()
    let answer = talk.send(
      "POST", "/files/in", Array(body.utf8), fields: [HeaderField("Content-Type", type)])
    #expect(answer?.status == 400)
    #expect(answer?.text.contains(#""code":"bad_multipart","message":"\#(message)"#) == true)
    #expect(talk.ledger.requests.last?.bodyBytes == body.utf8.count)
    #expect(talk.ledger.uses == [.abandoned])
  }

  @Test func `an empty body and an empty form are taken`() {
    var talk = Talk()
    #expect(talk.send("PUT", "/files/a")?.text.contains(#""bytes":0"#) == true)
    #expect(talk.send("GET", "/files/a")?.status == 200)
    let none = talk.send("POST", "/files/in", form(), fields: Self.formType)
    #expect(none?.text == #"{"files":[],"replayed":false}"#)
  }

  @Test func `of what is larger than is kept the count and the digest are`() {
    var limits = EngineLimits()
    limits.fileKept = 10
    var talk = Talk(limits: limits)
    let large = "eleven or more"
    let first = talk.send("PUT", "/files/a", Array(large.utf8))
    #expect(first?.status == 201)
    #expect(
      first?.text
        == #"{"id":"/files/a","bytes":14,"sha256":"\#(digest(large))","replayed":false,"kept":false}"#
    )
    #expect(talk.send("PUT", "/files/a", Array(large.utf8))?.status == 200)
    #expect(talk.send("PUT", "/files/a", Array("other".utf8))?.status == 422)
    let back = talk.send("GET", "/files/a")
    #expect(back?.status == 404)
    #expect(back?.text.contains(#""code":"not_kept""#) == true)
    // The room is for all parts together, and one that was dropped gives its own back.
    let answer = talk.send(
      "POST", "/files/in",
      form(part("x", nil, "12345678"), part("y", nil, "123"), part("z", nil, "12")),
      fields: Self.formType)
    let kept = answer?.text.ranges(of: #""kept":true"#).count
    #expect(kept == 2)
  }

  @Test func `a body of ten gigabytes is counted in constant memory`() {
    var engine = Engine { CountDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/files/large", framing: .length(10_000_000_000),
      expectsContinue: true)
    #expect(engine.requestHead(head, on: id, at: .zero) == .sendContinue)
    let piece = [UInt8](repeating: 7, count: 10_000_000)
    for _ in 0..<1_000 { _ = engine.bodyBytes(piece[...], on: id, at: .zero) }
    let answer = engine.requestEnded(on: id, at: .zero)?.reply?.answer
    #expect(
      answer?.text
        == #"{"id":"/files/large","bytes":10000000000,"sha256":"10000000000","replayed":false,"kept":false}"#
    )
  }

  @Test func `the open files have their limits`() {
    var limits = EngineLimits()
    limits.files = 2
    limits.filesKept = 10
    var talk = Talk(limits: limits)
    #expect(talk.send("PUT", "/files/a", Array("12345678".utf8))?.status == 201)
    let full = talk.send("PUT", "/files/b", Array("123".utf8))
    #expect(full?.status == 507)
    #expect(full?.text.contains("The engine holds no more bytes of files; start it anew.") == true)
    #expect(talk.send("PUT", "/files/b", Array("12".utf8))?.status == 201)
    #expect(talk.send("PUT", "/files/c")?.text.contains("no more files") == true)
    #expect(talk.send("PUT", "/files/a", Array("12345678".utf8))?.status == 200)
  }

  @Test func `a cut attempt at a path that takes many is abandoned, at an id of its own repeated`()
  {
    var talk = Talk()
    for method in ["PUT", "POST"] {
      talk.send(method, "/files/\(method)", .copy, cut: .inBody)
      talk.send(method, "/files/\(method)", .copy, cut: .beforeAnswer)
      talk.send(method, "/files/\(method)", .copy, cut: .inBody)
      #expect(
        talk.ledger.uses.suffix(3)
          == [
            .abandoned, method == "PUT" ? .useful : .repeated,
            method == "PUT" ? .repeated : .abandoned,
          ])
    }
  }

  @Test func `the script acts on any path`() {
    let rules = [
      ScriptRule(
        when: RequestPattern(attempt: 1, path: "/files/*"), then: .init(.answer(.init(503)))),
      ScriptRule(when: RequestPattern(path: "/my/own"), then: .init(.answer(.init(202)))),
    ]
    var talk = Talk(EngineScript(rules: rules))
    #expect(talk.send("PUT", "/files/a", .copy)?.status == 503)
    #expect(talk.send("PUT", "/files/a", .copy)?.status == 201)
    #expect(talk.send("PATCH", "/my/own", .copy)?.status == 202)
    #expect(talk.ledger.uses == [.abandoned, .useful, nil])
  }
}

/// Counts in place of digesting, since ten gigabytes are many.
private final class CountDigest: BodyDigest {
  private var count = 0

  func update(_ bytes: ArraySlice<UInt8>) { count += bytes.count }

  func finish() -> String { "\(count)" }
}
