/// One open file, whole.
struct StoredFile: Hashable, Sendable {
  /// The path at which it is read back.
  var id: String
  var type: String
  var count: Int
  /// Nil when it was too large to be kept.
  var bytes: [UInt8]?
  /// Nil of an engine that makes no digests.
  var sha256: String?

  /// Whether the other has the same content, as far as one can tell: without digests the bytes are
  /// compared, and of what was not kept only their count.
  func isSame(as other: StoredFile) -> Bool {
    guard sha256 == nil, other.sha256 == nil else { return sha256 == other.sha256 }
    return count == other.count && bytes == other.bytes
  }
}
