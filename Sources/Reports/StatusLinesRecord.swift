/// What the user was shown.
package struct StatusLinesRecord: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package var text: String
    package var first: Double
    package var last: Double
    package var times: Int

    package init(text: String, first: Double, last: Double, times: Int) {
      self.text = text
      self.first = toMilliseconds(first)
      self.last = toMilliseconds(last)
      self.times = times
    }
  }

  package var distinct: Int
  package var live: Int
  package var firstLiveAt: Double?
  /// The longest time without a new line while a capture was neither done nor parked.
  package var longestSilence: Double?
  /// In order of first showing.
  package var lines: [Line]

  package init(
    distinct: Int = 0, live: Int = 0, firstLiveAt: Double? = nil, longestSilence: Double? = nil,
    lines: [Line] = []
  ) {
    self.distinct = distinct
    self.live = live
    self.firstLiveAt = firstLiveAt.map(toMilliseconds)
    self.longestSilence = longestSilence.map(toMilliseconds)
    self.lines = lines
  }
}
