import COpenSSL

/// A certificate for this machine's loopback names, signed by its own key, which exists in memory
/// only.
///
/// EC P-256; a server's certificate and no authority, so that whoever trusts it trusts nothing
/// else (RFC 5280 section 4.2.1).
package final class SelfSignedCertificate {
  private static let names = "DNS:localhost,IP:127.0.0.1,IP:::1"
  private static let day = 86_400
  /// From before now, since clocks of devices go wrong, and long enough for work of some weeks.
  private static let validFrom = -1 * day
  private static let validUntil = 30 * day

  let key: OpaquePointer
  let certificate: OpaquePointer

  /// Makes a new key and its certificate.
  package init() throws(TLSFailure) {
    guard let key = COpenSSL_makeKey("P-256") else { throw TLSFailure("making a key") }
    guard let certificate = X509_new() else {
      EVP_PKEY_free(key)
      throw TLSFailure("making a certificate")
    }
    self.key = key
    self.certificate = certificate
    guard fill() else { throw TLSFailure("making a certificate") }
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  private func fill() -> Bool {
    // Browsers refuse two certificates of one issuer with the same number.
    let number = UInt64.random(in: 1...UInt64(Int64.max))
    let name = X509_get_subject_name(certificate)
    return X509_set_version(certificate, Int(X509_VERSION_3)) == 1
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number) == 1
      && X509_gmtime_adj(X509_getm_notBefore(certificate), Self.validFrom) != nil
      && X509_gmtime_adj(X509_getm_notAfter(certificate), Self.validUntil) != nil
      && X509_set_pubkey(certificate, key) == 1
      && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "onebar engine", -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, name) == 1
      && add(NID_basic_constraints, "critical,CA:FALSE")
      && add(NID_key_usage, "critical,digitalSignature")
      && add(NID_ext_key_usage, "serverAuth")
      && add(NID_subject_key_identifier, "hash")
      && add(NID_subject_alt_name, Self.names)
      && X509_sign(certificate, key, EVP_sha256()) > 0
  }

  private func add(_ kind: Int32, _ value: String) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
    guard let entry = X509V3_EXT_conf_nid(nil, &context, kind, value) else { return false }
    defer { X509_EXTENSION_free(entry) }
    return X509_add_ext(certificate, entry, -1) == 1
  }

  /// The certificate as PEM text (RFC 7468), for those who are to trust it.
  package var pem: String {
    guard let memory = BIO_new(BIO_s_mem()) else { return "" }
    defer { BIO_free(memory) }
    var start: UnsafeMutablePointer<CChar>?
    guard PEM_write_bio_X509(memory, certificate) == 1 else { return "" }
    let count = COpenSSL_memory(memory, &start)
    return String(
      decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
