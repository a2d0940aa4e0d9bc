import EventLoop
import LinkModel
import Quantities

/// The toxics of one lane at work: what comes out of the link goes through them before it is handed
/// on.
final class ToxicLane {
  /// What they do to the connection as a whole.
  struct Ending {
    var close: () -> Void
    var reset: () -> Void
  }

  private var chain: ToxicChain
  private unowned let lane: ProxyLane
  private let loop: EventLoop
  private let ending: Ending
  private lazy var alarm = Alarm(on: loop) { [unowned self] in change { _, _ in } }
  /// What has come out of the chain and is still to be done, in order.
  private var undone = FIFO<ToxicFlow>()
  private var isActing = false
  private var hasStopped = false

  init(
    _ toxics: [Toxic], random: SeededRandom, on lane: ProxyLane, loop: EventLoop, ending: Ending
  ) {
    chain = ToxicChain(toxics, random: random, at: loop.now)
    self.lane = lane
    self.loop = loop
    self.ending = ending
    alarm.set(to: chain.nextEvent)
  }

  /// Bytes that the lane may still take in; zero or less when its source is to wait.
  ///
  /// What is to be dropped or closed waits for the sink to take what was passed before.
  var room: Int { undone.isEmpty ? chain.room : 0 }

  /// Nothing is left for it to do, so that the lane can go on without.
  var isSpent: Bool { chain.isEmpty && undone.isEmpty && !isActing }

  func offer(_ bytes: Int, isEnd: Bool) {
    change { chain, now in
      chain.offer(bytes, at: now)
      if isEnd { chain.offerEnd(at: now) }
    }
  }

  func lay(_ toxics: [Toxic]) {
    change { chain, now in chain.change(to: toxics, at: now) }
  }

  /// The sink has taken all that it was handed.
  func sinkIsDry() {
    if !undone.isEmpty { takingInAgain { act() } }
  }

  /// Nothing moves any more.
  func stop() {
    hasStopped = true
    alarm.set(to: nil)
  }

  private func change(_ body: (inout ToxicChain, Instant) -> Void) {
    guard !hasStopped else { return }
    let now = loop.now
    takingInAgain {
      for flow in chain.advance(to: now) { undone.append(flow) }
      body(&chain, now)
      for flow in chain.advance(to: now) { undone.append(flow) }
      alarm.set(to: chain.nextEvent)
      act()
    }
  }

  /// Lets the lane read on when the body has made room.
  private func takingInAgain(_ body: () -> Void) {
    let wasFull = room <= 0
    body()
    if wasFull, !hasStopped, room > 0 { lane.readSource() }
  }

  private func act() {
    guard !isActing else { return }
    isActing = true
    defer { isActing = false }
    while !hasStopped, let flow = undone.first {
      switch flow {
      case .dropped, .close: guard lane.isDry else { return }
      case .bytes, .end, .reset: break
      }
      _ = undone.popFirst()
      switch flow {
      case .bytes(let count): lane.pass(withFullPackets(count), isEnd: false)
      case .dropped(let count): lane.drop(count)
      case .end: lane.pass(0, isEnd: true)
      case .close: ending.close()
      case .reset: ending.reset()
      }
    }
  }

  /// Full packets that have left together are one write: each costs more than its bytes do.
  private func withFullPackets(_ count: Int) -> Int {
    guard count == LinkDirection.packetBytes else { return count }
    var sum = count
    while undone.first == .bytes(count) {
      sum += count
      _ = undone.popFirst()
    }
    return sum
  }
}
