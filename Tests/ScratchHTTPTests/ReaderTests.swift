import ScratchHTTP
import Testing

struct ReaderTests {
  @Test func `a request with a length gives its head, its body and its end`() throws {
    let request = try #require(Reading(of: Sample.put).requests.first)
    #expect(request.head.method == "PUT")
    #expect(request.head.target == "/api/moments/01J/media/m1?role=copy")
    #expect(request.head.version == .http11)
    #expect(request.head.framing == .length(11))
    #expect(request.head.expectsContinue)
    #expect(request.head.keepsAlive)
    #expect(request.head.fields.map(\.name) == ["Host", "Content-Length", "Expect"])
    #expect(request.body == Array("hello world".utf8))
    #expect(request.trailers == [])
  }

  @Test func `a chunked request gives its data and its trailers`() throws {
    let request = try #require(Reading(of: Sample.chunked).requests.first)
    #expect(request.head.framing == .chunked)
    #expect(request.body == Array("hello0123456789".utf8))
    #expect(request.trailers == [HeaderField("Digest", "abc")])
  }

  @Test func `values lose the blanks around them and nothing within`() throws {
    let request = try #require(Reading(of: Sample.get).requests.first)
    #expect(request.head.fields.first("x-odd") == "a b")
    #expect(request.head.fields.first("x-empty") == "")
  }

  @Test func `pipelined requests come one after another`() {
    let reading = Reading(of: Sample.get + Sample.put + Sample.chunked + Sample.get)
    #expect(reading.requests.map(\.head.method) == ["GET", "PUT", "POST", "GET"])
  }

  @Test func `nothing is read behind a request that closes`() {
    let closing = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    let reading = Reading(of: closing + "not HTTP at all\n")
    #expect(reading.requests.map(\.head.keepsAlive) == [false])
    #expect(reading.fault == nil)
  }

  @Test(arguments: [
    ("HTTP/1.1", "Host: a\r\n", true), ("HTTP/1.1", "Host: a\r\nConnection: x, CLOSE\r\n", false),
    ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
    ("HTTP/1.9", "Host: a\r\n", true),
  ])
  func `a connection is kept as version and options say`(
    _ version: String, _ fields: String, _ keeps: Bool
  ) {
    let reading = Reading(of: "GET / \(version)\r\n\(fields)\r\n")
    #expect(reading.requests.map(\.head.keepsAlive) == [keeps])
  }

  @Test func `an expectation counts only with a body and in HTTP 1_1`() {
    let expects = "Host: a\r\nExpect: 100-Continue\r\n"
    for (request, expected) in [
      ("PUT / HTTP/1.1\r\n\(expects)Content-Length: 1\r\n\r\n", true),
      ("PUT / HTTP/1.1\r\n\(expects)Transfer-Encoding: chunked\r\n\r\n", true),
      ("PUT / HTTP/1.1\r\n\(expects)Content-Length: 0\r\n\r\n", false),
      ("GET / HTTP/1.1\r\n\(expects)\r\n", false),
      ("PUT / HTTP/1.0\r\n\(expects)Content-Length: 1\r\n\r\n", false),
    ] {
      #expect(Reading(of: request).requests.map(\.head.expectsContinue) == [expected])
    }
  }

  @Test func `a body passes as views of what was appended`() throws {
    var reader = RequestReader()
    reader.append(Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000000\r\n\r\n".utf8))
    guard case .head(let head) = try reader.next() else {
      Issue.record("no head")
      return
    }
    #expect(head.declaredBytes == 10_000_000_000)
    let piece = [UInt8](repeating: 7, count: 1_000_000)
    for _ in 0..<10_000 {
      reader.append(piece)
      guard case .body(let slice) = try reader.next() else {
        Issue.record("no body")
        return
      }
      #expect(slice.count == piece.count)
      let same = slice.withUnsafeBytes { mine in
        piece.withUnsafeBytes { $0.baseAddress == mine.baseAddress }
      }
      #expect(same)
    }
    #expect(try reader.next() == .end(trailers: []))
  }

  @Test func `a fault is thrown again and again`() {
    var reader = RequestReader()
    reader.append(Array("nonsense\r\n".utf8))
    #expect(throws: RequestFault.malformedRequestLine) { try reader.next() }
    reader.append(Array(Sample.get.utf8))
    #expect(throws: RequestFault.malformedRequestLine) { try reader.next() }
  }
}
