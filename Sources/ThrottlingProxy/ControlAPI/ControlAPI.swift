import EventLoop
import JSON
import LinkModel
package import ScratchHTTP

/// toxiproxy's HTTP protocol: a request in, an answer out, and what it changes.
///
/// Sources: the protocol's own documentation and the answers of its server 2.12.
package struct ControlAPI {
  /// What clients read to choose their methods: the version whose protocol is spoken here.
  static let version = "2.12.0"

  package private(set) var registry: ProxyRegistry
  /// Listening on loopback alone, so that only names of this machine can lead here.
  private let isLocal: Bool
  private var requests = 0

  package init(_ registry: ProxyRegistry, isLocal: Bool = true) {
    self.registry = registry
    self.isLocal = isLocal
  }

  mutating func add(_ record: ProxyRecord) throws(ControlRefusal) -> SocketAddress {
    try registry.create(record, enabled: true).listen
  }

  /// Does what `POST /populate` does with a list.
  mutating func populate(_ list: [UInt8]) throws(ControlRefusal) {
    for (record, enabled) in try ProxyRequest.list(list) {
      _ = try registry.populate(record, enabled: enabled)
    }
  }

  /// Answers one request.
  package mutating func answer(_ head: RequestHead, body: [UInt8]) -> ServerAnswer {
    var answer: ServerAnswer
    do throws(ControlRefusal) {
      let target = try? RequestTarget(head.target)
      answer =
        if let refusal = refusal(of: head, target?.authority) { refusal } else if let target {
          try route(head.method, target.segments, body)
        } else { .text(404, "404 page not found") }
    } catch {
      answer = error.answer
    }
    requests += 1
    answer.fields.append(HeaderField("X-Toxiproxy-Request-Id", "\(requests)"))
    return answer
  }

  /// Whom it does not answer: pages in a browser, whatever name they came by.
  private func refusal(of head: RequestHead, _ authority: String?) -> ServerAnswer? {
    if head.fields.first("User-Agent")?.hasPrefix("Mozilla/") == true {
      return .text(403, "User agent not allowed")
    }
    if head.fields.first("Origin") != nil { return .text(403, "Origin not allowed") }
    if isLocal, let host = authority ?? head.fields.first("Host"), !HostGuard.accepts(host) {
      return .text(403, "Host not allowed")
    }
    return nil
  }

  private mutating func route(
    _ method: String, _ path: [String], _ body: [UInt8]
  ) throws(ControlRefusal) -> ServerAnswer {
    let names = path.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let places = path.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    guard !names.contains("") else { return .text(404, "404 page not found") }
    switch (places, names.count, method) {
    case (["version"], 0, "GET"): return version()
    case (["metrics"], 0, "GET"): return metrics()
    case (["reset"], 0, "POST"):
      try registry.reset()
      return ServerAnswer(status: 204)
    case (["populate"], 0, "POST"): return try populated(body)
    case (["proxies"], 0, "GET"): return index()
    case (["proxies"], 0, "POST"): return try create(body)
    case (["proxies"], 1, "GET"): return .json(200, try registry.record(names[0]).json)
    case (["proxies"], 1, "POST"), (["proxies"], 1, "PATCH"): return try update(names[0], body)
    case (["proxies"], 1, "DELETE"):
      try registry.delete(names[0])
      return ServerAnswer(status: 204)
    case (["proxies", "toxics"], 1, "GET"):
      return .json(200, try registry.record(names[0]).toxicsJSON)
    case (["proxies", "toxics"], 1, "POST"): return try addToxic(names[0], body)
    case (["proxies", "toxics"], 2, "GET"):
      return .json(200, try registry.toxic(names[1], of: names[0]).json)
    case (["proxies", "toxics"], 2, "POST"), (["proxies", "toxics"], 2, "PATCH"):
      return try updateToxic(names[1], of: names[0], body)
    case (["proxies", "toxics"], 2, "DELETE"):
      try registry.removeToxic(names[1], of: names[0])
      return ServerAnswer(status: 204)
    case (["version"], 0, _), (["metrics"], 0, _), (["reset"], 0, _), (["populate"], 0, _),
      (["proxies"], 0...1, _), (["proxies", "toxics"], 1...2, _):
      return ServerAnswer(status: 405)
    default: return .text(404, "404 page not found")
    }
  }

  /// With a blank behind the colon, as scripts may look for it.
  private func version() -> ServerAnswer {
    ServerAnswer(
      status: 200, fields: [HeaderField("Content-Type", "application/json;charset=utf-8")],
      body: Array("{\"version\": \"\(Self.version)\"}\n".utf8))
  }

  private func metrics() -> ServerAnswer {
    ServerAnswer(
      status: 200, fields: [HeaderField("Content-Type", "text/plain; version=0.0.4")],
      body: Array(ControlMetrics.text(registry).utf8))
  }

  private func index() -> ServerAnswer {
    var proxies: [String: JSONValue] = [:]
    for record in registry.records { proxies[record.name] = record.json }
    return .json(200, .object(proxies))
  }

  private mutating func create(_ body: [UInt8]) throws(ControlRefusal) -> ServerAnswer {
    let request = try ProxyRequest(try ControlFields(try ControlFields.body(body)))
    let record = try registry.create(try request.record(), enabled: request.enabled ?? true)
    return .json(201, record.json)
  }

  private mutating func update(
    _ name: String, _ body: [UInt8]
  ) throws(ControlRefusal) -> ServerAnswer {
    let record = try registry.record(name)
    let request = try ProxyRequest(try ControlFields(try ControlFields.body(body)))
    let changed = try registry.update(
      name, to: try request.applied(to: record), enabled: request.enabled ?? record.isEnabled)
    return .json(200, changed.json)
  }

  /// Everything is read before the first proxy is made; then it stops at the first that cannot be.
  private mutating func populated(_ body: [UInt8]) throws(ControlRefusal) -> ServerAnswer {
    var made: [JSONValue] = []
    do throws(ControlRefusal) {
      for (record, enabled) in try ProxyRequest.list(body) {
        made.append(try registry.populate(record, enabled: enabled).json)
      }
    } catch {
      var fields = error.fields
      fields["proxies"] = .array(made)
      return .json(error.status, .object(fields))
    }
    return .json(201, .object(["proxies": .array(made)]))
  }

  private mutating func addToxic(
    _ proxy: String, _ body: [UInt8]
  ) throws(ControlRefusal) -> ServerAnswer {
    let record = try registry.record(proxy)
    let fields = try ControlFields(try ControlFields.body(body))
    let (type, name) = (try fields.string("type") ?? "", try fields.string("name") ?? "")
    let streamName = try fields.string("stream") ?? "downstream"
    let toxicity = try fields.toxicity() ?? 1
    guard let stream = Toxic.Stream(rawValue: streamName.lowercased()) else {
      throw .invalidStream
    }
    guard let kind = ToxicKind(typeName: type) else { throw .invalidType }
    let toxicName = name.isEmpty ? "\(type)_\(streamName)" : name
    guard !record.toxics.contains(where: { $0.name == toxicName }) else { throw .toxicExists }
    let toxic = try registry.addToxic(
      name: toxicName, stream: stream, toxicity: toxicity,
      kind: try kind.changed(by: try fields.object("attributes")), to: proxy)
    return .json(200, toxic.json)
  }

  private mutating func updateToxic(
    _ name: String, of proxy: String, _ body: [UInt8]
  ) throws(ControlRefusal) -> ServerAnswer {
    var toxic = try registry.toxic(name, of: proxy)
    let fields = try ControlFields(try ControlFields.body(body))
    toxic.toxicity = try fields.toxicity() ?? toxic.toxicity
    toxic.kind = try toxic.kind.changed(by: try fields.object("attributes"))
    try registry.updateToxic(toxic, of: proxy)
    return .json(200, toxic.json)
  }
}
