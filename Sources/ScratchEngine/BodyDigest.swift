/// Makes the SHA-256 of one body from its pieces; the real one is given by whoever runs the engine.
package protocol BodyDigest: AnyObject {
  func update(_ bytes: UnsafeRawBufferPointer)

  /// Lowercase hexadecimal digits; called once, last.
  func finish() -> String
}
