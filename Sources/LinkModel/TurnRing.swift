/// Lanes that wait for their turn, by slot, in the order in which they joined.
struct TurnRing: Sendable {
  /// A place in the order of turns; the lane may have left it since.
  private struct Turn {
    var slot: Int
    var number: Int
  }

  /// So many turns that were left are kept beside those that are waited for.
  private static let turnsLeftMax = 64

  private var ring = FIFO<Turn>()
  /// The turn that each slot waits for; zero when it waits for none.
  private var turnOfSlot: [Int] = []
  private var turns = 0
  /// Slots that wait; the rest of the ring was left.
  private var waiting = 0

  var isEmpty: Bool { waiting == 0 }

  /// Waits behind the others; does nothing for one that waits.
  mutating func join(_ slot: Int) {
    while turnOfSlot.count <= slot { turnOfSlot.append(0) }
    guard turnOfSlot[slot] == 0 else { return }
    turns += 1
    turnOfSlot[slot] = turns
    ring.append(Turn(slot: slot, number: turns))
    waiting += 1
  }

  /// Waits no more; does nothing for one that does not.
  mutating func leave(_ slot: Int) {
    guard slot < turnOfSlot.count, turnOfSlot[slot] != 0 else { return }
    turnOfSlot[slot] = 0
    waiting -= 1
    // Turns that were left are passed over when they come up, unless they get to be too many.
    guard ring.count > 2 * waiting + Self.turnsLeftMax else { return }
    ring.removeAll { turnOfSlot[$0.slot] != $0.number }
  }

  /// Takes the first out of the ring; nil when none waits.
  mutating func next() -> Int? {
    while let turn = ring.popFirst() {
      guard turnOfSlot[turn.slot] == turn.number else { continue }
      turnOfSlot[turn.slot] = 0
      waiting -= 1
      return turn.slot
    }
    return nil
  }
}
