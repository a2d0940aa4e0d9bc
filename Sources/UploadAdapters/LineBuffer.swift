/// Bytes in, whole lines out; the newline is not part of a line.
struct LineBuffer {
  /// Bytes of the longest line that is taken.
  let lineBytesMax: Int
  /// A line beyond the limit has come; nothing is taken from then on.
  private(set) var isTooLong = false
  private var pending: [UInt8] = []

  init(lineBytesMax: Int) {
    self.lineBytesMax = lineBytesMax
  }

  /// True when the stream ended within a line.
  var isWithinLine: Bool { !pending.isEmpty }

  /// The lines that these bytes complete, up to one that is too long.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes
    while !isTooLong, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end])
      if !isTooLong { lines.append(pending) }
      pending = []
      rest = rest[(end + 1)...]
    }
    append(rest)
    return lines
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || pending.count + bytes.count > lineBytesMax
    if !isTooLong { pending += bytes }
  }
}
