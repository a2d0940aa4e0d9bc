/// A socket that carries a stream of bytes each way and never blocks, in the open or through TLS.
package protocol StreamSocket: AnyObject {
  var descriptor: Descriptor { get }

  /// What the descriptor has to be ready for before reading, or writing, can go on.
  ///
  /// They change with each call: what is read through TLS may first need something written.
  var readsWhen: Readiness { get }
  var writesWhen: Readiness { get }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TCPSocket.Outcome
  func write(_ bytes: UnsafeRawBufferPointer) -> TCPSocket.Outcome

  /// Ends the sending direction behind the bytes written, or as soon as ``flush()`` can.
  func endSending()

  /// It has bytes of its own to write once the descriptor is ready for ``writesWhen``.
  var owesBytes: Bool { get }
  func flush()

  /// Makes the coming close a reset, which discards what the kernel still holds.
  func resetOnClose()

  /// Bytes received and not yet read.
  var unread: Int { get }

  /// Both ends have agreed on what they need before bytes can pass.
  var isEstablished: Bool { get }

  /// Why what the peer sent made no sense, once a read has found it broken; nil otherwise.
  var fault: String? { get }
}

extension TCPSocket: StreamSocket {
  package var readsWhen: Readiness { .readable }
  package var writesWhen: Readiness { .writable }
  package var owesBytes: Bool { false }
  package func flush() {}
  package var isEstablished: Bool { true }
  package var fault: String? { nil }
}
