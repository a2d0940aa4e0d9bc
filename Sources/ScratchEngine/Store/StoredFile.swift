/// One open file, whole.
struct StoredFile: Hashable, Sendable {
  /// The path at which it is read back.
  var id: String
  var type: String
  var count: Int
  /// Nil when it was too large to be kept.
  var bytes: [UInt8]?
  var sha256: String
}
