extension LinkProxy {
  /// What the proxy has counted and measured so far.
  package struct Reading: Hashable, Sendable {
    package var up: LaneFlow
    package var down: LaneFlow
    /// Bytes that the clients' sockets have taken, whether the proxy has read them or not.
    package var handedOver: Int
    /// Of them, those that were in the kernels when a reset threw them away.
    package var lostInKernel: Int
    /// Bytes in the link itself on the way up: they have left, and not arrived.
    package var propagating: Int
    /// A sender is being kept waiting because the buffer is full.
    package var isFull: Bool
    /// Connections that have bytes on the way up.
    package var holding: Int
    /// Bytes per second, as packets came out while the direction was busy; nil when hardly used, and
    /// of links that are not shared.
    package var upRate: Double?
    package var downRate: Double?
    /// What the conditions asked for over the time of that, on the mean; nil when it is no number.
    package var upAsked: Double?
    package var downAsked: Double?
    /// Busy periods over which each rate was measured.
    package var upPeriods = 0
    package var downPeriods = 0
    package var connections: Int
    /// Connections that were refused, by the limit, by a fault or by the system.
    package var refused = 0
    /// Connections for which the server could not be reached.
    package var unreached = 0
    package var retransmissions: Int
    package var zeroWindowProbes: Int

    /// For a link that is simulated: no kernel takes part.
    package init(
      up: LaneFlow, down: LaneFlow, propagating: Int, isFull: Bool, holding: Int, upRate: Double?,
      downRate: Double?, connections: Int
    ) {
      self.init(
        up: up, down: down, handedOver: up.takenIn, lostInKernel: 0, propagating: propagating,
        isFull: isFull, holding: holding, upRate: upRate, downRate: downRate,
        connections: connections, retransmissions: 0, zeroWindowProbes: 0)
    }

    init(
      up: LaneFlow, down: LaneFlow, handedOver: Int, lostInKernel: Int, propagating: Int,
      isFull: Bool, holding: Int, upRate: Double?, downRate: Double?, connections: Int,
      retransmissions: Int, zeroWindowProbes: Int
    ) {
      self.up = up
      self.down = down
      self.handedOver = handedOver
      self.lostInKernel = lostInKernel
      self.propagating = propagating
      self.isFull = isFull
      self.holding = holding
      self.upRate = upRate
      self.downRate = downRate
      self.connections = connections
      self.retransmissions = retransmissions
      self.zeroWindowProbes = zeroWindowProbes
    }

    /// Bytes on the way up: taken by the clients' sockets, and neither `received` by the server nor
    /// thrown away by a reset.
    package func held(received: Int) -> Int {
      handedOver - lostInKernel - up.discarded - received
    }
  }
}
