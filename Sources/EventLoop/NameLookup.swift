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
    // It writes the address, or nothing, and closes the pipe.
    guard
      let thread = OwnedThread(name: "onebar-lookup", { Self.answer(host, into: input) })
    else { throw SystemFailure("starting a thread", code: EAGAIN) }
    thread.detach()
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

  private static func answer(_ host: String, into pipe: Descriptor) {
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
