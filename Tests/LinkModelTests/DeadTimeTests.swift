import LinkModel
import Quantities
import Testing

struct DeadTimeTests {
  private func dead(
    up: Pace = .unlimited, _ outages: [(Double, Double)] = [], down: Pace = .unlimited,
    downOutages: [(Double, Double)] = []
  ) -> [ClosedRange<Double>] {
    func direction(_ rate: Pace, _ outages: [(Double, Double)]) -> DirectionConditions {
      DirectionConditions(
        rate: rate,
        outages: outages.map { Outage(at: Instant(seconds: $0.0), duration: .seconds($0.1)) })
    }
    let link = LinkConditions(up: direction(up, outages), down: direction(down, downOutages))
    return link.deadTimes(until: Instant(seconds: 100)).map {
      $0.lowerBound.seconds...$0.upperBound.seconds
    }
  }

  @Test func `a link is dead while either direction carries nothing`() {
    #expect(dead() == [])
    #expect(dead([(10, 5), (20, 200)]) == [10...15, 20...100])
    #expect(dead([(10, 5)], downOutages: [(12, 8)]) == [10...20])
    #expect(dead(up: .offline) == [0...100])
    let steps = [
      RateStep(at: .zero, rate: .offline),
      RateStep(at: Instant(seconds: 5), rate: .limited(.kilobytes(20))),
      RateStep(at: Instant(seconds: 30), rate: .offline),
    ]
    #expect(dead(up: .steps(steps)) == [0...5, 30...100])
    #expect(dead(up: .lumps(.kilobytes(20), every: .seconds(50))) == [])
  }
}
