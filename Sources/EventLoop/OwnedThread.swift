import Glibc

/// A thread of this process that runs one closure and takes no signal.
///
/// Signals are blocked in it, so that handlers run on the main thread and a broken pipe met in a
/// library is an error there, not the end of the process.
package struct OwnedThread: Sendable {
  private let thread: pthread_t

  /// Starts the thread, or returns nil when the system has none to give.
  package init?(name: String, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(
      Body {
        Self.nameThisThread(name)
        body()
      })
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    if failure != 0 {
      box.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for the end of the closure; once only.
  package func join() {
    pthread_join(thread, nil)
  }

  /// Lets the thread go; it leaves nothing behind when it ends.
  package func detach() {
    pthread_detach(thread)
  }

  /// Only for whoever looks at the process; the kernel keeps 15 bytes (proc(5), `comm`).
  private static func nameThisThread(_ name: String) {
    guard
      let file = try? Descriptor(
        open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC), doing: "naming a thread")
    else { return }
    _ = write(file.number, name, name.utf8.count)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
