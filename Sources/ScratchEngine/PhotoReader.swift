package import Captures

/// Reads photos that were stored; the real one is given by whoever runs the engine.
///
/// It is asked only for what a request reads back, so that storing costs no more than the bytes.
package protocol PhotoReader: Sendable {
  /// What the photo's own file says of it; of bytes that are no photo, nothing.
  func facts(of photo: [UInt8]) -> PhotoFacts

  /// Makes a copy for showing.
  ///
  /// Throws, with the reason in words, when the photo cannot be decoded.
  func copy(_ kind: DerivedCopy, of photo: [UInt8]) throws -> [UInt8]
}
