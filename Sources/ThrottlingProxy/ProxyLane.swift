import EventLoop
import LinkModel
import Quantities

/// One direction of one proxied connection: bytes from a source, across the link, to a sink.
///
/// A link that neither throttles nor delays has nothing to decide; then they are passed on as they
/// come, in bulk without leaving the kernel.
final class ProxyLane {
  /// Reads in one turn of the loop, so that one fast sender does not keep the others waiting.
  private static let readsPerTurn = 4
  /// A sink that takes nothing holds the lane back once this many arrived bytes wait for it.
  private static let arrivedMax = 65_536

  private let source: Endpoint
  private let sink: Endpoint
  private let driver: LinkDriver
  private let gate: IntakeGate
  private let stock: RelayStock
  /// Nil once nothing moves here any more.
  private var id: LinkDirection.LaneID?
  /// Bytes that came out of the link before everything in ``content``; nil when there are none.
  private var pipe: TransitPipe?
  /// The source sends more at a time than one read takes.
  private var isStream = false
  private var content = ByteQueue()
  private var arrivedWaiting = 0
  private var isHeld = false
  private var looksAgain = false
  private var refilledAt = Instant.zero
  private var endHasArrived = false
  /// What is done to bytes between the link and the sink; nil while nothing is.
  private var toxics: ToxicLane?
  /// Everything that the source sent has been taken in.
  private(set) var sourceHasEnded = false

  /// The sink was told that nothing follows.
  private(set) var sinkHasEnded = false
  private var counted = LaneFlow()
  /// Called when a socket turns out to be broken.
  var broke: () -> Void = {}
  /// Called when the sink has been told that nothing follows.
  var finished: () -> Void = {}

  init(
    from source: Endpoint, to sink: Endpoint, over driver: LinkDriver, gate: IntakeGate,
    stock: RelayStock
  ) {
    self.source = source
    self.sink = sink
    self.driver = driver
    self.gate = gate
    self.stock = stock
    id = driver.open(self)
  }

  var flow: LaneFlow {
    var flow = counted
    flow.queued = content.count + (pipe?.count ?? 0)
    return flow
  }

  /// There is no room: what the source goes on writing stays in its kernel.
  var isFull: Bool { id != nil && (gate.isFull || toxics.map { $0.room <= 0 } == true) }

  /// Bytes that have left and not arrived.
  var propagating: Int { id.map(driver.model.propagating) ?? 0 }

  /// Takes in what the source has sent, as far as there is room.
  func readSource() {
    var turns = 0
    while turns < Self.readsPerTurn, id != nil, !sourceHasEnded,
      passesAtOnce ? passOn() : takeIn(isFirst: turns == 0)
    { turns += 1 }
    source.wantsToRead = !sourceHasEnded && !isFull && !isBlocked
  }

  /// Nothing of the lane is on the link, and the link would do nothing to what comes.
  private var passesAtOnce: Bool { toxics == nil && driver.isClear && content.count == 0 }

  /// Bytes in the pipe wait for the sink.
  private var isBlocked: Bool { pipe.map { $0.count > 0 } ?? false }

  /// Reads once and puts it on the link; false when there is no more for now.
  private func takeIn(isFirst: Bool) -> Bool {
    guard let id else { return false }
    let limit = min(
      gate.room(
        queued: driver.model.queued(id), takenIn: counted.takenIn, refill: driver.refillBytes,
        reading: isFull && isFirst && senderHasRefilled()),
      toxics?.room ?? .max)
    guard limit > 0 else {
      lookAgain()
      return false
    }
    let room = UnsafeMutableRawBufferPointer(rebasing: stock.room.prefix(limit))
    guard let moved = count(source.socket.read(into: room)) else { return false }
    content.append(UnsafeRawBufferPointer(rebasing: room.prefix(moved)))
    driver.offer(moved, on: id)
    return moved == room.count
  }

