extension LinkDirection {
  /// One direction of one connection.
  package struct LaneID: Hashable, Sendable {
    let slot: Int32
    /// Told apart by it are the lanes that have had the slot one after the other.
    let generation: UInt32
  }
}

/// What belongs to each open lane, found without hashing.
package struct LaneMap<Value> {
  private var slots: [(generation: UInt32, value: Value?)] = []

  package init() {}

  package subscript(lane: LinkDirection.LaneID) -> Value? {
    get {
      let slot = Int(lane.slot)
      guard slot < slots.count, slots[slot].generation == lane.generation else { return nil }
      return slots[slot].value
    }
    set {
      let slot = Int(lane.slot)
      while slots.count <= slot { slots.append((0, nil)) }
      slots[slot] = (lane.generation, newValue)
    }
  }
}
