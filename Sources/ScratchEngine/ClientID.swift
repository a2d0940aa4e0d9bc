/// The shapes of ids that a client mints.
enum ClientID {
  /// Characters of a media id or a request id.
  static let lengthMax = 64

  /// A ULID in its canonical form: 26 capitals and digits of Crockford's base 32, at most 128 bits.
  ///
  /// Small letters are refused, so that one moment has one path.
  static func isULID(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    guard octets.count == 26, let first = octets.first, first <= UInt8(ascii: "7") else {
      return false
    }
    return octets.allSatisfy { Self.crockford.contains($0) }
  }

  /// Letters, digits, and the marks that need no escape in a path.
  static func isPlain(_ text: String) -> Bool {
    (1...lengthMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { octet in
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }

  private static let crockford = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
}
