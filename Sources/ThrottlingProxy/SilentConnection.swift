import EventLoop

/// A client's connection that is accepted and never answered: the path takes in its buffer, and none
/// of it goes anywhere.
final class SilentConnection {
  private let client: Endpoint
  private let gate: IntakeGate
  private let stock: RelayStock
  let sender: SenderKernelPart
  private(set) var flow = LaneFlow()
  private let ended: (SilentConnection) -> Void

  init(
    _ client: TCPSocket, sender: SenderKernelPart, buffer: Int, stock: RelayStock, loop: EventLoop,
    ended: @escaping (SilentConnection) -> Void
  ) {
    self.client = Endpoint(client, loop: loop)
    gate = IntakeGate(buffer: buffer, sender: sender)
    self.stock = stock
    self.sender = sender
    self.ended = ended
  }

  func start() throws(SystemFailure) {
    client.wantsToRead = true
    client.wantsPeerEnd = true
    try client.start { [unowned self] ready in
      if !ready.isDisjoint(with: [.failed, .hungUp, .peerEnded]) {
        reset()
      } else if ready.contains(.readable) {
        takeIn()
      }
    }
  }

  private func takeIn() {
    let limit = gate.room(queued: flow.queued, takenIn: flow.takenIn, refill: 0, reading: true)
    let room = UnsafeMutableRawBufferPointer(rebasing: stock.room.prefix(limit))
    if limit > 0, case .moved(let moved) = client.socket.read(into: room) {
      flow.takenIn += moved
      flow.queued += moved
    }
    client.wantsToRead = !gate.isFull
  }

  func reset() {
    flow.discarded += flow.queued
    flow.queued = 0
    client.socket.resetOnClose()
    client.stop()
    ended(self)
  }
}
