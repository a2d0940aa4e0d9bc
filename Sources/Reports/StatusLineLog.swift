package import Quantities

/// Collects the lines that a user was shown, as they are read.
///
/// A line is live when it shows a byte count above zero that no earlier line has shown, and the
/// client's socket had taken those bytes by then. The count alone is compared, whatever file it is
/// of, so a line may be counted too few times but never too often.
package struct StatusLineLog: Sendable {
  /// Distinct lines that are kept: four a second for three hours.
  package static let lineLimit = 43_200
  /// Changes of the line shown that are kept, for the longest silence.
  package static let changeLimit = 200_000

  /// A stretch of time in which a user waits for news.
  package struct Interest: Hashable, Sendable {
    package var from: Instant
    package var to: Instant

    package init(from: Instant, to: Instant) {
      self.from = from
      self.to = to
    }
  }

  private var lines: [StatusLinesRecord.Line] = []
  private var indices: [String: Int] = [:]
  private var counts: Set<Int> = []
  private var live = 0
  private var firstLiveAt: Instant?
  private var shown: String?
  private var changes: [Instant] = []
  private var showings: [StatusLinesRecord.Showing] = []
  /// True once a limit was reached and something was left out: the bench says so as a doubt.
  package private(set) var isFull = false

  package init() {}

  /// A line was shown; `handedOver` is what the client's sockets had taken of the run by then.
  ///
  /// Nil when it is not known: then the count is believed.
  package mutating func add(text: String, at instant: Instant, handedOver: Int?) {
    let claim = ByteClaim(in: text)
    add(text: text, count: claim?.claimed, at: instant) {
      handedOver.flatMap { claim?.isBacked(by: $0) } ?? true
    }
  }

  /// As ``add(text:at:handedOver:)``, for a caller that knows what was taken of each file; `count` is
  /// the byte count that the line shows, or whatever stands for it.
  package mutating func add(
    text: String, count: Int?, at instant: Instant, taken isTaken: () -> Bool
  ) {
    let isChange = text != shown
    if isChange {
      shown = text
      if changes.count < StatusLineLog.changeLimit {
        changes.append(instant)
      } else {
        isFull = true
      }
    }
    if let index = indices[text] {
      if isChange { note(index, at: instant) }
      lines[index].last = toMilliseconds(instant.seconds)
      lines[index].times += 1
      return
    }
    guard lines.count < StatusLineLog.lineLimit else {
      isFull = true
      return
    }
    indices[text] = lines.count
    note(lines.count, at: instant)
    lines.append(
      .init(text: text, first: instant.seconds, last: instant.seconds, times: 1))
    if let count, count > 0, !counts.contains(count), isTaken() {
      counts.insert(count)
      live += 1
      firstLiveAt = firstLiveAt ?? instant
    }
  }

  /// What was shown; the longest silence is looked for in the stretches of interest only.
  package func record(interest: [Interest]) -> StatusLinesRecord {
    StatusLinesRecord(
      distinct: lines.count, live: live, firstLiveAt: firstLiveAt?.seconds,
      longestSilence: interest.map(silence).max()?.inSeconds, lines: lines, shown: showings)
  }

  private mutating func note(_ line: Int, at instant: Instant) {
    guard showings.count < StatusLinesRecord.showingLimit else { return }
    showings.append(.init(at: instant.seconds, line: line))
  }

  private func silence(in interest: Interest) -> Duration {
    let inside = changes.filter { $0 > interest.from && $0 < interest.to }
    let ends = [interest.from] + inside + [interest.to]
    return zip(ends, ends.dropFirst()).map { $1 - $0 }.max() ?? .zero
  }
}
