import CLinux
import Glibc

/// The address behind a name, asked for on a thread of its own: the system's resolver blocks, for
/// many seconds when its servers are gone.
package final class NameLookup {
  private let loop: EventLoop
  private let answer: Descriptor
  private var watch: EventLoop.Watch?

  /// Asks for the first IPv4 address of `host`; `done` is called on the loop, with nil when there
  /// is none, and never once the lookup was let go of.
  ///
  /// Throws when the system has no thread or descriptor to give.
  package init(
    of host: String, loop: EventLoop, _ done: @escaping (UInt32?) -> Void
  ) throws(SystemFailure) {
    self.loop = loop
    var ends: [Int32] = [-1, -1]
    guard CLinux_pipe(&ends) == 0 else { throw SystemFailure("making a pipe") }
    answer = try Descriptor(ends[0], doing: "making a pipe")
    let input = try Descriptor(ends[1], doing: "making a pipe")
    watch = try loop.watch(answer, for: .readable) { [unowned self] _ in
      let address = read()
      stop()
      done(address)
    }
    try Self.ask(host, into: input)
  }

  deinit {
    stop()
  }

  private func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  private func read() -> UInt32? {
    var address: UInt32 = 0
    return Glibc.read(answer.number, &address, 4) == 4 ? address : nil
  }

  /// The thread writes the address, or nothing, and closes the pipe.
  private static func ask(_ host: String, into pipe: Descriptor) throws(SystemFailure) {
    let question = Unmanaged.passRetained(Question(host: host, pipe: pipe))
    // Signals are for the main thread; a broken pipe is an error here.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Question>.fromOpaque(context).takeRetainedValue().answer() }
        return nil
      }, question.toOpaque())
    guard failure == 0 else {
      question.release()
      throw SystemFailure("starting a thread", code: failure)
    }
    pthread_detach(thread)
  }

  private final class Question: Sendable {
    private let host: String
    private let pipe: Descriptor

    init(host: String, pipe: Descriptor) {
      self.host = host
      self.pipe = pipe
    }

    func answer() {
      var hints = addrinfo()
      hints.ai_family = AF_INET
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, nil, &hints, &list) == 0 else { return }
      defer { freeaddrinfo(list) }
      guard let name = list?.pointee.ai_addr else { return }
      var address = name.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      _ = write(pipe.number, &address, 4)
    }
  }
}
