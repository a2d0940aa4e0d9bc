import COpenSSL

/// SHA-256 over bytes that come piece by piece.
///
/// It owns one OpenSSL context; it is made anew for every digest and belongs to one task. An update
/// allocates nothing, so that it can run per packet. Source: FIPS 180-4, EVP_DigestInit(3).
package final class SHA256Digest {
  private static let byteCount = 32
  private let context: OpaquePointer
  private var finished = false

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      // Without memory, or with an OpenSSL that lacks SHA-256, nothing here can go on.
      fatalError("OpenSSL gives no SHA-256")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(!finished, "a finished digest takes no more bytes")
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    let status = EVP_DigestUpdate(context, start, bytes.count)
    precondition(status == 1, "OpenSSL takes any bytes into a running digest")
  }

  package func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  package func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Ends the digest and gives it as 64 lowercase hexadecimal digits; to be called once.
  package func finish() -> String {
    precondition(!finished, "a digest is finished once")
    finished = true
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    let status = EVP_DigestFinal_ex(context, &digest, nil)
    precondition(status == 1, "OpenSSL ends any running digest")
    let digits = Array("0123456789abcdef".utf8)
    let hex = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: hex, as: UTF8.self)
  }
}

/// The SHA-256 of `bytes` as 64 lowercase hexadecimal digits.
package func sha256(of bytes: [UInt8]) -> String {
  let digest = SHA256Digest()
  digest.update(bytes)
  return digest.finish()
}
