import Captures
import Testing

/// Vectors of FIPS 180-4's examples.
@Suite struct SHA256DigestTests {
  static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  @Test func `known bytes have the known digest`() {
    #expect(sha256(of: Array("abc".utf8)) == Self.abc)
    #expect(sha256(of: []) == Self.nothing)
  }

  @Test func `pieces give the digest of the whole, whatever their kind`() {
    let digest = SHA256Digest()
    digest.update([UInt8(ascii: "a")])
    digest.update([])
    digest.update(Array("xbx".utf8)[1..<2])
    Array("c".utf8).withUnsafeBytes { digest.update($0) }
    #expect(digest.finish() == Self.abc)
  }
}
