import JSON
import LinkModel
import Quantities

/// An addition to the protocol: the link that all connections of a proxy share, in the units of
/// scenarios, such as `{"up": "20 KB/s", "latency": "100 ms", "buffer": "64 KB"}`.
struct LinkRequest {
  private var up: Pace?
  private var down: Pace?
  private var latency: Duration?
  private var buffer: ByteCount?

  init(_ fields: ControlFields) throws(ControlRefusal) {
    up = try Self.quantity("up", fields, Self.rate)
    down = try Self.quantity("down", fields, Self.rate)
    latency = try Self.quantity("latency", fields) { text throws(QuantityError) in
      try Duration(parsing: text)
    }
    buffer = try Self.quantity("buffer", fields) { text throws(QuantityError) in
      let buffer = try ByteCount(parsing: text)
      guard buffer >= LinkConditions.smallestBuffer else {
        throw QuantityError("the smallest buffer is \(LinkConditions.smallestBuffer)")
      }
      return buffer
    }
  }

  func applied(to link: LinkConditions) -> LinkConditions {
    var link = link
    link.up.rate = up ?? link.up.rate
    link.down.rate = down ?? link.down.rate
    link.up.latency = latency ?? link.up.latency
    link.down.latency = latency ?? link.down.latency
    link.buffer = buffer ?? link.buffer
    return link
  }

  private static func rate(_ text: String) throws(QuantityError) -> Pace {
    switch text {
    case "unlimited": .unlimited
    case "offline": .offline
    default: .limited(try DataRate(parsing: text))
    }
  }

  private static func quantity<Value>(
    _ key: String, _ fields: ControlFields, _ parse: (String) throws(QuantityError) -> Value
  ) throws(ControlRefusal) -> Value? {
    guard let text = try fields.string(key) else { return nil }
    do {
      return try parse(text)
    } catch {
      throw .badBody("link.\(key): \(error)")
    }
  }
}
