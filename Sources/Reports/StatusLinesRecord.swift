/// What the user was shown.
package struct StatusLinesRecord: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package var text: String
    package var first: Double
    package var last: Double
    package var times: Int
    /// Each time that it was shown; nil when nothing was there to judge it by.
    package var isTrue: Bool?
    /// What was not so; nil when nothing was.
    package var why: String?

    /// `yes`, or why not; a dash when it was not judged.
    var verdict: String {
      isTrue.map { $0 ? "yes" : "NO: \(why ?? "")" } ?? "–"
    }

    package init(
      text: String, first: Double, last: Double, times: Int, isTrue: Bool? = nil,
      why: String? = nil
    ) {
      self.text = text
      self.first = toMilliseconds(first)
      self.last = toMilliseconds(last)
      self.times = times
      self.isTrue = isTrue
      self.why = why
    }
  }

  /// One change of what stood on the screen.
  package struct Showing: Hashable, Sendable {
    package var at: Double
    /// An index into the lines.
    package var line: Int

    package init(at: Double, line: Int) {
      self.at = toMilliseconds(at)
      self.line = line
    }
  }

  /// Changes that a record keeps: four a second for an hour and more.
  package static let showingLimit = 20_000

  package var distinct: Int
  package var live: Int
  package var firstLiveAt: Double?
  /// The longest time without a new line while a capture was neither done nor parked.
  package var longestSilence: Double?
  /// In order of first showing.
  package var lines: [Line]
  /// In order; the first ``showingLimit`` of them, and nil in a result that does not say them.
  package var shown: [Showing]?

  package init(
    distinct: Int = 0, live: Int = 0, firstLiveAt: Double? = nil, longestSilence: Double? = nil,
    lines: [Line] = [], shown: [Showing]? = nil
  ) {
    self.distinct = distinct
    self.live = live
    self.firstLiveAt = firstLiveAt.map(toMilliseconds)
    self.longestSilence = longestSilence.map(toMilliseconds)
    self.lines = lines
    self.shown = shown
  }
}
