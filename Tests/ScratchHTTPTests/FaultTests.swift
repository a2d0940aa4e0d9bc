import ScratchHTTP
import Testing

struct FaultTests {
  struct Case: CustomTestStringConvertible {
    var request: String
    var fault: RequestFault
    var testDescription: String { "\(fault) from \(request.prefix(60).debugDescription)" }

    init(_ request: String, _ fault: RequestFault) {
      self.request = request
      self.fault = fault
    }

    /// A request with these field lines besides its Host.
    static func put(_ fields: String, body: String = "", _ fault: RequestFault) -> Case {
      Case("PUT / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)", fault)
    }

    static func chunks(_ body: String, _ fault: RequestFault) -> Case {
      put("Transfer-Encoding: chunked\r\n", body: body, fault)
    }
  }

  @Test(arguments: [
    Case("GET  / HTTP/1.1\r\n", .malformedRequestLine),
    Case("GET / HTTP/1.1 \r\n", .malformedRequestLine),
    Case("GET /a b HTTP/1.1\r\n", .malformedRequestLine),
    Case("G(T / HTTP/1.1\r\n", .malformedRequestLine),
    Case("GET /\u{e9} HTTP/1.1\r\n", .malformedRequestLine),
    Case("GET / http/1.1\r\n", .malformedRequestLine),
    Case("GET / HTTP/1.10\r\n", .malformedRequestLine),
    Case("GET / HTTP/3.0\r\n", .unsupportedVersion),
    Case(String(repeating: "A", count: 33) + " / HTTP/1.1\r\n", .methodTooLong),
    Case("GET / HTTP/1.1\n", .bareLineEnd),
    Case("\n", .bareLineEnd),
    Case(String(repeating: "\r\n", count: 5), .tooManyEmptyLines),
    Case("GET / HTTP/1.1\r\n\r\n", .missingHost),
    Case.put("host: b\r\n", .repeatedHost),
    Case.put("X: a\rb\r\n", .bareLineEnd),
    Case.put("X: a\n", .bareLineEnd),
    Case.put("X: a\u{0}b\r\n", .malformedField),
    Case.put("X\r\n", .malformedField),
    Case.put(": a\r\n", .malformedField),
    Case.put("X Y: a\r\n", .malformedField),
    Case.put("X\t: a\r\n", .spaceBeforeColon),
    Case.put("X: a\r\n\tb\r\n", .foldedField),
    Case.put("Content-Length: \r\n", .malformedContentLength),
    Case.put("Content-Length: +5\r\n", .malformedContentLength),
    Case.put("Content-Length: 5, 5\r\n", .malformedContentLength),
    Case.put("Content-Length: 5\r\nContent-Length: 5\r\n", .repeatedContentLength),
    Case.put("Content-Length: 1000000000001\r\n", .bodyTooLarge),
    Case.put("Content-Length: 99999999999999999999999\r\n", .bodyTooLarge),
    Case.put("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", .lengthAndTransferCoding),
    Case.put("Transfer-Encoding: gzip, chunked\r\n", .unknownTransferCoding),
    Case.put("Transfer-Encoding: chunked, gzip\r\n", .chunkedNotLast),
    Case.put("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .chunkedNotLast),
    Case.put("Transfer-Encoding:\r\n", .chunkedNotLast),
    Case("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCodingInOldVersion),
    Case.chunks("\r\n", .malformedChunk),
    Case.chunks("-1\r\n", .malformedChunk),
    Case.chunks("5 \r\n", .malformedChunk),
    Case.chunks("5x\r\n", .malformedChunk),
    Case.chunks("2\r\nabc", .malformedChunk),
    Case.chunks("2\r\nab\rx", .malformedChunk),
    Case.chunks("2\n", .bareLineEnd),
    Case.chunks("ffffffffffffffffffffff\r\n", .bodyTooLarge),
    Case.chunks("1\r\na\r\ne8d4a51000\r\n", .bodyTooLarge),
    Case.chunks("1;" + String(repeating: "x", count: 1_024) + "\r\n", .chunkLineTooLong),
    Case.chunks(
      String(repeating: "1;" + String(repeating: "x", count: 999) + "\r\na\r\n", count: 17),
      .chunkExtensionsTooLarge),
    Case.chunks("0\r\n trailer\r\n", .foldedField),
  ])
  func `a malformed request is its fault`(_ one: Case) {
    #expect(Reading(of: one.request).fault == one.fault)
  }

  @Test func `limits are met exactly and refused one beyond`() {
    func fault(_ target: Int = 1, fields: Int = 1, line: Int = 20) -> RequestFault? {
      let more = (1..<fields).map { _ in "X: " + String(repeating: "v", count: line - 3) + "\r\n" }
      let path = "/" + String(repeating: "p", count: target - 1)
      return Reading(of: "GET \(path) HTTP/1.1\r\nHost: a\r\n" + more.joined() + "\r\n").fault
    }
    #expect(fault(8_000) == nil)
    #expect(fault(8_001) == .targetTooLong)
    #expect(fault(fields: 100) == nil)
    #expect(fault(fields: 101) == .tooManyFields)
    #expect(fault(fields: 2, line: 8_192) == nil)
    #expect(fault(fields: 2, line: 8_193) == .fieldTooLong)
    #expect(fault(fields: 8, line: 8_192) == nil)
    #expect(fault(fields: 9, line: 8_192) == .fieldsTooLarge)
  }

  @Test func `a line that never ends is refused in bounded memory`() {
    var reader = RequestReader()
    var appended = 0
    #expect(throws: RequestFault.targetTooLong) {
      while appended < 1_000_000 {
        reader.append([UInt8](repeating: UInt8(ascii: "a"), count: 100))
        appended += 100
        _ = try reader.next()
      }
    }
    #expect(appended < 8_300)
  }

  @Test(arguments: [
    (RequestFault.malformedField, 400), (.timedOut, 408), (.bodyTooLarge, 413),
    (.targetTooLong, 414), (.tooManyFields, 431), (.fieldTooLong, 431), (.fieldsTooLarge, 431),
    (.unknownTransferCoding, 501), (.methodTooLong, 501), (.unsupportedVersion, 505),
  ])
  func `a fault carries the status to answer`(_ fault: RequestFault, _ status: Int) {
    #expect(fault.status == status)
  }
}
