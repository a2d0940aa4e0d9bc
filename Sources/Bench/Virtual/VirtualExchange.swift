import Quantities
import Uploads

/// One request on the simulated link: what it still has to send, and its answer.
///
/// Events come in the order in which the transport over libcurl gives them, and rules of libcurl
/// that decide something are kept: it repeats a request by itself when a kept connection ends
/// without a line of an answer, once and on a fresh one; an early refusal ends the sending and the
/// connection, as does an answer that says that it closes; and that the engine has ended its stream
/// without one is looked at once the whole body has been taken. A reset drops what
/// is on its way, so that an answer which had not arrived is lost; on sockets one that had arrived
/// an instant before is read first, and one in between is a race that either may win.
final class VirtualExchange {
  /// The whole request as bytes.
  private let head: [UInt8]
  private let body: [UInt8]
  private let answerLimit: Int
  private let events: AsyncStream<ExchangeEvent>.Continuation
  private unowned let network: VirtualNetwork
  private let sendBuffer: Int
  private let counting: UploadPolicy.Counting
  private var connection: VirtualConnection?
  private var reader: AnswerReader
  private var attempt = 0
  private var wasReused = false
  /// Bytes of head and body that the socket has taken in this attempt.
  private var taken = 0
  private var sentReported = 0
  /// Body bytes that were acknowledged, as far as it was asked.
  private var acknowledged = 0
  private var receivedReported = 0
  private var isFeeding = false
  private var stopsSending = false
  /// An answer that came before the whole body had gone, and does not refuse it.
  private var early: HTTPAnswer?
  /// The engine ended its stream without an answer before the whole body had gone.
  private var hasEarlyEnd = false
  private(set) var isOver = false

  init(
    _ request: OutgoingRequest, body: [UInt8], events: AsyncStream<ExchangeEvent>.Continuation,
    network: VirtualNetwork
  ) {
    head = Self.head(of: request)
    self.body = body
    answerLimit = request.answerLimit
    sendBuffer = request.sendBuffer
    counting = request.counting
    self.events = events
    self.network = network
    reader = AnswerReader(bodyBytesMax: request.answerLimit)
  }

  /// A sender is kept waiting because the path has no room, and not by a fault.
  var isWaiting: Bool {
    !isOver && !stopsSending && connection?.up.isStopped == false && taken < size
  }

  private var size: Int { head.count + body.count }
  private var sent: Int { max(0, taken - head.count) }

  /// Goes out on a connection of the network's.
  func start() {
    guard !isOver else { return }
    // A repeat must not meet another kept connection that is as stale.
    let connection = network.connect(sendBuffer: sendBuffer, fresh: attempt > 0)
    self.connection = connection
    wasReused = connection.isReused
    connection.isReused = true
    connection.exchange = self
    reader = AnswerReader(bodyBytesMax: answerLimit)
    (taken, sentReported, acknowledged, receivedReported) = (0, 0, 0, 0)
    (stopsSending, early, hasEarlyEnd) = (false, nil, false)
    attempt += 1
    events.yield(.began(attempt: attempt))
    feed()
  }

  /// Gives the path all that it has room for.
  ///
  /// That takes no time: the path is full an instant after the start, and from then on takes a
  /// packet for each that leaves.
  func feed() {
    guard !isFeeding, !isOver else { return }
    isFeeding = true
    while !isOver, !stopsSending, taken < size, let connection {
      let room = connection.up.room
      if room == 0 { break }
      let part = taken < head.count ? head[taken...] : body[sent...]
      let bytes = part.prefix(room)
      taken += bytes.count
      connection.up.offer(bytes)
    }
    isFeeding = false
    guard !isOver else { return }
    countSent()
    guard taken == size else { return }
    if let early { finish(early) } else if hasEarlyEnd { connectionEnded() }
  }

