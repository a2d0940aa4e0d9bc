import EventLoop
import LinkModel
import Quantities

/// One direction of one proxied connection: bytes from a source, across the link, to a sink.
final class ProxyLane {
  /// One read takes in at most this many bytes.
  private static let readSize = 65_536
  /// Reads in one turn of the loop, so that one fast sender does not keep the others waiting.
  private static let readsPerTurn = 4
  /// A sink that takes nothing holds the lane back once this many arrived bytes wait for it.
  private static let arrivedMax = 65_536

  private let source: Endpoint
  private let sink: Endpoint
  private let driver: LinkDriver
  private let gate: IntakeGate
  /// Nil once nothing moves here any more.
  private var id: LinkDirection.LaneID?
  private var content = ByteQueue()
  private var arrivedWaiting = 0
  private var isHeld = false
  private var looksAgain = false
  private var refilledAt = Instant.zero
  private var endHasArrived = false
  /// Everything that the source sent has been taken in.
  private(set) var sourceHasEnded = false

  /// The sink was told that nothing follows.
  private(set) var sinkHasEnded = false
  /// There is no room: what the source goes on writing stays in its kernel.
  private(set) var isFull = false
  private var counted = LaneFlow()
  /// Called when a socket turns out to be broken.
  var broke: () -> Void = {}
  /// Called when the sink has been told that nothing follows.
  var finished: () -> Void = {}

  init(from source: Endpoint, to sink: Endpoint, over driver: LinkDriver, gate: IntakeGate) {
    self.source = source
    self.sink = sink
    self.driver = driver
    self.gate = gate
    id = driver.open(self)
  }

  var flow: LaneFlow {
    var flow = counted
    flow.queued = content.count
    return flow
  }

  /// Bytes that have left and not arrived.
  var propagating: Int { id.map(driver.model.propagating) ?? 0 }

  /// Takes in what the source has sent, as far as there is room.
  func readSource() {
    guard let id, !sourceHasEnded else { return }
    for turn in 0..<Self.readsPerTurn {
      let room = gate.room(
        queued: driver.model.queued(id), takenIn: counted.takenIn,
        reading: isFull && turn == 0 && senderHasRefilled())
      isFull = room <= 0
      guard !isFull else {
        source.wantsToRead = false
        lookAgain()
        return
      }
      switch read(upTo: min(room, Self.readSize)) {
      case .moved(let moved):
        counted.takenIn += moved
        driver.offer(moved, on: id)
        // What came out of the link at once may have broken the connection.
        guard self.id != nil else { return }
      case .wouldBlock:
        source.wantsToRead = true
        return
      case .ended:
        sourceHasEnded = true
        source.wantsToRead = false
        driver.offerEnd(of: id)
        return
      case .broken:
        broke()
        return
      }
    }
    source.wantsToRead = true
  }

  /// True once in the time that a waiting sender needs to refill its kernel; asking more often
  /// tells nothing new and costs more than the bytes do.
  private func senderHasRefilled() -> Bool {
    guard driver.now >= refilledAt else { return false }
    refilledAt = driver.now + driver.refillTime
    return true
  }

  /// Comes back to a full buffer, whether or not a packet leaves, until the gate knows its sender.
  private func lookAgain() {
    guard !gate.isSettled, !looksAgain else { return }
    looksAgain = true
    driver.afterRefill { [weak self] in
      self?.looksAgain = false
      self?.departed()
    }
  }

  /// Keeps no more memory than there are bytes: most reads are much smaller than their limit.
  private func read(upTo limit: Int) -> TCPSocket.Outcome {
    withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
      let outcome = source.socket.read(into: buffer)
      if case .moved(let moved) = outcome { content.append(ArraySlice(buffer.prefix(moved))) }
      return outcome
    }
  }

  /// Takes another buffer from now on: what is beyond a smaller one drains first.
  func change(buffer: Int) {
    gate.buffer = buffer
    departed()
  }

  /// There may be room again.
  func departed() {
    if isFull { readSource() }
  }

  /// Bytes, or the end, have come out of the link.
  func arrived(_ bytes: Int, isEnd: Bool) {
    arrivedWaiting += bytes
    endHasArrived = endHasArrived || isEnd
    writeSink()
  }

  /// Hands on what has arrived, as far as the sink takes it.
  func writeSink() {
    guard let id else { return }
    let (written, outcome) = content.write(upTo: arrivedWaiting, to: sink.socket)
    arrivedWaiting -= written
    counted.carried += written
    if case .broken = outcome {
      broke()
      return
    }
    sink.wantsToWrite = arrivedWaiting > 0
    if isHeld != (arrivedWaiting > Self.arrivedMax) {
      isHeld.toggle()
      driver.setHeld(isHeld, lane: id)
    }
    if endHasArrived, arrivedWaiting == 0, !sinkHasEnded {
      sinkHasEnded = true
      sink.socket.endSending()
      finished()
    }
  }

  /// Drops what has not been handed on; nothing moves here any more.
  ///
  /// With a reset, the sink's kernel drops what it has not sent: that was not carried either.
  func discard(withReset: Bool) {
    guard let id else { return }
    self.id = nil
    isFull = false
    let unsent = withReset ? min(counted.carried, sink.socket.unsent) : 0
    counted.carried -= unsent
    counted.discarded += content.count + unsent
    content = ByteQueue()
    arrivedWaiting = 0
    driver.discard(id)
  }
}
