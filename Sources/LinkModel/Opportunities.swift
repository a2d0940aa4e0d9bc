package import Quantities

/// Instants at which so many bytes may leave, and between which none do: when each byte of a busy
/// period has left.
///
/// An opportunity serves what waits at its instant, in turns as ever, and a part of a packet stays
/// served until the next one; what it could have served beyond that is lost. A busy period begins
/// with the first opportunity after its start, so that none is used twice. In an outage opportunities
/// are lost.
package struct Opportunities: Hashable, Sendable {
  /// Nanoseconds from the start of each round, in order; equal ones are so many opportunities.
  private let offsets: [Int64]
  /// Nanoseconds from the start of one round to that of the next.
  private let round: Int64
  private let repeats: Bool
  /// Attobytes that each may serve; a fraction of a byte is carried within a busy period.
  private let work: Int128
  private let outages: RateSchedule

  /// The first round starts at link time 0.
  ///
  /// There is at least one offset, and none is beyond the round, which lasts some time.
  init(
    at offsets: [Int64], round: Int64, repeats: Bool, work: Int128, outages: [Outage]
  ) {
    self.offsets = offsets
    self.round = round
    self.repeats = repeats
    self.work = work
    self.outages = RateSchedule([RateStep(at: .zero, rate: .unlimited)], outages: outages)
  }

  package func begin(at instant: Instant) -> ServicePoint {
    ServicePoint(at: instant, work: 0, place: place(after: instant))
  }

  package func departure(ofByte number: Int, after point: inout ServicePoint) -> Instant? {
    let target = Int128(number) * ServicePoint.workPerByte
    while point.work < target {
      guard let instant = instant(of: point.place) else { return nil }
      guard let online = outages.online(from: instant) else { return nil }
      if online > instant {
        point.place = place(after: Instant(nanoseconds: online.nanoseconds - 1))
      } else {
        point = ServicePoint(at: instant, work: point.work + work, place: point.place + 1)
      }
    }
    return point.at
  }

  package func move(_ point: inout ServicePoint, to now: Instant) {
    while let instant = instant(of: point.place), instant <= now {
      if outages.online(from: instant) == instant { point.work += work }
      point.place += 1
    }
    point.at = now
  }

  package func online(from instant: Instant) -> Instant? {
    outages.online(from: instant).flatMap { online in
      self.instant(of: place(after: online)) == nil ? nil : online
    }
  }

  /// The first opportunity after an instant, counted from link time 0.
  func place(after instant: Instant) -> Int {
    let rounds = max(0, instant.nanoseconds / round)
    if rounds > 0, !repeats { return offsets.count }
    let offset = instant.nanoseconds - rounds * round
    var places = 0..<offsets.count
    while !places.isEmpty {
      let middle = (places.lowerBound + places.upperBound) / 2
      if offsets[middle] <= offset {
        places = middle + 1..<places.upperBound
      } else {
        places = places.lowerBound..<middle
      }
    }
    return Int(rounds) * offsets.count + places.lowerBound
  }

  private func instant(of place: Int) -> Instant? {
    if place >= offsets.count, !repeats { return nil }
    let (rounds, index) = place.quotientAndRemainder(dividingBy: offsets.count)
    return Instant(nanoseconds: Int64(rounds) * round + offsets[index])
  }
}
