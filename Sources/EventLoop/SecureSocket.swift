import COpenSSL
import Glibc

/// The server's end of a TLS connection on a TCP socket that never blocks.
///
/// The handshake goes on within ``read(into:)``. OpenSSL takes exactly one record at a time from the
/// socket, and a read with room for a whole record (16,384 bytes) leaves nothing of it behind, so
/// that the readiness of the descriptor tells all. Source: SSL_read(3), SSL_get_error(3).
package final class SecureSocket: StreamSocket {
  package private(set) var readsWhen = Readiness.readable
  package private(set) var writesWhen = Readiness.writable
  package private(set) var fault: String?
  package private(set) var owesBytes = false

  /// It ended before there was TLS: what still comes is read and thrown away.
  private var hasGivenUp = false
  private let socket: TCPSocket
  private let connection: OpaquePointer

  /// Takes over a connection that was accepted; nil without memory.
  package init?(_ socket: TCPSocket, of server: TLSServer) {
    guard let connection = SSL_new(server.context) else { return nil }
    self.socket = socket
    self.connection = connection
    guard SSL_set_fd(connection, socket.descriptor.number) == 1 else { return nil }
    SSL_set_accept_state(connection)
  }

  deinit {
    SSL_free(connection)
  }

  package var descriptor: Descriptor { socket.descriptor }

  package var isEstablished: Bool { SSL_is_init_finished(connection) == 1 }

  /// What is still encrypted is not known to be anything.
  package var unread: Int { Int(SSL_pending(connection)) }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> TCPSocket.Outcome {
    // Its queue of errors is the thread's, and may hold what another connection left.
    if hasGivenUp {
      let outcome = socket.read(into: buffer)
      if case .moved = outcome { return .wouldBlock }
      return outcome
    }
    ERR_clear_error()
    readsWhen = .readable
    let count = SSL_read(connection, buffer.baseAddress, Int32(clamping: buffer.count))
    return count > 0 ? .moved(Int(count)) : outcome(of: count, waitingIn: &readsWhen)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) -> TCPSocket.Outcome {
    ERR_clear_error()
    writesWhen = .writable
    let count = SSL_write(connection, bytes.baseAddress, Int32(clamping: bytes.count))
    return count > 0 ? .moved(Int(count)) : outcome(of: count, waitingIn: &writesWhen)
  }

  /// Sends close_notify, and a FIN behind it; what the peer sends can still be read (RFC 8446
  /// section 6.1).
  package func endSending() {
    guard isEstablished else {
      (hasGivenUp, readsWhen) = (true, .readable)
      socket.endSending()
      return
    }
    owesBytes = true
    flush()
  }

  package func flush() {
    guard owesBytes else { return }
    ERR_clear_error()
    writesWhen = .writable
    let result = SSL_shutdown(connection)
    if result < 0, case .wouldBlock = outcome(of: result, waitingIn: &writesWhen) { return }
    owesBytes = false
    socket.endSending()
  }

  package func resetOnClose() {
    socket.resetOnClose()
  }

  private func outcome(
    of result: Int32, waitingIn readiness: inout Readiness
  ) -> TCPSocket.Outcome {
    let number = errno
    switch SSL_get_error(connection, result) {
    case SSL_ERROR_WANT_READ:
      readiness = .readable
      return .wouldBlock
    case SSL_ERROR_WANT_WRITE:
      readiness = .writable
      return .wouldBlock
    case SSL_ERROR_ZERO_RETURN: return .ended
    case SSL_ERROR_SYSCALL: return .broken(number)
    default:
      fault = "TLS: \(TLSFailure.takeReason() ?? "unknown error")"
      return .broken(EPROTO)
    }
  }
}
