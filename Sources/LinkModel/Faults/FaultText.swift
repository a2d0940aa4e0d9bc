import Quantities

extension ConnectionFault {
  /// The fault as a sentence without its full stop.
  package var words: String {
    let who = which.words
    return switch deed {
    case .refuse: "\(who) is refused"
    case .silent: "\(who) is accepted, and then silent"
    case .cut(let place, let way): "\(who) is cut \(place.words), \(way.words)"
    case .hold(let place, let time): "\(who) is held \(place.words) for \(time.text)"
    case .slowClose(let time): "\(who) has the end of each stream passed on \(time.text) later"
    case .dark(let at): "\(who) that is there at \((at - .zero).text) is silent from then on"
    }
  }
}

extension ConnectionChoice {
  fileprivate var words: String {
    var words = number.map { "Connection \($0)" } ?? "Any connection"
    if let from { words += " from \((from - .zero).text)" }
    if let until { words += " until \((until - .zero).text)" }
    return words
  }
}

extension StreamPlace {
  fileprivate var words: String { "\(ByteCount(bytes)) \(side.rawValue)" }
}

extension ConnectionCut {
  fileprivate var words: String {
    switch self {
    case .reset: "with a reset"
    case .end: "with an end of the stream"
    case .silence: "in silence"
    }
  }
}
