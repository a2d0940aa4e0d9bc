package import Quantities

/// What happens to connections on a link, whatever their bytes mean.
///
/// Faults that need a request's meaning are the engine's, in its script.
package struct ConnectionFault: Hashable, Sendable {
  package enum Deed: Hashable, Sendable {
    /// A reset at once, and nothing of it reaches the server.
    ///
    /// Approximate: a kernel accepts before the link can decide, so that connecting succeeds.
    case refuse
    /// Accepted, and then nothing is said: the path takes in its buffer, and nothing of it reaches the
    /// server.
    case silent
    case cut(StreamPlace, as: ConnectionCut)
    /// Nothing more of that side moves for a time; then it goes on at the pace of the link, and what
    /// follows is only sent then. The other side goes on.
    case hold(StreamPlace, for: Duration)
    /// The end of a stream, of either side, comes out of the link this much later.
    case slowClose(Duration)
    /// Cut as silence at this link time; connections opened later are none of it.
    case dark(at: Instant)
  }

  package var which: ConnectionChoice
  package var deed: Deed

  package init(_ deed: Deed, which: ConnectionChoice = ConnectionChoice()) {
    self.deed = deed
    self.which = which
  }

  /// Whether it acts on a connection, if no rule of its kind comes before it.
  func fits(number: Int, openedAt instant: Instant) -> Bool {
    if case .dark(let at) = deed, instant >= at { return false }
    return which.fits(number: number, openedAt: instant)
  }

  /// Of the rules of one kind that fit a connection only the first acts; the two sides are two kinds.
  func isOfKind(of other: ConnectionFault) -> Bool {
    switch (deed, other.deed) {
    case (.refuse, .refuse), (.silent, .silent), (.slowClose, .slowClose), (.dark, .dark): true
    case (.cut(let one, _), .cut(let other, _)): one.side == other.side
    case (.hold(let one, _), .hold(let other, _)): one.side == other.side
    default: false
    }
  }

  /// Whether the other rule, behind this one, can never act.
  package func covers(_ other: ConnectionFault) -> Bool {
    guard isOfKind(of: other), which.covers(other.which) else { return false }
    if case .dark(let own) = deed, case .dark(let others) = other.deed { return own >= others }
    return true
  }
}
