package import Quantities
import ScratchHTTP

/// One connection of the engine as a value: bytes and times go in, what to do with the connection
/// comes out.
///
/// It stands between a shell that moves bytes and the ``Engine``, and is the same for real sockets
/// and for a simulated link. A shell counts the raw bytes with the engine itself, and once it has
/// ended a connection it calls nothing but ``ended(_:in:at:)``.
package struct EngineConnection {
  package enum Action: Hashable, Sendable {
    case send([UInt8])
    /// Call ``woken(in:at:)`` then.
    case wake(at: Instant)
    /// Nothing more is sent; what comes is still read.
    case endSending
    /// End it, as closed.
    case close
  }

  private enum Phase {
    case reading
    /// A whole request, or one that is refused early, has its answer coming.
    case waiting(EngineReply)
    case answering
    /// The last answer is out: what still comes is counted and thrown away until the client has
    /// ended too, since a close with unread bytes would become a reset and could take the answer
    /// away (RFC 9112 section 9.6).
    case draining
    case closed
  }

  /// How long a client that was answered for the last time may go on.
  private static let drainMax = Duration.seconds(30)

  package let id: ConnectionID
  private var reader = RequestReader()
  private var phase = Phase.reading
  private var head: RequestHead?
  private var bodyHasEnded = false
  /// What still comes is no part of a request: the reader is given no more of it.
  private var readsOver = false
  private var closesBehindAnswer = false

  package init(in engine: inout Engine, at now: Instant) {
    id = engine.connectionOpened(at: now)
  }

  /// Whether it takes bytes now: while an answer is coming, what the client sends waits.
  package var reads: Bool {
    switch phase {
    case .reading, .draining: true
    case .waiting, .answering, .closed: false
    }
  }

  package mutating func received(
    _ bytes: [UInt8], in engine: inout Engine, at now: Instant
  ) -> [Action] {
    guard !readsOver else { return [] }
    reader.append(bytes)
    var actions: [Action] = []
    takeEvents(&engine, now, &actions)
    return actions
  }

  /// The connection has taken all that it was told to send.
  package mutating func sent(in engine: inout Engine, at now: Instant) -> [Action] {
    guard case .answering = phase else { return [] }
    engine.answerSent(on: id, at: now)
    var actions: [Action] = []
    if closesBehindAnswer {
      phase = .draining
      if bodyHasEnded { readsOver = true }
      actions += [.endSending, .wake(at: now + Self.drainMax)]
    } else {
      phase = .reading
      head = nil
    }
    takeEvents(&engine, now, &actions)
    return actions
  }

  /// The time has come for which it asked last.
  package mutating func woken(in engine: inout Engine, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch phase {
    case .waiting(let reply): sendAnswer(reply, &actions)
    case .draining: close(&actions)
    case .reading, .answering, .closed: break
    }
    return actions
  }

  /// The connection is over, by whichever side.
  package mutating func ended(_ how: ConnectionEnd, in engine: inout Engine, at now: Instant) {
    phase = .closed
    engine.connectionEnded(id, how: how, at: now)
  }

  /// Takes what the reader has found, as long as this connection takes any: an answer that goes out
  /// at once lets the next request in.
  private mutating func takeEvents(
    _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    while reads, !readsOver {
      do throws(RequestFault) {
        guard let event = try reader.next() else { return }
        take(event, &engine, now, &actions)
      } catch {
        readsOver = true
        // Nil when the request was answered before its bytes went wrong.
        if let reply = engine.requestFaulted(error, on: id, at: now) {
          answer(reply, now, &actions)
        }
      }
    }
  }

  private mutating func take(
    _ event: RequestEvent, _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    switch event {
    case .head(let head):
      self.head = head
      bodyHasEnded = false
      follow(engine.requestHead(head, on: id, at: now), now, &actions)
    case .body(let bytes):
      follow(engine.bodyBytes(bytes, on: id, at: now), now, &actions)
    case .end:
      bodyHasEnded = true
      if let reply = engine.requestEnded(on: id, at: now) {
        answer(reply, now, &actions)
      } else {
        readsOver = true
      }
    }
  }

  private mutating func follow(
    _ decision: ReadDecision, _ now: Instant, _ actions: inout [Action]
  ) {
    switch decision {
    case .readOn: break
    case .sendContinue: actions.append(.send(AnswerWriter.continueBytes))
    case .answer(let reply): answer(reply, now, &actions)
    }
  }

  private mutating func answer(
    _ reply: EngineReply, _ now: Instant, _ actions: inout [Action]
  ) {
    if reply.at > now {
      phase = .waiting(reply)
      actions.append(.wake(at: reply.at))
    } else {
      sendAnswer(reply, &actions)
    }
  }

  private mutating func sendAnswer(_ reply: EngineReply, _ actions: inout [Action]) {
    phase = .answering
    closesBehindAnswer = reply.closes
    actions.append(.send(AnswerWriter.bytes(of: reply.answer, to: head, closes: reply.closes)))
  }

  private mutating func close(_ actions: inout [Action]) {
    phase = .closed
    actions.append(.close)
  }
}
