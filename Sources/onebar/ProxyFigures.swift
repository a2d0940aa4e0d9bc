package import LinkModel
import Quantities
import Reports
package import ThrottlingProxy

/// What a proxy by hand says of itself.
package enum ProxyFigures {
  /// The link that is applied, and where it comes from.
  package static func text(_ link: LinkConditions, preset: LinkPreset?) -> String {
    func text(_ direction: DirectionConditions) -> String {
      "\(direction.words), latency \(direction.delayWords)"
    }
    let applied = "link up \(text(link.up)); down \(text(link.down)); buffer \(link.buffer)"
    let faults = link.faults.map { "\nfault \($0.words)" }.joined()
    return applied + faults + (preset.map { "\npreset \($0.citation)" } ?? "")
  }

  package static func text(_ reading: LinkProxy.Reading, target: String) -> String {
    var text =
      "up \(ByteCount(reading.up.carried)) carried, \(ByteCount(reading.up.queued)) waiting;"
      + " down \(ByteCount(reading.down.carried)) carried;"
      + " \(counted(reading.connections, "connection"))"
    if reading.unreached > 0 {
      text += "; \(target) could not be reached \(counted(reading.unreached, "time"))"
    }
    if reading.refused > 0 { text += "; \(reading.refused) refused" }
    return text
  }
}
