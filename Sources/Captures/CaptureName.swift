/// The rule for names of captures, which become names of files.
enum CaptureName {
  /// Characters; leaves room for `-copy.jpg` below the 255 bytes of a Linux file name.
  static let longest = 100

  static func check(_ name: String) throws {
    guard isSafe(name, longest: longest) else { throw CaptureError.badName(name) }
  }

  /// Whether the text stays inside its folder and needs no quoting.
  static func isSafe(_ name: String, longest: Int) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-"),
      name.utf8.count <= longest
    else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
