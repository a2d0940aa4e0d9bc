import CCurl
import EventLoop
import Synchronization
package import Uploads

/// HTTP/1.1 over libcurl, on one thread of its own.
///
/// Nothing of libcurl that runs by the wall clock decides an outcome: its limits on a transfer are
/// off, its connect limit (300 s unless set) and the age of a kept connection are set to 24 days,
/// and the wait for `100 Continue` is left out by suppressing `Expect:`, because it costs a round
/// trip for each file. What is left is the kernel's own limit on a connect that nobody answers
/// (about two minutes; loopback always answers). The limits of the client end an exchange by
/// `cut`.
///
/// No proxy, redirect, cookie or password of the environment is used. Up to
/// ``connectionsKept`` connections stay open between requests. Exchanges that are under way when
/// the transport shuts down fail as `cut`; it shuts down by itself when neither it nor any of its
/// exchanges is held any more.
package final class CurlTransport: Transport {
  /// Idle connections that are kept for the next request.
  package static let connectionsKept = 4
  /// Exchanges under way at once; a further one fails.
  package static let exchangesMax = 256

  fileprivate let mailbox = CurlMailbox()
  /// Nil once it has ended.
  private let thread: Mutex<OwnedThread?>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - engine: Base URL (`http` or `https`) without a slash at its end.
  ///   - authorities: PEM file of the certificates that are trusted; nil means those of the system.
  ///   - refusedBuffer: Told what the system gave, in bytes, when that is less than a request's send
  ///     buffer.
  package init(
    engine: String, authorities: String? = nil,
    refusedBuffer: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    let mailbox = mailbox
    let thread = OwnedThread(name: "onebar-curl") {
      CurlLoop(
        engine: engine, authorities: authorities, refusedBuffer: refusedBuffer, mailbox: mailbox
      ).run()
    }
    if thread == nil { _ = mailbox.close() }
    self.thread = Mutex(thread)
  }

  deinit {
    shutdown()
  }

  package func begin(_ request: OutgoingRequest) -> any Exchange {
    // Unbounded, because each event stands for at least one byte of a body or an answer, both of
    // which have limits, and none may be lost.
    let (events, continuation) = AsyncStream.makeStream(of: ExchangeEvent.self)
    let id = mailbox.mintID()
    if !mailbox.post(.begin(id: id, request, continuation)) {
      continuation.yield(.failed(.notConnected("the transport is shut down")))
      continuation.finish()
    }
    return CurlExchange(id: id, events: events, transport: self)
  }

  /// Ends what is under way, closes every connection and waits for the end of the thread.
  ///
  /// Does nothing the second time.
  package func shutdown() {
    _ = mailbox.post(.stop)
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }
}

/// The caller's end of one exchange; it keeps the transport from shutting down by itself.
private struct CurlExchange: Exchange {
  let id: Int
  let events: AsyncStream<ExchangeEvent>
  let transport: CurlTransport

  func count() {
    _ = transport.mailbox.post(.count(id: id))
  }

  func cut(_ way: UploadPolicy.Cut) {
    // After the shutdown there is nothing left to cut.
    _ = transport.mailbox.post(.cut(id: id, way))
  }
}
