import EventLoop

/// What the kernels hold of the bytes that a client has written and the proxy has not read.
final class SenderKernelPart {
  private let socket: TCPSocket
  private let tables: SocketTables
  /// Nil when nothing that it sends is ever read.
  private let link: LinkDriver?
  private let ends: (local: SocketAddress, remote: SocketAddress)?
  /// As last asked for, in bytes; the client's kernel drops as much when it resets.
  private(set) var held = 0
  /// As last asked for: a probe counts until the peer has said that it had the bytes.
  private(set) var retransmissions = 0
  /// Those that the conditions themselves bring about are not counted.
  private(set) var zeroWindowProbes = 0
  /// A fault keeps the window shut.
  var isKeptWaiting = false { didSet { isExcused = isExcused || isKeptWaiting } }
  /// The conditions keep the window shut, or did until the probe that is on its way: it decides
  /// nothing.
  private var isExcused = false

  /// `socket` is the proxy's end of the connection that came in on `listener`; it sends over `link`.
  init(
    of socket: TCPSocket, acceptedOn listener: SocketAddress, tables: SocketTables,
    over link: LinkDriver?
  ) {
    self.socket = socket
    self.link = link
    self.tables = tables
    // Only a client on this machine has its socket in this machine's tables. One that came over
    // the loopback interface to a listener on every address (0.0.0.0) meant the usual one.
    var remote = listener
    if remote.address == 0 { remote.address = SocketAddress.loopback }
    ends = socket.peer.flatMap { $0.isLoopback ? ($0, remote) : nil }
  }

  /// Asks the kernel, which costs some microseconds; `takenIn` bytes have been read so far.
  ///
  /// Adding the two kernels' parts would count twice what the proxy's has received and not yet
  /// acknowledged, up to three segments.
  func measure(takenIn: Int) -> Int {
    var held = socket.unread
    if let ends, let state = tables.state(local: ends.local, remote: ends.remote) {
      held = max(held, state.written - takenIn)
      // The latest, not the largest: it falls again once a probe was reported as a duplicate,
      // which takes the receiver up to 40 ms.
      retransmissions = state.retransmissions
      if isKeptWaiting || link?.standsStill == true {
        isExcused = true
      } else if state.zeroWindowProbes == 0 {
        isExcused = false
      }
      if link != nil, !isExcused {
        zeroWindowProbes = max(zeroWindowProbes, state.zeroWindowProbes)
      }
    }
    self.held = held
    return held
  }
}
