/// Makes the SHA-256 of one body from its pieces; the real one is given by whoever runs the engine.
package protocol BodyDigest: AnyObject {
  /// Takes the next piece of a body: a view of what was read, which it may keep instead of a copy.
  func update(_ bytes: ArraySlice<UInt8>)

  /// Lowercase hexadecimal digits; called once, last.
  func finish() -> String
}

/// Makes a fresh digest for a body.
package typealias DigestMaker = @Sendable () -> any BodyDigest
