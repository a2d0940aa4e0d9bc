import JSON
import LinkModel
import Quantities

/// Toxics as the protocol writes them: types and attributes by name, times in milliseconds (the
/// slicer's in microseconds), rates in KB/s.
extension ToxicKind {
  var typeName: String {
    switch self {
    case .latency: "latency"
    case .bandwidth: "bandwidth"
    case .slowClose: "slow_close"
    case .timeout: "timeout"
    case .resetPeer: "reset_peer"
    case .slicer: "slicer"
    case .limitData: "limit_data"
    case .noop: "noop"
    }
  }

  /// With every attribute at zero; nil for a type that is not known.
  init?(typeName: String) {
    switch typeName {
    case "latency": self = .latency(LatencyToxic(latency: .zero))
    case "bandwidth": self = .bandwidth(BandwidthToxic(rate: DataRate(bytesPerSecond: 0)))
    case "slow_close": self = .slowClose(SlowCloseToxic(delay: .zero))
    case "timeout": self = .timeout(TimeoutToxic(timeout: .zero))
    case "reset_peer": self = .resetPeer(ResetPeerToxic(timeout: .zero))
    case "slicer": self = .slicer(SlicerToxic(averageSize: 0))
    case "limit_data": self = .limitData(LimitDataToxic(bytes: .zero))
    case "noop": self = .noop
    default: return nil
    }
  }

  /// The same with those attributes changed that are named.
  func changed(by attributes: ControlFields) throws(ControlRefusal) -> ToxicKind {
    switch self {
    case .latency(var toxic):
      toxic.latency = try attributes.milliseconds("latency") ?? toxic.latency
      toxic.jitter = try attributes.milliseconds("jitter") ?? toxic.jitter
      return .latency(toxic)
    case .bandwidth(var toxic):
      toxic.rate = try attributes.number("rate").map { .kilobytes($0) } ?? toxic.rate
      return .bandwidth(toxic)
    case .slowClose(var toxic):
      toxic.delay = try attributes.milliseconds("delay") ?? toxic.delay
      return .slowClose(toxic)
    case .timeout(var toxic):
      toxic.timeout = try attributes.milliseconds("timeout") ?? toxic.timeout
      return .timeout(toxic)
    case .resetPeer(var toxic):
      toxic.timeout = try attributes.milliseconds("timeout") ?? toxic.timeout
      return .resetPeer(toxic)
    case .slicer(var toxic):
      toxic.averageSize = try attributes.integer("average_size", from: 1) ?? toxic.averageSize
      toxic.sizeVariation = try attributes.integer("size_variation") ?? toxic.sizeVariation
      toxic.delay = try attributes.integer("delay").map { .microseconds($0) } ?? toxic.delay
      // The original ends with the first data for a piece of no bytes.
      guard toxic.averageSize > 0 else {
        throw .badBody("attributes.average_size must be at least 1, and is missing")
      }
      return .slicer(toxic)
    case .limitData(var toxic):
      toxic.bytes = try attributes.integer("bytes").map { ByteCount($0) } ?? toxic.bytes
      return .limitData(toxic)
    case .noop:
      return .noop
    }
  }

  var attributes: JSONValue {
    switch self {
    case .latency(let toxic):
      .object(["latency": toxic.latency.milliseconds, "jitter": toxic.jitter.milliseconds])
    case .bandwidth(let toxic): .object(["rate": toxic.rate.kilobytes])
    case .slowClose(let toxic): .object(["delay": toxic.delay.milliseconds])
    case .timeout(let toxic): .object(["timeout": toxic.timeout.milliseconds])
    case .resetPeer(let toxic): .object(["timeout": toxic.timeout.milliseconds])
    case .slicer(let toxic):
      .object([
        "average_size": JSONValue(toxic.averageSize),
        "size_variation": JSONValue(toxic.sizeVariation),
        "delay": toxic.delay.microseconds,
      ])
    case .limitData(let toxic): .object(["bytes": JSONValue(toxic.bytes.bytes)])
    case .noop: .object([:])
    }
  }
}

extension Toxic {
  var json: JSONValue {
    .object([
      "attributes": kind.attributes, "name": .string(name), "type": .string(kind.typeName),
      "stream": .string(stream.rawValue), "toxicity": JSONValue(toxicity),
    ])
  }
}

extension ControlFields {
  fileprivate func milliseconds(_ key: String) throws(ControlRefusal) -> Duration? {
    try integer(key).map { .milliseconds($0) }
  }

  /// A share of connections, from 0 to 1.
  func toxicity() throws(ControlRefusal) -> Double? {
    let toxicity = try number("toxicity")
    guard toxicity.map({ $0 <= 1 }) != false else {
      throw .badBody("toxicity must be from 0 to 1")
    }
    return toxicity
  }
}

extension Duration {
  fileprivate var milliseconds: JSONValue { whole(perSecond: 1_000) }
  fileprivate var microseconds: JSONValue { whole(perSecond: 1_000_000) }

  /// Exact for what was read as a whole number of them.
  private func whole(perSecond: Int64) -> JSONValue {
    let (seconds, attoseconds) = components
    let part = attoseconds / (1_000_000_000_000_000_000 / perSecond)
    return JSONValue(Int(seconds * perSecond + part))
  }
}

extension DataRate {
  /// As it was given: what a thousand times a fraction adds to it is far behind the point.
  fileprivate var kilobytes: JSONValue {
    let kilobytes = bytesPerSecond / 1_000
    return JSONValue(kilobytes < 1e9 ? (kilobytes * 1e6).rounded() / 1e6 : kilobytes)
  }
}
