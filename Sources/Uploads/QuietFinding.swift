package import Quantities

/// What a check has found while an upload stood still, and when.
package struct QuietFinding: Hashable, Sendable, Codable {
  package enum Engine: Hashable, Sendable, Codable {
    /// The link is down, so the engine was not asked.
    case notAsked
    /// It was asked at the time of the finding, and the question is still open.
    case asked
    case answered
    /// It has not answered in that time, which is all that is known.
    case silent(Duration)
    /// No connection, or a broken one.
    case unreachable(String)
    /// Something answered, with that status, but not as this engine does.
    case stranger(Int)
  }

  package var link: LinkState
  package var engine: Engine
  package var at: Instant

  package init(link: LinkState, engine: Engine, at: Instant) {
    self.link = link
    self.engine = engine
    self.at = at
  }

  /// The finding with its age in seconds, as a part of a status line.
  package func text(age seconds: Int) -> String {
    let age = "\(seconds) s"
    let checked = "(checked \(age) ago)"
    let link =
      switch link {
      case .up: "the link is up"
      case .down: "the link is down"
      case .unknown: "the state of the link is not known"
      }
    return switch engine {
    case .notAsked: "\(link) \(checked)"
    case .asked: "\(link), the engine was asked \(age) ago and has not answered yet"
    case .answered: "\(link), the engine answers \(checked)"
    case .silent(let time): "\(link), the engine gave no answer in \(time.text) \(checked)"
    case .unreachable(let words): "\(link), the engine was not reached: \(words) \(checked)"
    case .stranger(let status):
      "\(link), something else than the engine answered with HTTP \(status) \(checked)"
    }
  }
}

/// Whole seconds that have passed, never negative.
func wholeSeconds(from start: Instant, to now: Instant) -> Int {
  Int(max(0, (now - start).components.seconds))
}
