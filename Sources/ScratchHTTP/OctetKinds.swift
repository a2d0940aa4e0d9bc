/// The kinds of octets that the grammar of HTTP tells apart.
extension UInt8 {
  static let lineFeed: UInt8 = 0x0a
  static let carriageReturn: UInt8 = 0x0d
  static let space: UInt8 = 0x20
  static let tab: UInt8 = 0x09

  /// An octet of a method or of a field name: `tchar`, RFC 9110 section 5.6.2.
  var isTokenOctet: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// An octet of a field value: visible, space, tab, or above ASCII; RFC 9110 section 5.5.
  var isFieldOctet: Bool {
    self >= 0x20 && self != 0x7f || self == .tab
  }

  /// A visible ASCII octet, as a request target may hold.
  var isTargetOctet: Bool {
    self > 0x20 && self < 0x7f
  }

  var isBlank: Bool { self == .space || self == .tab }

  /// The value of a decimal digit.
  var decimalValue: Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) ? Int(self - UInt8(ascii: "0")) : nil
  }

  /// The value of a hexadecimal digit.
  var hexValue: Int? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
