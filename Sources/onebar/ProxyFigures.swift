import Quantities
import Reports
package import ThrottlingProxy

/// What a proxy by hand says of itself.
package enum ProxyFigures {
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
