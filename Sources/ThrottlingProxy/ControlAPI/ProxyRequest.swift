import EventLoop
import JSON
import LinkModel

/// What a body says of a proxy: what to create, or what to change.
struct ProxyRequest {
  private var name: String?
  private var listen: String?
  private var upstream: String?
  private var link: LinkRequest?
  var enabled: Bool?

  init(_ fields: ControlFields) throws(ControlRefusal) {
    name = try fields.string("name")
    listen = try fields.string("listen")
    upstream = try fields.string("upstream")
    enabled = try fields.bool("enabled")
    link = fields["link"] == nil ? nil : try LinkRequest(try fields.object("link"))
  }

  /// A new proxy; `place` stands behind the name of a field in messages.
  func record(_ place: String = "") throws(ControlRefusal) -> ProxyRecord {
    guard let name, !name.isEmpty else { throw .missingField("name" + place) }
    guard let upstream, !upstream.isEmpty else { throw .missingField("upstream" + place) }
    return ProxyRecord(
      name: name, listen: try ProxyRecord.listenAddress(listen ?? ""), upstream: upstream,
      link: link?.applied(to: .none) ?? .none)
  }

  /// The name of a proxy cannot be changed.
  func applied(to record: ProxyRecord) throws(ControlRefusal) -> ProxyRecord {
    var changed = record
    if let listen { changed.listen = try ProxyRecord.listenAddress(listen) }
    changed.upstream = upstream ?? record.upstream
    changed.link = link?.applied(to: record.link) ?? record.link
    return changed
  }

  /// Reads a list of new proxies; all of it, before anything is done.
  static func list(
    _ body: [UInt8]
  ) throws(ControlRefusal) -> [(record: ProxyRecord, enabled: Bool)] {
    let items: [JSONValue]
    switch try ControlFields.body(body) {
    case .array(let values): items = values
    case .null: items = []
    case let other: throw .badBody("the body must be a list, not \(other.kind)")
    }
    var list: [(ProxyRecord, Bool)] = []
    for (index, item) in items.enumerated() {
      let request = try ProxyRequest(try ControlFields(item))
      list.append((try request.record(" at proxy \(index + 1)"), request.enabled ?? true))
    }
    return list
  }
}
