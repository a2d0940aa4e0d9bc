import CLinux
import COpenSSL
import Glibc

/// A blocking TLS client that trusts one certificate and asks for 127.0.0.1.
///
/// An end without close_notify is no clean end here.
package final class SecureBlockingSocket: ClientSocket {
  private let socket: BlockingSocket
  private let context: OpaquePointer
  private let connection: OpaquePointer

  package var descriptor: Int32 { socket.descriptor }

  /// Nil when the handshake fails, or the certificate is not good for 127.0.0.1.
  package init?(
    _ socket: BlockingSocket, trusting pem: String, newest: Int32 = TLS1_3_VERSION,
    offering protocols: [String] = []
  ) {
    guard let context = SSL_CTX_new(TLS_client_method()), let connection = Self.make(context, pem)
    else { return nil }
    self.socket = socket
    self.context = context
    self.connection = connection
    // OpenSSL writes without the flag that keeps this signal away.
    CLinux_signalIgnore(SIGPIPE)
    // Each with its length before it (RFC 7301 section 3.1); zero is success here.
    let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    guard list.isEmpty || SSL_set_alpn_protos(connection, list, UInt32(list.count)) == 0 else {
      return nil
    }
    let isMade =
      SSL_ctrl(connection, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest), nil) == 1
      && SSL_set_fd(connection, socket.descriptor) == 1 && SSL_connect(connection) == 1
    guard isMade else { return nil }
  }

  /// What the server has chosen of the protocols that were offered; nil when it did not.
  package var chosen: String? {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(connection, &start, &count)
    return start.map {
      String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
    }
  }

  deinit {
    SSL_free(connection)
    SSL_CTX_free(context)
  }

  private static func make(_ context: OpaquePointer, _ pem: String) -> OpaquePointer? {
    let bytes = Array(pem.utf8)
    guard let memory = BIO_new_mem_buf(bytes, Int32(bytes.count)) else { return nil }
    defer { BIO_free(memory) }
    guard let certificate = PEM_read_bio_X509(memory, nil, nil, nil) else { return nil }
    defer { X509_free(certificate) }
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    guard let connection = SSL_new(context) else { return nil }
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), "127.0.0.1")
    return connection
  }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    ERR_clear_error()
    return bytes.isEmpty || SSL_write(connection, bytes, Int32(bytes.count)) == bytes.count
  }

  package func receive(upTo size: Int) -> [UInt8]? {
    ERR_clear_error()
    var count: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      count = SSL_read(connection, buffer.baseAddress, Int32(size))
      filled = max(0, Int(count))
    }
    if count > 0 { return bytes }
    let number = errno
    switch SSL_get_error(connection, count) {
    case SSL_ERROR_ZERO_RETURN: return []
    case SSL_ERROR_WANT_READ: errno = EAGAIN
    case SSL_ERROR_SYSCALL: errno = number
    default: errno = EPROTO
    }
    return nil
  }

  package func endSending() {
    ERR_clear_error()
    SSL_shutdown(connection)
    socket.endSending()
  }

  package func resetOnClose() {
    socket.resetOnClose()
  }

  /// The first bytes that a client of TLS sends.
  package static func clientHello() -> [UInt8] {
    guard let context = SSL_CTX_new(TLS_client_method()) else { return [] }
    defer { SSL_CTX_free(context) }
    guard let connection = SSL_new(context), let memory = BIO_new(BIO_s_mem()) else { return [] }
    // It owns what it reads from, which stays empty, and what it writes to.
    SSL_set_bio(connection, BIO_new(BIO_s_mem()), memory)
    defer { SSL_free(connection) }
    SSL_connect(connection)
    var start: UnsafeMutablePointer<CChar>?
    let count = COpenSSL_memory(memory, &start)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
