package import Quantities

extension DirectionConditions {
  /// What crosses, in words that follow "the link carries".
  package var words: String {
    ([rate.words] + outages.map { "nothing from \($0.at.text) to \($0.end.text)" })
      .joined(separator: ", ")
  }

  /// The one rate that it has throughout; nil when that changes, or there is none.
  package var steadyRate: DataRate? {
    guard outages.isEmpty, case .constant(let rate) = rate else { return nil }
    return rate.limit
  }

  /// Whether what crosses changes over time.
  package var changes: Bool {
    if case .constant = rate { !outages.isEmpty } else { true }
  }
}

extension Pace {
  var words: String {
    switch self {
    case .constant(let rate): rate.words
    case .steps(let steps):
      steps.enumerated().map { place, step in
        place == 0 ? step.rate.words : "from \(step.at.text) on \(step.rate.words)"
      }.joined(separator: ", ")
    }
  }
}

extension LinkRate {
  var words: String {
    switch self {
    case .limited(let rate): rate.description
    case .unlimited: "everything at once"
    case .offline: "nothing"
    }
  }
}

extension Instant {
  /// Seconds since link time 0.
  fileprivate var text: String { (self - .zero).text }
}
