import Quantities
import ScratchEngine

/// Several connections of one engine, whose shells take every byte at once; time goes on when a test
/// says so.
struct Exchange {
  var engine: Engine
  private(set) var now = Instant.zero
  private var connections: [EngineConnection] = []
  private var wakes: [Instant?] = []
  private(set) var sent: [[UInt8]] = []
  private(set) var isClosed: [Bool] = []
  /// What each was told to do, with the time: the status or "rest", fin, close, reset.
  private(set) var acts: [[String]] = []
  /// Connections that take nothing more of what they are sent, until a test lets them.
  var stuck: Set<Int> = []

  init(_ engine: Engine) {
    self.engine = engine
  }

  mutating func open() -> Int {
    connections.append(EngineConnection(in: &engine, at: now))
    wakes.append(nil)
    sent.append([])
    isClosed.append(false)
    acts.append([])
    let place = connections.count - 1
    perform(connections[place].opened(in: &engine, at: now), on: place)
    return place
  }

  mutating func receive(_ text: String, on place: Int) {
    let bytes = Array(text.utf8)
    engine.wireReceived(bytes.count, on: connections[place].id)
    perform(connections[place].received(bytes, in: &engine, at: now), on: place)
  }

  mutating func end(_ place: Int, _ how: ConnectionEnd = .closed) {
    connections[place].ended(how, in: &engine, at: now)
    (wakes[place], isClosed[place]) = (nil, true)
  }

  /// The connection has taken what it was sent.
  mutating func release(_ place: Int) {
    stuck.remove(place)
    perform(connections[place].sent(in: &engine, at: now), on: place)
  }

  /// Lets everything happen up to then.
  mutating func pass(to end: Instant) {
    while let next = wakes.compactMap({ $0 }).min(), next <= end {
      now = next
      guard let place = wakes.firstIndex(of: next) else { break }
      wakes[place] = nil
      perform(connections[place].woken(in: &engine, at: now), on: place)
    }
    now = end
  }

  /// What a connection was sent since this was asked last.
  mutating func take(_ place: Int) -> String {
    defer { sent[place] = [] }
    return String(decoding: sent[place], as: UTF8.self)
  }

  /// What a connection was told to do since this was asked last.
  mutating func takeActs(_ place: Int) -> String {
    defer { acts[place] = [] }
    return acts[place].joined(separator: " ")
  }

  func seesEnd(_ place: Int) -> Bool { connections[place].seesEnd }

  private mutating func perform(_ actions: [EngineConnection.Action], on place: Int) {
    for action in actions {
      switch action {
      case .send(let bytes):
        sent[place] += bytes
        let text = String(decoding: bytes.prefix(12), as: UTF8.self)
        note(text.hasPrefix("HTTP/1.1 ") ? "\(text.suffix(3))" : "rest", on: place)
        engine.wireSent(bytes.count, on: connections[place].id)
        guard !stuck.contains(place) else { break }
        perform(connections[place].sent(in: &engine, at: now), on: place)
      case .wake(let instant): wakes[place] = instant
      case .endSending:
        isClosed[place] = true
        note("fin", on: place)
      case .close:
        note("close", on: place)
        end(place)
      case .reset:
        note("reset", on: place)
        end(place, .reset)
      }
    }
    for id in engine.takeNews() {
      guard let told = connections.firstIndex(where: { $0.id == id }) else { continue }
      perform(connections[told].told(in: &engine, at: now), on: told)
    }
  }

  private mutating func note(_ word: String, on place: Int) {
    acts[place].append("\(word)@\(now.seconds)")
  }
}

/// Requests as bytes.
enum Spoken {
  static let health = "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
  static let record = put("/api/moments/\(Talk.moment)", Talk.record)
  static let copyTarget = "/api/moments/\(Talk.moment)/media/c1?role=copy"

  static func put(_ target: String, _ body: String) -> String {
    head("PUT", target, declared: body.utf8.count) + body
  }

  static func head(
    _ method: String, _ target: String, declared: Int, _ fields: String = ""
  ) -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: \(declared)\r\n\r\n"
  }
}
