/// An IPv4 address and port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// Why a text is no address and port.
  package struct ParseError: Error, CustomStringConvertible {
    package let description: String
  }

  /// In host byte order.
  package var address: UInt32
  package var port: UInt16

  package static let loopback: UInt32 = 0x7f00_0001

  package init(address: UInt32 = SocketAddress.loopback, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Reads an address such as `127.0.0.1:8080` or `localhost:8080`.
  ///
  /// Throws when it is anything else.
  package init(parsing text: String) throws(ParseError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]), let address = Self.address(parts[0]) else {
      throw ParseError(
        description: "\"\(text)\" is not an IPv4 address and port; write it as 127.0.0.1:8080")
    }
    self.init(address: address, port: port)
  }

  package var isLoopback: Bool { address >> 24 == 127 }

  package var description: String {
    let bytes = [24, 16, 8, 0].map { String((address >> UInt32($0)) & 0xff) }
    return bytes.joined(separator: ".") + ":\(port)"
  }

  private static func address(_ host: Substring) -> UInt32? {
    if host == "localhost" { return loopback }
    let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard bytes.count == 4 else { return nil }
    return bytes.reduce(0) { sum, byte in
      guard let sum, let byte else { return nil }
      return sum << 8 | UInt32(byte)
    }
  }
}
