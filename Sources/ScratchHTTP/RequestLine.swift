/// The first line of a request: RFC 9112 section 3.
struct RequestLine: Hashable {
  var method: String
  var target: String
  var version: HTTPVersion

  /// Reads a line without its line end.
  init(_ line: ArraySlice<UInt8>, limits: ReaderLimits) throws(RequestFault) {
    guard let first = line.firstIndex(of: .space), let last = line.lastIndex(of: .space),
      first < last
    else { throw .malformedRequestLine }
    let method = line[..<first]
    let target = line[(first + 1)..<last]
    guard !method.isEmpty, method.allSatisfy(\.isTokenOctet) else { throw .malformedRequestLine }
    guard method.count <= limits.method else { throw .methodTooLong }
    guard !target.isEmpty, target.allSatisfy(\.isTargetOctet) else { throw .malformedRequestLine }
    guard target.count <= limits.target else { throw .targetTooLong }
    self.method = String(decoding: method, as: UTF8.self)
    self.target = String(decoding: target, as: UTF8.self)
    version = try Self.version(line[(last + 1)...])
  }

  private static func version(_ text: ArraySlice<UInt8>) throws(RequestFault) -> HTTPVersion {
    let octets = Array(text)
    guard octets.count == 8, octets.starts(with: "HTTP/".utf8), octets[6] == UInt8(ascii: "."),
      let major = octets[5].decimalValue, let minor = octets[7].decimalValue
    else { throw .malformedRequestLine }
    guard major == 1 else { throw .unsupportedVersion }
    return minor == 0 ? .http10 : .http11
  }
}
