/// Where the bytes of a lane, or of many lanes, went.
package struct LaneFlow: Hashable, Sendable {
  package var takenIn = 0
  package var carried = 0
  package var discarded = 0
  /// In hand, as the bytes themselves are counted, so that the sum of the other three can be wrong.
  package var queued = 0

  package init() {}

  package static func += (total: inout LaneFlow, other: LaneFlow) {
    total.takenIn += other.takenIn
    total.carried += other.carried
    total.discarded += other.discarded
    total.queued += other.queued
  }
}