  /// Counts at the start as much as the path takes at once, then step by step, and the last byte
  /// as soon as it is taken.
  private func countSent() {
    guard taken == size || sentReported == 0 || sent - sentReported >= network.handingOver.step
    else { return }
    network.handingOver.next()
    report()
  }

  /// Asks what the path has acknowledged of the body.
  func count() {
    guard !isOver, counting == .acknowledged, let connection else { return }
    acknowledged = max(acknowledged, sent - connection.up.unacknowledged)
    report()
  }

  // MARK: What the connection tells

  func received(_ bytes: [UInt8]) {
    guard !isOver else { return }
    let step = reader.take(bytes)
    tellReceived()
    switch step {
    case .more: stopsSending = stopsSending || isRefusedEarly
    case .whole(let answer): took(answer)
    case .failed(let failure): end(.failed(failure), closing: .close)
    }
  }

  /// The engine has ended its side.
  func connectionEnded() {
    switch reader.finish() {
    case .whole(let answer):
      stopsSending = true
      took(answer)
    case .failed where taken < size && !stopsSending && !reader.closes: hasEarlyEnd = true
    case .failed where reader.received == 0 && wasReused: repeatByItself()
    case .failed(let failure): end(.failed(failure), closing: .close)
    case .more: break
    }
  }

  /// It was reset.
  func connectionBroke(_ words: String) {
    connection = nil
    guard !isOver else { return }
    if reader.received == 0, wasReused {
      repeatByItself()
    } else {
      end(.failed(.broken(words)), closing: .close)
    }
  }

  // MARK: The end

  func cut(_ way: UploadPolicy.Cut) {
    guard !isOver else { return }
    report()
    end(.failed(.cut), closing: way)
  }

  /// Its process is gone: nobody is told anything any more.
  func vanish() {
    guard !isOver else { return }
    isOver = true
    events.finish()
  }

  private var isRefusedEarly: Bool { reader.hasHead && reader.status >= 300 && taken < size }

  private func took(_ answer: HTTPAnswer) {
    if taken == size || stopsSending || answer.status >= 300 || reader.closes {
      finish(answer)
    } else {
      early = answer
    }
  }

  private func finish(_ answer: HTTPAnswer) {
    if answer.status < 300 { acknowledged = sent }
    report()
    let closes = taken < size || stopsSending || reader.closes
    end(.answered(answer), closing: closes ? .close : nil)
  }

  /// Ends it, and its connection unless that is kept for the next.
  private func end(_ event: ExchangeEvent, closing: UploadPolicy.Cut?) {
    isOver = true
    let connection = connection
    self.connection = nil
    connection?.exchange = nil
    switch closing {
    case .reset: connection?.reset()
    case .close: connection?.closeByClient()
    case nil: if let connection { network.keep(connection) }
    }
    events.yield(event)
    events.finish()
    network.over(self)
  }

  private func repeatByItself() {
    connection?.exchange = nil
    connection?.closeByClient()
    connection = nil
    start()
  }

  /// Tells what has changed since it last did.
  private func report() {
    let counted = counting == .acknowledged ? acknowledged : sent
    if counted != sentReported {
      sentReported = counted
      events.yield(.sent(bytes: counted))
    }
    tellReceived()
  }

  private func tellReceived() {
    if reader.received != receivedReported {
      receivedReported = reader.received
      events.yield(.received(bytes: reader.received))
    }
  }

  /// The fields that libcurl sends for the client's requests, so that heads have the size that they
  /// have on a real link (a port has five digits there).
  private static func head(of request: OutgoingRequest) -> [UInt8] {
    var lines = ["\(request.method) \(request.path) HTTP/1.1", "Host: 127.0.0.1:40000"]
    switch request.body {
    case .none: break
    case .bytes(_, let type), .file(_, _, let type): lines.append("Content-Type: \(type)")
    }
    lines += request.headers.map { "\($0.name): \($0.value)" }
    if request.bodyBytes > 0 || ["POST", "PUT", "PATCH"].contains(request.method) {
      lines.append("Content-Length: \(request.bodyBytes)")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
