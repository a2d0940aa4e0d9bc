package import Quantities

/// What the faults of a link do to one connection, and when.
///
/// It is told what comes out of the link and says what is to be done; whoever does it keeps the bytes.
/// The real link and the simulated one are driven by this same value.
///
/// Refused or silent, a connection has no other fault. Otherwise all of its faults act, each when its
/// byte or its time has come, and the first cut, or the dark, is the last.
package struct FaultPlan: Sendable {
  package enum Opening: Hashable, Sendable {
    case carried, refused, silent
  }

  package enum Action: Hashable, Sendable {
    /// So many more bytes of this side may leave, and no others; nil is any number.
    case allow(LinkSide, Int?)
    /// The end of this side's stream is passed on.
    case end(LinkSide)
    /// Behind all that has come out of this side; at once when it is nil.
    case cut(ConnectionCut, behind: LinkSide?)
  }

  private struct Stream {
    var cut: (at: Int, way: ConnectionCut)?
    var hold: (at: Int, time: Duration)?
    /// Bytes that have come out.
    var passed = 0
    var heldUntil: Instant?
    /// When the end that has come out is passed on.
    var endsAt: Instant?

    /// Bytes that may leave before the next thing happens.
    var allowance: Int? { [cut?.at, hold?.at].compactMap(\.self).min().map { $0 - passed } }
  }

  package let opening: Opening
  private var streams: [Stream] = [Stream(), Stream()]
  private var slowClose = Duration.zero
  private var darkAt: Instant?
  private var isCut = false

  /// `number` counts the connections of the link from 1, those that were refused too.
  package init(_ faults: [ConnectionFault], connection number: Int, openedAt now: Instant) {
    var own: [ConnectionFault] = []
    for fault in faults where fault.fits(number: number, openedAt: now) {
      if !own.contains(where: { $0.isOfKind(of: fault) }) { own.append(fault) }
    }
    func has(_ deed: ConnectionFault.Deed) -> Bool { own.contains { $0.deed == deed } }
    opening = has(.refuse) ? .refused : has(.silent) ? .silent : .carried
    guard opening == .carried else {
      isCut = true
      return
    }
    for fault in own {
      switch fault.deed {
      case .refuse, .silent: break
      case .cut(let place, let way): self[place.side].cut = (place.bytes, way)
      case .hold(let place, let time): self[place.side].hold = (place.bytes, time)
      case .slowClose(let time): slowClose = time
      case .dark(let at): darkAt = at
      }
    }
  }

  /// Nothing is ever done to the connection.
  package var isEmpty: Bool {
    opening == .carried && darkAt == nil && slowClose == .zero
      && streams.allSatisfy { $0.cut == nil && $0.hold == nil }
  }

  /// What is to be done before anything leaves.
  package var atFirst: [Action] {
    LinkSide.allCases.compactMap { side in self[side].allowance.map { .allow(side, $0) } }
  }

  /// When ``advance(to:)`` has something to do next; nil when nothing is going to happen by itself.
  package var nextEvent: Instant? {
    isCut
      ? nil : (streams.flatMap { [$0.heldUntil, $0.endsAt] } + [darkAt]).compactMap(\.self).min()
  }

  /// Bytes of a side, or its end, have come out of the link: what is to be done, with all that was due
  /// by then, in order.
  ///
  /// The bytes are to be handed on, the end is not.
  package mutating func passed(
    _ bytes: Int, isEnd: Bool, _ side: LinkSide, at now: Instant
  ) -> [Action] {
    var actions = advance(to: now)
    guard !isCut else { return actions }
    self[side].passed += bytes
    if let cut = self[side].cut, self[side].passed >= cut.at {
      return actions + end(cut.way, behind: side)
    }
    if let hold = self[side].hold, self[side].passed >= hold.at {
      self[side].hold = nil
      self[side].heldUntil = now + hold.time
      actions.append(.allow(side, 0))
    }
    if isEnd { self[side].endsAt = max(self[side].heldUntil ?? now, now) + slowClose }
    return actions + advance(to: now)
  }

  /// Everything that is to be done up to and including `now`, in order.
  package mutating func advance(to now: Instant) -> [Action] {
    var actions: [Action] = []
    while let event = nextEvent, event <= now {
      if darkAt == event { return actions + end(.silence, behind: nil) }
      for side in LinkSide.allCases {
        if self[side].heldUntil == event {
          self[side].heldUntil = nil
          actions.append(.allow(side, self[side].allowance))
        }
        if self[side].endsAt == event {
          self[side].endsAt = nil
          actions.append(.end(side))
        }
      }
    }
    return actions
  }

  private mutating func end(_ way: ConnectionCut, behind side: LinkSide?) -> [Action] {
    isCut = true
    let cut = Action.cut(way, behind: side)
    return switch way {
    case .reset: [cut]
    case .end: [cut] + LinkSide.allCases.map { .allow($0, nil) }
    case .silence: [cut] + LinkSide.allCases.map { .allow($0, 0) }
    }
  }

  private subscript(_ side: LinkSide) -> Stream {
    get { streams[side == .up ? 0 : 1] }
    set { streams[side == .up ? 0 : 1] = newValue }
  }
}
