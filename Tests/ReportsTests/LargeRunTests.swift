import Quantities
import TestSupport
import Testing

@testable import Reports

/// Reports of a run that is far longer than any that ships.
@Suite struct LargeRunTests {
  private static let spike = 33_333
  private static let spikeBytes = 7_654_321

  /// Three and a half hours on a link of 100 KB/s, with a point every 0.12 s, and a line and a request
  /// every 4.5 s.
  private static let record: RunRecord = {
    var record = SlowCopy.record
    for index in record.variants.indices {
      var variant = record.variants[index]
      (variant.horizon, variant.finishedAt, variant.outcome) = (13_500, nil, .horizon)
      variant.timeline = (0..<110_000).map { place in
        let carried = place * 12_000
        // Once it is far ahead, for one point.
        let ahead = place == spike ? spikeBytes : 64_000
        return TimelinePoint(
          at: 0.12 * Double(place), handedOver: carried + ahead, carried: carried,
          claimed: carried + ahead / 2)
      }
      let count = 3_000
      variant.statusLines.lines = (0..<count).map { place in
        StatusLinesRecord.Line(
          text: "photo-\(place / 10): \(place).\(place % 7) of 1.65 MB, 20 KB/s, \(place) s",
          first: Double(place) * 4.5, last: Double(place) * 4.5 + 1, times: 1, isTrue: true)
      }
      variant.statusLines.distinct = count
      variant.statusLines.shown = (0..<count).map { .init(at: Double($0) * 4.5, line: $0) }
      variant.requests = (0..<count).map { place in
        RequestRecord(
          at: Double(place) * 4.5, method: "PUT",
          path: "/api/moments/01ARZ3NDEKTSV4RRFFQ69G5FAV/media/01ARZ3NDEKTSV4RRFFQ69G5FAW",
          capture: "photo-\(place / 10)", step: "copy", attempt: place % 10 + 1, status: 200,
          bodyBytes: 300_000, seconds: 4, end: "answered", endedBy: "engine", phase: "answer")
      }
      record.variants[index] = variant
    }
    return record
  }()

  /// In any longer run no more than this is drawn or listed: what grows with it is cut already here.
  @Test func `its page and tables stay small`() {
    #expect(HTMLReport(Self.record).text.utf8.count < 5_000_000)
    #expect(MarkdownReport(Self.record).text.utf8.count <= MarkdownReport.byteLimit)
    #expect(JUnitReport(Self.record).text.utf8.count < 10_000)
    let counters = TraceReport(Self.record).text.split(separator: "\"ph\":\"C\"").count - 1
    #expect(counters <= TraceReport.counterLimit * Self.record.variants.count)
  }

  @Test func `what was most, and least, in any column is still drawn`() throws {
    let course = BytesCourse(Self.record.variants[0])
    let thin = course.thinned(until: 13_500, stretches: 1_000)
    #expect(thin.most == course.most)
    #expect(thin.most >= Self.spikeBytes)
    #expect(thin.pieces.joined().count < course.pieces.joined().count / 4)
    func extremes(_ points: [BytesCourse.Point]) -> [Int: [Int]] {
      Dictionary(grouping: points) { Int($0.at / 13.5) }.mapValues { points in
        let all = [points.map(\.handedOver), points.map(\.carried), points.compactMap(\.claimed)]
        return all.flatMap { [$0.min() ?? 0, $0.max() ?? 0] }
      }
    }
    let points = course.pieces.flatMap { $0 }
    let thinned = BytesCourse.thinned(points) { Int($0.at / 13.5) }
    #expect(extremes(thinned) == extremes(points))
    #expect(thinned.first == points.first && thinned.last == points.last)
  }
}
