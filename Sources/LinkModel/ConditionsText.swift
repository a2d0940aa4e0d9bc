package import Quantities

extension DirectionConditions {
  /// What crosses, in words that follow "the link carries".
  package var words: String {
    ([rate.words] + outages.map { "nothing from \($0.at.text) to \($0.end.text)" })
      .joined(separator: ", ")
  }

  /// How long a packet is under way, in words that follow "a latency of".
  package var delayWords: String {
    var words = latency.text
    if jitter > .zero { words += " (\(jitter.text) either way)" }
    if let loss, loss.ratio > 0 {
      words += " (\(trimmed(loss.ratio * 100, decimals: 4)) % lost, \(loss.stall.text) late)"
    }
    return words
  }

  /// Whether chance decides when a packet arrives.
  package var hasChance: Bool { jitter > .zero || loss?.ratio ?? 0 > 0 }

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
    case .trace(let trace): trace.words
    case .lumps(let rate, let every): "\(rate) in lumps, one each \(every.text)"
    }
  }
}

extension Trace {
  fileprivate var words: String {
    let scaled = scale == 1 ? "" : " scaled by \(trimmed(scale, decimals: 6))"
    return "a trace\(scaled) of \(length.text)\(playsOnce ? ", once" : "") (mean \(meanRate))"
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
