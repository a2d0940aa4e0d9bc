/// Percent-encoding: RFC 3986 section 2.1.
package enum PercentCoding {
  /// The text behind the encoding; nil when an escape is not whole or the octets are not UTF-8.
  package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let octet = rest.next() {
      switch octet {
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else { return nil }
        octets.append(UInt8(high * 16 + low))
      case UInt8(ascii: "+") where plusIsSpace:
        octets.append(.space)
      default:
        octets.append(octet)
      }
    }
    return String(validating: octets, as: UTF8.self)
  }
}
