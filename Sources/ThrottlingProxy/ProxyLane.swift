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
  /// Of what arrived, bytes that are not handed on, behind those that are.
  private var unwanted = 0
  /// The end of the source's stream has come out of the link.
  private var endHasArrived = false
  /// The sink is to be told that nothing follows what has arrived.
  private var endIsDue = false
  private var course = Course.carries
  /// A fault lets nothing leave.
  private var isStopped = false
  /// What is done to bytes between the link and the sink; nil while nothing is.
  private var toxics: ToxicLane?
  /// Everything that the source sent has been taken in.
  private(set) var sourceHasEnded = false

  /// The sink was told that nothing follows.
  private(set) var sinkHasEnded = false
  private var counted = LaneFlow()
  /// Called when a socket turns out to be broken.
  var broke: () -> Void = {}
  /// Called when the sink has been told that nothing follows, and when nothing can follow.
  var finished: () -> Void = {}
  /// Told what has come out of the link, where faults may act; then the end is passed on by
  /// ``endSink()`` alone.
  var watcher: ((_ bytes: Int, _ isEnd: Bool) -> Void)?
  /// Called once, when the sink has taken all that has arrived.
  private var whenDry: (() -> Void)?

  /// What becomes of the bytes that come out of the link.
  private enum Course {
    case carries
    case discards
    /// They are kept, and nothing is told to the sink.
    case stands
  }

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

  /// A sender is kept waiting by that, and not by a fault.
  var keepsWaiting: Bool { isFull && !isStopped }

  /// The sink was told that nothing follows, and nothing does.
  var isDone: Bool { sinkHasEnded && endHasArrived }

  /// Bytes that have left and not arrived.
  var propagating: Int { id.map(driver.propagating) ?? 0 }

  /// Takes in what the source has sent, as far as there is room.
  func readSource() {
    var turns = 0
    while turns < Self.readsPerTurn, id != nil, !sourceHasEnded,
      passesAtOnce ? passOn() : takeIn(isFirst: turns == 0)
    { turns += 1 }
    source.wantsToRead = !sourceHasEnded && !isFull && !isBlocked
  }

  /// Nothing of the lane is on the link, and the link would do nothing to what comes.
  private var passesAtOnce: Bool {
    watcher == nil && toxics == nil && driver.isClear && content.count == 0
  }

  /// Bytes in the pipe wait for the sink.
  private var isBlocked: Bool { pipe.map { $0.count > 0 } ?? false }

  /// Reads once and puts it on the link; false when there is no more for now.
  private func takeIn(isFirst: Bool) -> Bool {
    guard let id else { return false }
    let limit = min(
      gate.room(
        queued: driver.queued(id), takenIn: counted.takenIn, refill: driver.refillBytes,
        reading: isFull && isFirst && !isStopped && senderHasRefilled()),
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
    guard !gate.isSettled, !looksAgain, !isStopped else { return }
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
    switch course {
    case .stands: return
    case .discards: unwanted += bytes
    case .carries: arrivedWaiting += bytes
    }
    endHasArrived = endHasArrived || isEnd
    endIsDue = endIsDue || isEnd && watcher == nil
    writeSink()
    // Writing may have ended the connection.
    guard id != nil else { return }
    if course == .carries { watcher?(bytes, isEnd) } else if isEnd, sinkHasEnded { finished() }
  }

  // MARK: What faults make of it

  /// Lets so many more bytes leave, and no others for now; nil is any number.
  func allow(_ bytes: Int?) {
    isStopped = bytes == 0
    if let id { driver.allow(bytes, on: id) }
  }

  /// Tells the sink, behind what has arrived, that nothing follows.
  func endSink() {
    endIsDue = true
    writeSink()
  }

  /// The same, and what still comes out of the link is thrown away.
  func discardRest() {
    course = .discards
    endSink()
  }

  /// Keeps all that has not been handed on, and tells the sink nothing any more.
  func stand() {
    course = .stands
    sink.wantsToWrite = false
  }

  /// Does something once the sink has taken all that has arrived.
  func afterwards(_ action: @escaping () -> Void) {
    whenDry = action
    writeSink()
  }

  /// Bytes that the sink's kernel has not sent.
  var unsent: Int { sink.socket.unsent }

  /// Hands on what has arrived, as far as the sink takes it.
  func writeSink() {
    guard let id, course != .stands else { return }
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
    guard isDry else { return }
    if unwanted > 0 {
      content.drop(unwanted)
      counted.discarded += unwanted
      unwanted = 0
    }
    if endIsDue, !sinkHasEnded {
      sinkHasEnded = true
      sink.socket.endSending()
      finished()
    }
    let action = whenDry
    whenDry = nil
    action?()
    toxics?.sinkIsDry()
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
    unwanted = 0
    watcher = nil
    whenDry = nil
    driver.discard(id)
  }

  private func givePipeBack() {
    if let pipe { stock.giveBack(pipe) }
    pipe = nil
  }
}
