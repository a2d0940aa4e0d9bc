package import Bench
import FoundationEssentials
package import Quantities
import Synchronization
package import Uploads

/// An engine behind a modelled link, both in memory: the in-memory transport of the client's tests.
///
/// The path takes in the first `buffer` bytes of a body at once and the rest at `rate`; the whole
/// has crossed after size / rate. One link is not shared here: each request has it to itself.
package final class MemoryEngine: Transport {
  package struct Link: Sendable {
    package var rate = DataRate.kilobytes(20)
    package var buffer = 64_000
    package var roundTrip = Duration.milliseconds(200)
    package var isOffline = false
    /// Uploads stop moving once so many bytes were handed over.
    package var holdsAfter: Int?
    /// The transport finds its connection stale, and repeats each request once by itself.
    package var isStale = false
    /// Each attempt of a file is another file, as it would be with ids that are minted at sending.
    package var forgetsIDs = false

    package init() {}
  }

  /// How a connection ends before its time.
  package enum End: String, Sendable, CaseIterable {
    /// What has not crossed is lost, and both sides know at once.
    case reset
    /// What was taken in is still delivered.
    case close
    /// Nothing moves any more, and nobody is told.
    case silence
  }

  /// One connection that ends when `percent` of a body, or of an answer, has crossed.
  package struct Cut: Sendable {
    package enum Direction: String, Sendable, CaseIterable {
      case up, down
    }

    package var step: String
    package var direction: Direction
    package var percent: Int
    package var end: End
    /// Of that step, counted from 1.
    package var attempt = 1

    package init(_ step: String, _ direction: Direction, percent: Int, end: End) {
      self.step = step
      self.direction = direction
      self.percent = percent
      self.end = end
    }
  }

  /// One request as it was seen.
  package struct Seen: Sendable, CustomStringConvertible {
    package var at: Instant
    package var method: String
    package var path: String
    package var body: [UInt8]
    package var bodyBytes: Int
    package var endedAt: Instant?
    /// Body bytes that had crossed the link when it ended.
    package var carried = 0
    package var status: Int?
    package var cut: UploadPolicy.Cut?

    /// Without the body, which would fill a failed test's output.
    package var description: String { "\(at.seconds) s \(method) \(path) (\(bodyBytes) bytes)" }

    /// The step of a capture, or health.
    package let step: String

    fileprivate init(_ request: OutgoingRequest, body: [UInt8], at now: Instant) {
      at = now
      method = request.method
      path = request.path
      self.body = body
      bodyBytes = request.bodyBytes
      step = Self.step(method, path)
    }

    private static func step(_ method: String, _ path: String) -> String {
      if path.hasSuffix("/turns") { return "turn" }
      if path.hasSuffix("/text") { return "text" }
      if path.hasSuffix("/health") { return "health" }
      if path.contains("/staged-uploads?") { return "staged" }
      if path.hasSuffix("/encounters") { return "encounter" }
      if let role = path.split(separator: "=").last, path.contains("role=") { return String(role) }
      return method == "PUT" ? "record" : "readback"
    }
  }

  /// Answers some requests out of turn; nil is the ordinary answer.
  package typealias Script = @Sendable (_ step: String, _ attempt: Int) -> HTTPAnswer?

  /// Changes the text of an ordinary answer.
  package typealias AnswerChange = @Sendable (_ step: String, _ answer: String) -> String

  private struct State {
    var link = Link()
    var change: AnswerChange?
    var script: Script = { _, _ in nil }
    var seen: [Seen] = []
    var cut: Cut?
    /// All that were begun; those that have ended take no more notice.
    var exchanges: [MemoryExchange] = []
    /// What the engine does when it has a request, by its number.
    var arrivals: [Int: VirtualTime.TimerID] = [:]
    /// The client has ended, and what it still asks for is not seen.
    var isAlone = false
    /// Its kernel delivers what it has taken.
    var delivers = false
    /// What was stored, by path without query; the first stays.
    var stored: [String: [UInt8]] = [:]
    /// Paths in the order of storing.
    var order: [String] = []
    /// What each of them was, by path; only looked up.
    var roles: [String: String] = [:]
    /// Paths that were sent again after they had been stored.
    var replays: [String] = []
  }

  private static let turnTakes = Duration.seconds(5)
  /// The step of the pace at which body bytes are counted.
  private static let chunk = 4_000

  private let time: VirtualTime
  /// Reads a file of the client's.
  package typealias Files = @Sendable (_ path: String) -> [UInt8]?

  private let files: Files
  /// Of a whole file at once.
  package typealias Digest = @Sendable (_ bytes: [UInt8]) -> String

  private let digest: Digest
  private let state = Mutex(State())

  package init(time: VirtualTime, files: @escaping Files, digest: @escaping Digest) {
    self.time = time
    self.files = files
    self.digest = digest
  }

  package var seen: [Seen] { state.withLock { $0.seen } }
  package var steps: [String] { seen.map(\.step).filter { $0 != "health" } }
  package var storedPaths: [String] { state.withLock { $0.order } }
  package var replays: [String] { state.withLock { $0.replays } }
  package func stored(_ path: String) -> [UInt8]? { state.withLock { $0.stored[path] } }

  package func setLink(_ change: @Sendable (inout Link) -> Void) {
    state.withLock { change(&$0.link) }
  }

  /// Ends every request in flight without an answer.
  package func breakConnections() {
    for exchange in state.withLock({ $0.exchanges }) { exchange.fail(.broken("reset by peer")) }
  }

  package func setScript(_ script: @escaping Script) { state.withLock { $0.script = script } }

  package func setAnswerChange(_ change: @escaping AnswerChange) {
    state.withLock { $0.change = change }
  }

  package func setCut(_ cut: Cut?) { state.withLock { $0.cut = cut } }

  /// The client has ended in the middle of whatever it did.
  ///
  /// When a process ends, its kernel `delivers` what it has taken; when the power fails, nothing.
  package func clientEnds(delivers: Bool) {
    let exchanges = state.withLock { state in
      state.isAlone = true
      state.delivers = delivers
      return state.exchanges
    }
    for exchange in exchanges { exchange.fail(.cut) }
  }

  /// It has been started again.
  package func clientBegins() {
    state.withLock { state in
      state.isAlone = false
      state.delivers = false
      state.exchanges = []
    }
  }

  package func begin(_ request: OutgoingRequest) -> any Exchange {
    let body =
      switch request.body {
      case .none: [UInt8]()
      case .bytes(let bytes, _): bytes
      case .file(let path, _, _): files(path) ?? []
      }
    if state.withLock({ $0.isAlone }) { return MemoryExchange(time: time) }
    let (number, link, cut) = state.withLock { state in
      let seen = Seen(request, body: body, at: time.now)
      state.seen.append(seen)
      let attempt = state.seen.count { $0.step == seen.step }
      let cut = state.cut.flatMap { $0.step == seen.step && $0.attempt == attempt ? $0 : nil }
      return (state.seen.count - 1, state.link, cut)
    }
    let exchange = MemoryExchange(time: time) { [self] way, handedOver in
      end(number, link, cut, way: way, handedOver: handedOver)
    }
    state.withLock { $0.exchanges.append(exchange) }
    let start = time.now
    if link.isOffline {
      exchange.schedule(.failed(.notConnected("the network is unreachable")), at: start)
      return exchange
    }
    exchange.schedule(.began(attempt: 1), at: start)
    if link.isStale { exchange.schedule(.began(attempt: 2), at: start) }
    let crossing = cut.flatMap { $0.crossing(of: body.count) } ?? body.count
    handOver(body.count, upTo: cut?.end == .silence ? crossing : body.count, to: exchange, link)
    if let hold = link.holdsAfter, body.count > hold { return exchange }
    let way = link.roundTrip / 2
    if let cut, cut.direction == .up, cut.end != .silence {
      let moment = start + link.rate.time(for: ByteCount(crossing)) + way
      exchange.schedule(.failed(.broken("\(cut.end) at \(crossing) bytes")), at: moment)
    }
    if crossing < body.count, cut?.end != .close { return exchange }
    var arrival = start + link.rate.time(for: ByteCount(body.count)) + way
    if request.path.hasSuffix("/turns") { arrival = arrival + Self.turnTakes }
    let timer = time.at(arrival) { [self] in
      let answer = answer(number, body)
      if cut?.direction == .up { return }
      exchange.schedule(at: time.now + way) { cut?.rest(of: answer) ?? Self.whole(answer) }
    }
    state.withLock { $0.arrivals[number] = timer }
    return exchange
  }

  /// The path takes in its buffer at once and the rest at its pace, until `last` has crossed.
  private func handOver(_ total: Int, upTo last: Int, to exchange: MemoryExchange, _ link: Link) {
    let start = time.now
    var sent = min(total, link.buffer)
    if total > 0 { exchange.schedule(.sent(bytes: sent), at: start) }
    while sent < min(total, last + link.buffer) {
      sent = min(total, sent + Self.chunk)
      if let hold = link.holdsAfter, sent > hold { return }
      let after = link.rate.time(for: ByteCount(sent - link.buffer))
      exchange.schedule(.sent(bytes: sent), at: start + after)
    }
  }

  fileprivate static func whole(_ answer: HTTPAnswer) -> [ExchangeEvent] {
    [.received(bytes: answer.bytes), .answered(answer)]
  }

  private func end(
    _ number: Int, _ link: Link, _ cut: Cut?, way: UploadPolicy.Cut?, handedOver: Int
  ) {
    let now = time.now
    let lost = state.withLock { state -> VirtualTime.TimerID? in
      let seen = state.seen[number]
      // A client that has ended takes nothing back that its kernel delivers.
      let delivers =
        way == .close || (cut?.direction == .up && cut?.end == .close)
        || (state.isAlone && state.delivers)
      let elapsed = now - seen.at
      let crossed = Int(link.rate.bytesPerSecond * elapsed.inSeconds)
      let crossing = cut?.crossing(of: seen.bodyBytes) ?? seen.bodyBytes
      state.seen[number].endedAt = now
      state.seen[number].carried =
        link.isOffline ? 0 : delivers ? handedOver : min(seen.bodyBytes, crossed, crossing)
      state.seen[number].cut = way
      // What the engine has whole, it works on, whatever becomes of the connection.
      let whole = link.rate.time(for: ByteCount(seen.bodyBytes)) + link.roundTrip / 2
      let timer = state.arrivals.removeValue(forKey: number)
      return delivers && handedOver == seen.bodyBytes || elapsed >= whole ? nil : timer
    }
    if let lost { time.cancel(lost) }
  }

  private func answer(_ number: Int, _ body: [UInt8]) -> HTTPAnswer {
    state.withLock { state in
      let seen = state.seen[number]
      let attempt = state.seen[...number].count { $0.step == seen.step }
      var answer = state.script(seen.step, attempt) ?? Self.ordinary(seen, body, &state, digest)
      if let change = state.change {
        answer.body = Array(change(seen.step, String(decoding: answer.body, as: UTF8.self)).utf8)
      }
      state.seen[number].status = answer.status
      return answer
    }
  }

  private static func ordinary(
    _ seen: Seen, _ body: [UInt8], _ state: inout State, _ digest: Digest
  ) -> HTTPAnswer {
    if seen.step == "health" {
      return HTTPAnswer(status: 200, body: Array(#"{"engine":"onebar","ok":true}"#.utf8))
    }
    let path = seen.path.split(separator: "?").first.map(String.init) ?? seen.path
    let parts = path.split(separator: "/").map(String.init)
    let moment = parts.count > 2 ? parts[2] : ""
    let id = seen.path.split(separator: "=").last.map(String.init) ?? ""
    if seen.step == "readback" {
      let record =
        parts.last == "encounters" ? plate(id, state, digest) : record(path, state, digest)
      return HTTPAnswer(status: record == nil ? 404 : 200, body: Array((record ?? "").utf8))
    }
    var key =
      switch seen.step {
      case "turn", "text", "encounter": "\(path) \(requestID(body))"
      case "staged": "\(path) \(id)"
      default: path
      }
    if state.link.forgetsIDs, path.contains("/media/") { key += " at \(seen.at.seconds) s" }
    let isReplay = state.stored[key] != nil
    if isReplay {
      guard state.stored[key] == body else {
        let text = #"{"error":{"code":"content_differs","message":"The first stays."}}"#
        return HTTPAnswer(status: 422, body: Array(text.utf8))
      }
      state.replays.append(key)
    } else {
      state.stored[key] = body
      state.order.append(key)
      state.roles[key] = seen.step
    }
    let text =
      switch seen.step {
      case "record": #"{"id":"\#(moment)","replayed":\#(isReplay)}"#
      case "turn", "text", "encounter":
        #"{"request_id":"\#(requestID(body))","replayed":\#(isReplay)}"#
      default:
        #"{"id":"\#(seen.step == "staged" ? id : parts.last ?? "")","bytes":\#(body.count),"sha256":"\#(digest(body))"}"#
      }
    return HTTPAnswer(status: isReplay ? 200 : 201, body: Array(text.utf8))
  }

  /// The record of a moment as it is read back; nil when there is none.
  private static func record(_ path: String, _ state: State, _ digest: Digest) -> String? {
    guard let body = state.stored[path] else { return nil }
    let moment = path.split(separator: "/").last ?? ""
    var (media, turns, texts): ([String], [String], [String]) = ([], [], [])
    for key in state.order where key.hasPrefix("\(path)/") {
      let name = key.dropFirst(path.utf8.count + 1).split(separator: " ")
      switch state.roles[key] {
      case "turn": turns.append(#"{"request_id":"\#(name[1])"}"#)
      case "text": texts.append(#"{"request_id":"\#(name[1])"}"#)
      case let role:
        let id = name[0].split(separator: "/").last ?? ""
        media.append(file(id, state.stored[key] ?? [], digest, role: role ?? ""))
      }
    }
    return #"{"id":"\#(moment)",\#(inside(body)),"media":[\#(media.joined(separator: ","))],"#
      + #""turns":[\#(turns.joined(separator: ","))],"texts":[\#(texts.joined(separator: ","))]}"#
  }

  /// The list of the one encounter of a request; nil when there is none.
  private static func plate(_ id: String, _ state: State, _ digest: Digest) -> String? {
    guard let body = state.stored["/api/encounters \(id)"] else { return nil }
    let key = #""staged":["#
    let parts = inside(body).components(separatedBy: key)
    guard parts.count == 2, let end = parts[1].firstIndex(of: "]") else { return nil }
    let files = parts[1][..<end].split(separator: ",").map { name in
      let id = name.dropFirst().dropLast()
      return file(id, state.stored["/api/staged-uploads \(id)"] ?? [], digest)
    }
    let record = parts[0] + key + files.joined(separator: ",") + parts[1][end...]
    return #"{"encounters":[{"id":"plate-1",\#(record)}],"next":null}"#
  }

  private static func file(
    _ id: Substring, _ bytes: [UInt8], _ digest: Digest, role: String? = nil
  ) -> String {
    let role = role.map { #""role":"\#($0)","# } ?? ""
    return #"{"id":"\#(id)",\#(role)"bytes":\#(bytes.count),"sha256":"\#(digest(bytes))"}"#
  }

  /// The members of a JSON object, as text.
  private static func inside(_ object: [UInt8]) -> String {
    String(decoding: object.dropFirst().dropLast(), as: UTF8.self)
  }

  private static func requestID(_ body: [UInt8]) -> String {
    struct Named: Decodable {
      var request_id: String
    }
    return (try? JSONDecoder().decode(Named.self, from: Data(body)))?.request_id ?? ""
  }
}

extension MemoryEngine.Cut {
  /// Bytes of a body that cross; nil when it is the answer that is cut.
  fileprivate func crossing(of total: Int) -> Int? {
    direction == .up ? total * percent / 100 : nil
  }

  /// What is left of an answer.
  fileprivate func rest(of answer: HTTPAnswer) -> [ExchangeEvent] {
    let bytes = answer.bytes * percent / 100
    if bytes == answer.bytes { return MemoryEngine.whole(answer) }
    let received = bytes > 0 ? [ExchangeEvent.received(bytes: bytes)] : []
    return end == .silence
      ? received : received + [.failed(.broken("\(end) at \(bytes) bytes of the answer"))]
  }
}

extension HTTPAnswer {
  /// Head and body; the head is taken to be of one length.
  fileprivate var bytes: Int { 100 + body.count }
}
