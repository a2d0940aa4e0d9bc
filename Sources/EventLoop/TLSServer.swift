import CLinux
import COpenSSL
import Glibc

/// What all TLS connections of a server share: the versions, the certificate and its key.
///
/// TLS 1.2 and 1.3, and HTTP/1.1 within: a client that offers protocols (ALPN) and not this one fails in
/// the handshake. The name that it asks for (SNI) changes nothing. No session is kept or handed out as a ticket, and none is renegotiated, so that
/// every connection begins in the same way and holds nothing behind its end.
package final class TLSServer {
  let context: OpaquePointer

  package init(_ certificate: SelfSignedCertificate) throws(TLSFailure) {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw TLSFailure("preparing TLS")
    }
    self.context = context
    // An end without close_notify is an end: HTTP tells by itself whether a message is whole.
    _ = SSL_CTX_set_options(context, COpenSSL_ignoreUnexpectedEnd | COpenSSL_noRenegotiation)
    COpenSSL_setModes(
      context,
      Int(
        SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
          | SSL_MODE_RELEASE_BUFFERS))
    COpenSSL_keepNoSessions(context)
    COpenSSL_speakHTTP11(context)
    guard COpenSSL_setOldestVersion(context, TLS1_2_VERSION) == 1,
      SSL_CTX_set_num_tickets(context, 0) == 1,
      SSL_CTX_use_certificate(context, certificate.certificate) == 1,
      SSL_CTX_use_PrivateKey(context, certificate.key) == 1
    else { throw TLSFailure("preparing TLS") }
    // OpenSSL writes to sockets without the flag that keeps this signal away.
    CLinux_signalIgnore(SIGPIPE)
  }

  deinit {
    SSL_CTX_free(context)
  }
}
