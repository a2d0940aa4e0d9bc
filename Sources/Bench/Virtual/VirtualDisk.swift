package import Quantities
package import Uploads

/// A disk of the virtual world, kept over the client's restarts.
package protocol VirtualDisk: FileSystem {
  /// The process that used it was killed: its locks are free.
  func crash()

  /// The power fails and comes back: what was not synced is lost, or a part of it.
  func losePower(_ random: inout SeededRandom)

  /// The power will fail at one of the next few calls, or in the middle of it.
  ///
  /// `struck` is told when it does. ``losePower(_:)`` is still to come then; it forgets the plan too.
  func planPowerLoss(_ random: inout SeededRandom, struck: @escaping @Sendable () -> Void)

  /// Takes no more bytes, whatever is removed; or as many as come.
  func setFull(_ isFull: Bool)
}

extension SimulatedDisk: VirtualDisk {
  /// So many calls may be hit by a planned loss of power: the commit of a photo makes nine.
  private static let callsAtRisk = 10

  /// A killed process leaves what it has written: the page cache outlives it.
  package func crash() { restart() }

  package func planPowerLoss(
    _ random: inout SeededRandom, struck: @escaping @Sendable () -> Void
  ) {
    let moments = DiskFault.Moment.allCases
    let moment = moments[Int.random(in: moments.indices, using: &random)]
    let call = Int.random(in: 0..<Self.callsAtRisk, using: &random)
    plan(DiskFault(.ends(moment), atCall: call), onEnd: struck)
  }

  package func setFull(_ isFull: Bool) { setCapacity(isFull ? 0 : .max) }
}
