import Testing
import Uploads

@testable import Bench

struct AnswerReaderTests {
  private static let whole = Array(
    ("HTTP/1.1 100 Continue\r\n\r\n"
      + "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello").utf8)

  private func read(_ pieces: [[UInt8]], limit: Int = 1_000) -> AnswerReader.Step {
    var reader = AnswerReader(bodyBytesMax: limit)
    for piece in pieces {
      let step = reader.take(piece)
      if case .more = step { continue }
      return step
    }
    return reader.finish()
  }

  @Test func `an answer is the same wherever its bytes are split`() throws {
    for place in 0...Self.whole.count {
      let pieces = [Array(Self.whole[..<place]), Array(Self.whole[place...])]
      guard case .whole(let answer) = read(pieces) else {
        Issue.record("split at \(place): no answer")
        continue
      }
      #expect(answer.status == 201)
      #expect(answer.body == Array("hello".utf8))
      #expect(answer.header("content-type") == "text/plain")
    }
  }

  @Test func `an answer that ends early is broken, whatever of it has come`() {
    for place in 0..<Self.whole.count {
      guard case .failed(.broken) = read([Array(Self.whole[..<place])]) else {
        Issue.record("cut at \(place): not broken")
        continue
      }
    }
  }

  @Test func `without a length the end of the connection is the end of the body`() {
    let bytes = Array("HTTP/1.1 200 OK\r\n\r\nall of it".utf8)
    guard case .whole(let answer) = read([bytes]) else {
      Issue.record("no answer")
      return
    }
    #expect(answer.body == Array("all of it".utf8))
  }

  @Test func `a status without a body ends with its head, and a large body is refused`() {
    guard case .whole(let answer) = read([Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)]) else {
      Issue.record("no answer")
      return
    }
    #expect(answer.body.isEmpty)
    guard case .failed(.answerTooLarge) = read([Self.whole], limit: 4) else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `what does not begin as HTTP does is given up at its first bytes`() {
    for text in ["no HTTP", "<html>", "HTP/1.1 200 OK\r\n\r\n", "\r\n"] {
      var reader = AnswerReader(bodyBytesMax: 1_000)
      guard
        case .failed(.broken("Received HTTP/0.9 when not allowed")) = reader.take(Array(text.utf8))
      else {
        Issue.record("not given up: \(text)")
        continue
      }
    }
  }

  @Test func `a head says whether the connection closes, once it is whole`() {
    var reader = AnswerReader(bodyBytesMax: 1_000)
    _ = reader.take(Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n".utf8))
    #expect(!reader.hasHead && !reader.closes)
    _ = reader.take(Array("\r\n".utf8))
    #expect(reader.hasHead && reader.closes)
  }
}
