/// A number of bytes.
///
/// 1 KB is 1,000 bytes and 1 MB is 1,000,000 bytes, everywhere.
package struct ByteCount: Hashable, Comparable, Sendable {
  package var bytes: Int

  package init(_ bytes: Int) {
    self.bytes = bytes
  }

  package static let zero = ByteCount(0)

  package static func kilobytes(_ count: Double) -> ByteCount {
    ByteCount(Int((count * 1_000).rounded()))
  }

  package static func megabytes(_ count: Double) -> ByteCount {
    ByteCount(Int((count * 1_000_000).rounded()))
  }

  package static func < (left: ByteCount, right: ByteCount) -> Bool {
    left.bytes < right.bytes
  }

  package static func + (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(left.bytes + right.bytes)
  }

  package static func - (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(left.bytes - right.bytes)
  }
}

extension ByteCount: CustomStringConvertible {
  /// The count in the largest unit that is not above it, with up to three digits after the point.
  package var description: String {
    switch bytes.magnitude {
    case 1_000_000...: "\(trimmed(Double(bytes) / 1_000_000, decimals: 3)) MB"
    case 1_000...: "\(trimmed(Double(bytes) / 1_000, decimals: 3)) KB"
    default: "\(bytes) B"
    }
  }
}
