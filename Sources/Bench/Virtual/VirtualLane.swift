import LinkModel
import ThrottlingProxy

/// One direction of one connection: bytes that were taken in, on their way across the link.
final class VirtualLane {
  private let direction: VirtualDirection
  /// Bytes that may wait to leave.
  private let capacity: Int
  /// Of them, those that wait in the sender's kernel once the path has taken the others.
  private let kernel: Int
  /// Nil once nothing moves here any more.
  private var id: LinkDirection.LaneID?
  /// What is on its way, behind the piece that has begun to arrive.
  private var content = FIFO<ArraySlice<UInt8>>()
  private var started: ArraySlice<UInt8> = []
  private var endIsOffered = false
  private(set) var flow = LaneFlow()
  /// The far end was told that nothing follows.
  private(set) var hasEnded = false
  /// The near end's own end has come out of the link.
  private var endHasArrived = false
  private var course = Course.carries
  /// A fault lets nothing leave.
  private(set) var isStopped = false

  /// What becomes of the bytes that come out of the link.
  private enum Course {
    case carries
    case discards
    /// They are kept, and nothing is told to the far end.
    case stands
  }

  /// Whether somebody at the far end takes bytes.
  var isTaken: () -> Bool = { false }
  var deliver: ([UInt8]) -> Void = { _ in }
  /// Called instead of `deliver` when nobody does.
  var refused: () -> Void = {}
  /// Called when the far end has been told that nothing follows.
  var ended: () -> Void = {}
  /// Called when nothing follows what is thrown away.
  var drained: () -> Void = {}
  /// Told what has come out of the link, where faults may act; then the end is passed on by
  /// ``endSink()`` alone.
  var watcher: ((_ bytes: Int, _ isEnd: Bool) -> Void)?
  /// Called when there may be room again.
  var hasRoom: () -> Void = {}

  init(over direction: VirtualDirection, capacity: Int, kernel: Int) {
    self.direction = direction
    self.capacity = capacity
    self.kernel = kernel
    id = direction.open(self)
  }

  /// The far end was told that nothing follows, and nothing does.
  var isDone: Bool { hasEnded && endHasArrived }

  var room: Int { id.map { max(0, capacity - direction.queued($0)) } ?? 0 }

  /// Bytes that the sender's kernel holds: the path has not acknowledged them.
  var unacknowledged: Int {
    id.map { max(0, direction.queued($0) - (capacity - kernel)) } ?? 0
  }

  /// Bytes that have left and not arrived.
  var propagating: Int { id.map(direction.propagating) ?? 0 }

  func offer(_ bytes: ArraySlice<UInt8>) {
    guard let id, !bytes.isEmpty, !endIsOffered else { return }
    content.append(bytes)
    flow.takenIn += bytes.count
    flow.queued += bytes.count
    direction.offer(bytes.count, on: id)
  }

  /// Lets the end of the stream follow what was taken in; does nothing the second time.
  func offerEnd() {
    guard let id, !endIsOffered else { return }
    endIsOffered = true
    direction.offerEnd(of: id)
  }

  /// Whether the far end has no room, so that nothing leaves.
  var isHeld = false {
    didSet {
      guard let id, isHeld != oldValue else { return }
      direction.setHeld(isHeld, lane: id)
    }
  }

  /// Drops what has not arrived; nothing moves here any more.
  func discard() {
    guard let id else { return }
    self.id = nil
    flow.discarded += flow.queued
    flow.queued = 0
    content = FIFO()
    started = []
    watcher = nil
    direction.discard(id)
  }

  // MARK: What the direction tells

  func departed() { hasRoom() }

  func arrived(_ count: Int, isEnd: Bool) {
    switch course {
    case .stands: return
    case .discards: flow.discarded += take(count).count
    case .carries:
      if count > 0 {
        guard isTaken() else {
          refused()
          return
        }
        flow.carried += count
        deliver(take(count))
      }
    }
    guard id != nil else { return }
    endHasArrived = endHasArrived || isEnd
    if course == .carries, let watcher {
      watcher(count, isEnd)
    } else if isEnd {
      if course == .discards { drained() } else { endSink() }
    }
  }

  // MARK: What faults make of it

  /// Lets so many more bytes leave, and no others for now; nil is any number.
  func allow(_ bytes: Int?) {
    isStopped = bytes == 0
    if let id { direction.allow(bytes, on: id) }
  }

  /// Tells the far end that nothing follows.
  func endSink() {
    hasEnded = true
    ended()
  }

  /// The same, and what still comes out of the link is thrown away.
  func discardRest() {
    course = .discards
    endSink()
  }

  /// Keeps all that has not arrived, and tells the far end nothing any more.
  func stand() { course = .stands }

  private func take(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if started.isEmpty {
        guard let next = content.popFirst() else { break }
        started = next
      }
      let part = started.prefix(count - bytes.count)
      bytes += part
      // An empty slice would keep the memory of what it was cut from.
      started = part.count == started.count ? [] : started.dropFirst(part.count)
    }
    flow.queued -= bytes.count
    return bytes
  }
}