  /// Reads once and writes it; false when the source has no more, or the sink takes no more.
  private func passOn() -> Bool {
    gate.open()
    guard !isBlocked else { return false }
    if isStream, let pipe = stock.takePipe() {
      self.pipe = pipe
      let moved = count(pipe.fill(from: source.socket))
      if let moved { isStream = moved >= RelayStock.readSize }
      writeSink()
      return moved != nil && isStream && !isBlocked
    }
    guard let moved = count(source.socket.read(into: stock.room)) else { return false }
    content.append(UnsafeRawBufferPointer(rebasing: stock.room.prefix(moved)))
    // As much as that at a time is a stream.
    isStream = moved == stock.room.count
    arrived(moved, isEnd: false)
    return isStream
  }

  /// Counts what was read, and sees to what stopped it.
  private func count(_ outcome: TCPSocket.Outcome) -> Int? {
    switch outcome {
    case .moved(let moved):
      counted.takenIn += moved
      return moved
    case .wouldBlock: break
    case .ended:
      sourceHasEnded = true
      if let id { driver.offerEnd(of: id) }
    case .broken: broke()
    }
    return nil
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

  /// Puts other conditions in force on the link, from now on.
  func change(to conditions: DirectionConditions) {
    driver.change(to: conditions)
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

  /// Lays toxics on what comes out of the link; `make` is called when there were none.
  func lay(_ toxics: [Toxic], make: (ProxyLane) -> ToxicLane) {
    guard id != nil else { return }
    if let laid = self.toxics {
      laid.lay(toxics)
      if laid.isSpent { self.toxics = nil }
    } else if !toxics.isEmpty {
      self.toxics = make(self)
    }
  }

  /// Bytes, or the end, have come out of the link.
  func arrived(_ bytes: Int, isEnd: Bool) {
    if let toxics {
      toxics.offer(bytes, isEnd: isEnd)
    } else {
      pass(bytes, isEnd: isEnd)
    }
  }

  /// The sink has taken all that it was handed.
  var isDry: Bool { arrivedWaiting == 0 && !isBlocked }

  /// Drops bytes that have come out of the link, and that everything before has left.
  func drop(_ bytes: Int) {
    content.drop(bytes)
    counted.discarded += bytes
  }

  /// Lets bytes, or the end, go to the sink.
  func pass(_ bytes: Int, isEnd: Bool) {
    arrivedWaiting += bytes
    endHasArrived = endHasArrived || isEnd
    writeSink()
  }

  /// Hands on what has arrived, as far as the sink takes it.
  func writeSink() {
    guard let id else { return }
    if let pipe {
      let outcome = pipe.drain(to: sink.socket)
      if case .moved(let moved) = outcome { counted.carried += moved }
      if case .broken = outcome { return broke() }
      if !isBlocked {
        givePipeBack()
        source.wantsToRead = !sourceHasEnded
      }
    }
    if !isBlocked {
      let (written, outcome) = content.write(upTo: arrivedWaiting, to: sink.socket)
      arrivedWaiting -= written
      counted.carried += written
      if case .broken = outcome { return broke() }
    }
    sink.wantsToWrite = isBlocked || arrivedWaiting > 0
    if isHeld != (arrivedWaiting > Self.arrivedMax) {
      isHeld.toggle()
      driver.setHeld(isHeld, lane: id)
    }
    if endHasArrived, arrivedWaiting == 0, !isBlocked, !sinkHasEnded {
      sinkHasEnded = true
      sink.socket.endSending()
      finished()
    }
    if isDry { toxics?.sinkIsDry() }
  }

  /// Drops what has not been handed on; nothing moves here any more.
  ///
  /// With a reset, the sink's kernel drops what it has not sent: that was not carried either.
  func discard(withReset: Bool) {
    guard let id else { return }
    self.id = nil
    toxics?.stop()
    let unsent = withReset ? min(counted.carried, sink.socket.unsent) : 0
    counted.carried -= unsent
    counted.discarded += flow.queued + unsent
    content = ByteQueue()
    givePipeBack()
    arrivedWaiting = 0
    driver.discard(id)
  }

  private func givePipeBack() {
    if let pipe { stock.giveBack(pipe) }
    pipe = nil
  }
}
