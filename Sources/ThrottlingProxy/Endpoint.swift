import EventLoop

/// One socket of a proxied connection, and what it is watched for.
final class Endpoint {
  let socket: TCPSocket
  private let loop: EventLoop
  private var handler: ((Readiness) -> Void)?
  private var watch: EventLoop.Watch?
  var wantsToRead = false { didSet { update() } }
  var wantsToWrite = false { didSet { update() } }
  /// To know of the end of the peer's stream although what came before it is not read.
  var wantsPeerEnd = false { didSet { update() } }

  init(_ socket: TCPSocket, loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  func start(_ handler: @escaping (Readiness) -> Void) throws(SystemFailure) {
    self.handler = handler
    watch = try loop.watch(socket.descriptor, for: interest, handler)
  }

  /// After a hang-up: stops watching until there is something to read again.
  ///
  /// A hang-up is reported over and over, asked for or not, and nothing can be done about it while
  /// there is no room for what is still to be read, or nothing left to read.
  func suspendUnlessReading() {
    if !wantsToRead { suspend() }
  }

  func stop() {
    handler = nil
    suspend()
  }

  private func suspend() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  private var interest: Readiness {
    var interest: Readiness = []
    if wantsToRead { interest.insert(.readable) }
    if wantsToWrite { interest.insert(.writable) }
    if wantsPeerEnd { interest.insert(.peerEnded) }
    return interest
  }

  private func update() {
    if let watch {
      loop.setInterest(interest, of: watch)
    } else if let handler, !interest.isEmpty {
      // The descriptor was watched before, so only the memory of the system can refuse it now;
      // then the connection stands still, and its client's own limits end it.
      watch = try? loop.watch(socket.descriptor, for: interest, handler)
    }
  }
}
