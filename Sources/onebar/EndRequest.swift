import Glibc
import Synchronization

/// Ctrl-C and the request to end, noted for who asks.
///
/// `Interruption` reads them from a descriptor, for which every thread has to block them; the main
/// thread of an asynchronous command lets them through while it waits. So here they are handled,
/// and the handler does no more than to note it.
enum EndRequest {
  private static let came = Atomic(false)

  static var hasCome: Bool { came.load(ordering: .relaxed) }

  /// From now on they do not end the process; nor does a reader of its output that has gone.
  static func watch() {
    // Made before a handler needs it.
    _ = hasCome
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in EndRequest.came.store(true, ordering: .relaxed) }
    }
    signal(SIGPIPE, SIG_IGN)
  }
}
