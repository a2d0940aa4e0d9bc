import EventLoop
import LinkModel

/// The proxies of the control API, and what can be done to them.
///
/// A change that its ``ProxyHost`` cannot make is a ``ControlRefusal``, and is not recorded.
package struct ProxyRegistry {
  /// In the order in which they were created.
  package private(set) var records: [ProxyRecord] = []
  private let host: any ProxyHost
  private var toxicsMade = 0

  package init(host: any ProxyHost) {
    self.host = host
  }

  package func record(_ name: String) throws(ControlRefusal) -> ProxyRecord {
    records[try index(name)]
  }

  private func index(_ name: String) throws(ControlRefusal) -> Int {
    guard let index = records.firstIndex(where: { $0.name == name }) else {
      throw .proxyNotFound
    }
    return index
  }

  package mutating func create(
    _ record: ProxyRecord, enabled: Bool
  ) throws(ControlRefusal) -> ProxyRecord {
    guard !records.contains(where: { $0.name == record.name }) else { throw .proxyExists }
    guard records.count < ControlLimits.proxies else {
      throw .limit("there are \(ControlLimits.proxies) proxies already; delete one first")
    }
    var record = record
    if enabled { try start(&record) }
    records.append(record)
    return record
  }

  /// Creates a proxy; one of that name is kept when it has the same addresses, and replaced when
  /// it has others.
  mutating func populate(
    _ record: ProxyRecord, enabled: Bool
  ) throws(ControlRefusal) -> ProxyRecord {
    guard let index = try? index(record.name) else { return try create(record, enabled: enabled) }
    let old = records[index]
    guard
      (old.listen, old.upstream, old.link) != (record.listen, record.upstream, record.link)
    else { return old }
    stop(index)
    var record = record
    if enabled { try start(&record) }
    records[index] = record
    return record
  }

  /// Other addresses stop the proxy first; its toxics stay.
  mutating func update(
    _ name: String, to changed: ProxyRecord, enabled: Bool
  ) throws(ControlRefusal) -> ProxyRecord {
    let index = try index(name)
    let old = records[index]
    if (old.listen, old.upstream, old.link) != (changed.listen, changed.upstream, changed.link) {
      stop(index)
      records[index].listen = changed.listen
      records[index].upstream = changed.upstream
      records[index].link = changed.link
    }
    try setEnabled(enabled, index)
    return records[index]
  }

  mutating func delete(_ name: String) throws(ControlRefusal) {
    let index = try index(name)
    stop(index)
    records.remove(at: index)
  }

  /// Enables every proxy, and takes all toxics away.
  mutating func reset() throws(ControlRefusal) {
    for index in records.indices {
      try setEnabled(true, index)
      setToxics([], index)
    }
  }

  mutating func addToxic(
    name: String, stream: Toxic.Stream, toxicity: Double, kind: ToxicKind, to proxy: String
  ) throws(ControlRefusal) -> Toxic {
    let index = try index(proxy)
    guard records[index].toxics.count < ControlLimits.toxics else {
      throw .limit("the proxy has \(ControlLimits.toxics) toxics already; remove one first")
    }
    toxicsMade += 1
    let toxic = Toxic(
      number: toxicsMade, name: name, stream: stream, toxicity: toxicity, kind: kind)
    setToxics(records[index].toxics + [toxic], index)
    return toxic
  }

  func toxic(_ name: String, of proxy: String) throws(ControlRefusal) -> Toxic {
    guard let toxic = try record(proxy).toxics.first(where: { $0.name == name }) else {
      throw .toxicNotFound
    }
    return toxic
  }

  mutating func updateToxic(_ toxic: Toxic, of proxy: String) throws(ControlRefusal) {
    let index = try index(proxy)
    setToxics(
      records[index].toxics.map { $0.number == toxic.number ? toxic : $0 }, index)
  }

  mutating func removeToxic(_ name: String, of proxy: String) throws(ControlRefusal) {
    let toxic = try toxic(name, of: proxy)
    let index = try index(proxy)
    setToxics(records[index].toxics.filter { $0.number != toxic.number }, index)
  }

  func flow(of record: ProxyRecord) -> (up: LaneFlow, down: LaneFlow)? {
    host.flow(of: record.name)
  }

  private mutating func setToxics(_ toxics: [Toxic], _ index: Int) {
    records[index].toxics = toxics
    host.setToxics(toxics, of: records[index].name)
  }

  private mutating func setEnabled(_ isEnabled: Bool, _ index: Int) throws(ControlRefusal) {
    guard isEnabled != records[index].isEnabled else { return }
    if isEnabled { try start(&records[index]) } else { stop(index) }
  }

  private func start(_ record: inout ProxyRecord) throws(ControlRefusal) {
    do {
      record.listen = try host.start(record)
      record.isEnabled = true
    } catch {
      throw .listening(on: "\(record.listen)", "bind: \(error.cause.lowercased())")
    }
  }

  private mutating func stop(_ index: Int) {
    guard records[index].isEnabled else { return }
    records[index].isEnabled = false
    host.stop(records[index].name)
  }
}
