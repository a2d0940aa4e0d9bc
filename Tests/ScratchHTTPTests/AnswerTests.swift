import ScratchHTTP
import Testing

struct AnswerTests {
  let answer = ServerAnswer(
    status: 201, fields: [HeaderField("Content-Type", "text/plain")], body: Array("hi".utf8))

  private func text(_ answer: ServerAnswer, _ head: RequestHead?, closes: Bool = false) -> String {
    String(decoding: AnswerWriter.bytes(of: answer, to: head, closes: closes), as: UTF8.self)
  }

  @Test func `an answer is a status line, its fields, its length and its body`() {
    let get = RequestHead(method: "GET", target: "/")
    #expect(
      text(answer, get)
        == "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi")
  }

  @Test func `an answer to HEAD has the length and no body`() {
    let head = RequestHead(method: "HEAD", target: "/")
    #expect(text(answer, head).hasSuffix("Content-Length: 2\r\n\r\n"))
  }

  @Test func `an answer says whether the connection stays`() {
    let get = RequestHead(method: "GET", target: "/")
    let old = RequestHead(method: "GET", target: "/", version: .http10)
    #expect(text(answer, get, closes: true).contains("\r\nConnection: close\r\n"))
    #expect(text(answer, nil, closes: true).contains("\r\nConnection: close\r\n"))
    #expect(text(answer, old).contains("\r\nConnection: keep-alive\r\n"))
  }

  @Test(arguments: [204, 304])
  func `an answer that has no body is framed without one`(_ status: Int) {
    let bare = text(ServerAnswer(status: status, body: [1]), nil)
    #expect(!bare.contains("Content-Length"))
    #expect(bare.hasSuffix("\r\n\r\n"))
  }

  @Test func `an unknown status keeps the space before its empty reason`() {
    #expect(text(ServerAnswer(status: 599), nil).hasPrefix("HTTP/1.1 599 \r\n"))
  }

  @Test func `a field can neither frame the answer nor begin another field`() {
    let fields = [HeaderField("content-length", "9"), HeaderField("X", "a\r\nY: b")]
    let sent = text(ServerAnswer(status: 200, fields: fields), nil)
    #expect(sent == "HTTP/1.1 200 OK\r\nX: a  Y: b\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `an answer that goes on is in chunks, and to HTTP 1_0 until the connection closes`() {
    var more = answer
    more.goesOn = true
    more.body = []
    for (version, framing, piece, end) in [
      (HTTPVersion.http11, "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n", "0\r\n\r\n"),
      (.http10, "Connection: close\r\n", "abc", ""),
    ] {
      let get = RequestHead(method: "GET", target: "/", version: version)
      let head = text(more, get, closes: version == .http10)
      #expect(
        head == "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\n\(framing)\r\n")
      #expect(AnswerWriter.piece(Array("abc".utf8), to: get) == Array(piece.utf8))
      #expect(AnswerWriter.end(to: get) == Array(end.utf8))
    }
  }
}
