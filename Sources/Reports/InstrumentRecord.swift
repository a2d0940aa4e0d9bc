/// What the bench measured of itself during one variant.
package struct InstrumentRecord: Hashable, Sendable {
  package var lateness: RunRecord.Lateness?
  /// The worst of the client's own timers, in link seconds: so late may its limits have been.
  ///
  /// Nil when the client does not say.
  package var clientLateness: Double?
  package var upRate: Double?
  package var downRate: Double?
  /// What a rate that changes was on the mean over the time measured; nil when it does not change.
  package var upAsked: Double?
  package var downAsked: Double?
  /// Busy periods over which the rates were measured; nil in results that do not tell.
  package var upPeriods: Int?
  package var downPeriods: Int?
  /// Mean of the buffer of each attempt that filled it.
  package var buffers: [Double]
  package var takenIn: Int
  package var carried: Int
  package var discarded: Int
  package var queued: Int
  package var engineReceived: Int
  package var retransmissions: Int
  /// Without those while the script kept the engine from reading: the window is closed as it has to
  /// be, and opens when the engine reads, not when a timer of the kernel fires.
  package var zeroWindowProbes: Int

  package init(
    lateness: RunRecord.Lateness? = nil, clientLateness: Double? = nil, upRate: Double? = nil,
    downRate: Double? = nil, upAsked: Double? = nil, downAsked: Double? = nil,
    upPeriods: Int? = nil, downPeriods: Int? = nil,
    buffers: [Double] = [], takenIn: Int, carried: Int, discarded: Int = 0, queued: Int = 0,
    engineReceived: Int, retransmissions: Int = 0, zeroWindowProbes: Int = 0
  ) {
    self.lateness = lateness
    self.clientLateness = clientLateness.map(toMilliseconds)
    self.upRate = upRate.map { rounded($0, decimals: 2) }
    self.downRate = downRate.map { rounded($0, decimals: 2) }
    self.upAsked = upAsked.map { rounded($0, decimals: 2) }
    self.downAsked = downAsked.map { rounded($0, decimals: 2) }
    self.upPeriods = upPeriods
    self.downPeriods = downPeriods
    self.buffers = buffers.map { rounded($0, decimals: 1) }
    self.takenIn = takenIn
    self.carried = carried
    self.discarded = discarded
    self.queued = queued
    self.engineReceived = engineReceived
    self.retransmissions = retransmissions
    self.zeroWindowProbes = zeroWindowProbes
  }
}
