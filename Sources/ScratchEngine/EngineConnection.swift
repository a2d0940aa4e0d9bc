package import Quantities
import ScratchHTTP

/// One connection of the engine as a value: bytes and times go in, what to do with the connection
/// comes out.
///
/// It stands between a shell that moves bytes and the ``Engine``, and is the same for real sockets
/// and for a simulated link. A shell counts the raw bytes with the engine itself, and once it has
/// ended a connection it calls nothing but ``ended(_:unread:in:at:)``.
package struct EngineConnection {
  package enum Action: Hashable, Sendable {
    case send([UInt8])
    /// Call ``woken(in:at:)`` then; it takes the place of the one before.
    case wake(at: Instant)
    /// Nothing more is sent; what comes is still read.
    case endSending
    /// End it, as closed.
    case close
    /// End it with a reset.
    case reset
  }

  private enum Phase {
    case reading
    /// The script keeps it from reading, or a whole request from being done.
    case paused
    /// A whole request, or one that is refused early, has its answer coming.
    case waiting(EngineReply)
    /// What is out is no more than the script lets out by now.
    case answering(Answering)
    /// A part is out, and the script has the rest of it come later.
    case held(Answering)
    /// The answer goes on, and there is nothing more of it yet; the deed of the script is to come.
    case quiet(Answering)
    /// The script ends it when it is woken.
    case ending(ScriptedClose)
    /// The last answer is out: what still comes is counted and thrown away until the client has
    /// ended too, since a close with unread bytes would become a reset and could take the answer
    /// away (RFC 9112 section 9.6).
    case draining
    /// It was kept for too long, and its stream has ended: what still comes finds nobody.
    case left
    /// The script has it say and read nothing more.
    case silent
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
  /// Requests whose answers have begun.
  private var answers = 0
  /// When an answer was out, a head was read, or the last byte of a body: what is waited for next
  /// has its time from then.
  private var quietSince: Instant
  /// When a client that waits for `100 Continue` is sent it.
  private var continueAt: Instant?
  /// What it will be woken at.
  private var wakeAt: Instant?

  package init(in engine: inout Engine, at now: Instant) {
    id = engine.connectionOpened(at: now)
    quietSince = now
  }

  /// Whether it takes bytes now: while an answer is coming, what the client sends waits.
  package var reads: Bool {
    switch phase {
    case .reading, .draining, .left: true
    case .paused, .waiting, .answering, .held, .quiet, .ending, .silent, .closed: false
    }
  }

  /// What is read may be a request.
  package var takesRequests: Bool {
    if case .reading = phase { true } else { false }
  }

  /// The script keeps it from reading a body.
  package var isHeldBack: Bool {
    switch phase {
    case .paused, .held, .ending, .silent: !bodyHasEnded
    case .reading, .waiting, .answering, .quiet, .draining, .left, .closed: false
    }
  }

  /// Whether the end of what the client sends is looked for: also when it reads no more for good, or
  /// has nothing to write to a client that may be gone.
  package var seesEnd: Bool {
    switch phase {
    case .silent, .quiet: true
    default: reads
    }
  }

  /// The connection was accepted; to be called once, before anything of it is read.
  package mutating func opened(in engine: inout Engine, at now: Instant) -> [Action] {
    guard let decision = engine.opening(of: id, at: now) else { return [] }
    // Nothing of a connection that ends here is a request.
    if case .close = decision { readsOver = true }
    var actions: [Action] = []
    follow(decision, &engine, now, &actions)
    return actions
  }

  package mutating func received(
    _ bytes: [UInt8], in engine: inout Engine, at now: Instant
  ) -> [Action] {
    if case .left = phase {
      phase = .closed
      return [.reset]
    }
    guard !readsOver else { return [] }
    reader.append(bytes)
    var actions: [Action] = []
    takeEvents(&engine, now, &actions)
    watch(engine, &actions)
    return actions
  }

  /// The connection has taken all that it was told to send.
  package mutating func sent(in engine: inout Engine, at now: Instant) -> [Action] {
    guard case .answering(let answering) = phase else { return [] }
    var actions: [Action] = []
    if answering.rest.isEmpty, !answering.goesOn, answering.isWhole {
      engine.answerSent(on: id, at: now)
    }
    switch answering.deed {
    case .pause(let time) where !answering.rest.isEmpty || answering.goesOn:
      phase = .held(answering)
      wake(at: now + time, &actions)
    case .close(let way, let after) where after > .zero:
      phase = .ending(way)
      if way == .reset { actions.append(.endSending) }
      wake(at: now + after, &actions)
    case .close(let way, _): close(way, &engine, now, &actions)
    // An answer that is no longer has no rest that could come later.
    case .pause, nil: partIsOut(answering, &engine, now, &actions)
    }
    takeEvents(&engine, now, &actions)
    watch(engine, &actions)
    return actions
  }

  /// The time has come for which it asked last.
  package mutating func woken(in engine: inout Engine, at now: Instant) -> [Action] {
    var actions: [Action] = []
    wakeAt = nil
    switch phase {
    case .reading: act(&engine, now, &actions)
    case .paused:
      phase = .reading
      follow(engine.resumed(on: id, at: now), &engine, now, &actions)
      takeEvents(&engine, now, &actions)
    case .waiting(let reply): sendAnswer(reply, &engine, &actions)
    case .held(var answering):
      let rest = answering.release()
      phase = .answering(answering)
      if rest.isEmpty {
        partIsOut(answering, &engine, now, &actions)
        takeEvents(&engine, now, &actions)
      } else {
        send(rest, &actions)
      }
    case .quiet(let answering): goOn(answering, &engine, now, &actions)
    case .ending(let way): close(way, &engine, now, &actions)
    case .draining, .left:
      phase = .closed
      actions.append(.close)
    case .answering, .silent, .closed: break
    }
    watch(engine, &actions)
    return actions
  }

  /// Something was stored of which its answer tells; while a part of that goes out, what comes next
  /// is asked for then.
  package mutating func told(in engine: inout Engine, at now: Instant) -> [Action] {
    guard case .quiet(let answering) = phase else { return [] }
    var actions: [Action] = []
    goOn(answering, &engine, now, &actions)
    return actions
  }

  /// The connection is over, by whichever side; so many bytes had come that were not given in.
  package mutating func ended(
    _ how: ConnectionEnd, unread: Int = 0, in engine: inout Engine, at now: Instant
  ) {
    phase = .closed
    leave(unread: unread, in: &engine, at: now)
    engine.connectionEnded(id, how: how, at: now)
  }

  /// Counts what had come and was not read: so many bytes that were not given in, and those of the
  /// request that were.
  package func leave(unread: Int, in engine: inout Engine, at now: Instant) {
    guard unread + reader.unread > 0 else { return }
    engine.wireReceived(unread, on: id)
    if !readsOver { engine.leftUnread(reader.unread + unread, on: id, at: now) }
  }

  /// Takes what the reader has found, as long as this connection takes any: an answer that goes out
  /// at once lets the next request in.
  private mutating func takeEvents(
    _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    while reads, !readsOver {
      do throws(RequestFault) {
        guard let event = try reader.next(bodyMax: engine.bodyRoom(on: id)) else { return }
        take(event, &engine, now, &actions)
      } catch {
        readsOver = true
        // Nil when the request was answered before its bytes went wrong.
        if let reply = engine.requestFaulted(error, on: id, at: now) {
          answer(reply, &engine, now, &actions)
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
      (bodyHasEnded, quietSince) = (false, now)
      follow(engine.requestHead(head, on: id, at: now), &engine, now, &actions)
    case .body(let bytes):
      quietSince = now
      follow(engine.bodyBytes(bytes, on: id, at: now), &engine, now, &actions)
    case .end:
      bodyHasEnded = true
      if let decision = engine.requestEnded(on: id, at: now) {
        follow(decision, &engine, now, &actions)
      } else {
        readsOver = true
      }
    }
  }

  private mutating func follow(
    _ decision: ReadDecision, _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    switch decision {
    case .readOn: break
    case .sendContinue: sendContinue(&engine, now, &actions)
    case .holdContinue(let instant): continueAt = instant
    case .answer(let reply): answer(reply, &engine, now, &actions)
    case .pause(let instant):
      phase = .paused
      wake(at: instant, &actions)
    case .close(let way): close(way, &engine, now, &actions)
    }
  }

  private mutating func answer(
    _ reply: EngineReply, _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    if reply.at > now {
      phase = .waiting(reply)
      wake(at: reply.at, &actions)
    } else {
      sendAnswer(reply, &engine, &actions)
    }
  }

  private mutating func sendAnswer(
    _ reply: EngineReply, _ engine: inout Engine, _ actions: inout [Action]
  ) {
    var reply = reply
    if reply.leavesBody, !bodyHasEnded, reader.unread == 0 {
      engine.bodyIsLeft(on: id)
      reader.leaveBody()
      (bodyHasEnded, reply.closes) = (true, false)
    }
    engine.answerBegan(on: id)
    answers += 1
    continueAt = nil
    let isLast = engine.script.keepAlive.requests.map { answers >= $0 } ?? false
    let closes = reply.closes || isLast
    let answering = Answering(
      reply, closes: closes, goesOn: reply.answer.goesOn && head?.method != "HEAD")
    write(
      AnswerWriter.bytes(of: reply.answer, to: head, closes: closes), of: answering, &actions)
  }

  private mutating func write(
    _ bytes: [UInt8], of answering: Answering, _ actions: inout [Action]
  ) {
    var answering = answering
    let part = answering.part(of: bytes)
    phase = .answering(answering)
    send(part, &actions)
  }

  /// What was written of an answer is out.
  private mutating func partIsOut(
    _ answering: Answering, _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    if answering.goesOn {
      goOn(answering, &engine, now, &actions)
    } else if answering.closes {
      drain(now, &actions)
    } else {
      (phase, head, quietSince) = (.reading, nil, now)
    }
  }

  private mutating func goOn(
    _ answering: Answering, _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    switch engine.nextPiece(on: id, at: now) {
    case .send(let bytes): write(AnswerWriter.piece(bytes, to: head), of: answering, &actions)
    case .wait(let instant):
      phase = .quiet(answering)
      wake(at: instant, &actions)
    case .end:
      var last = answering
      last.goesOn = false
      let end = AnswerWriter.end(to: head)
      if end.isEmpty {
        engine.answerSent(on: id, at: now)
        partIsOut(last, &engine, now, &actions)
      } else {
        write(end, of: last, &actions)
      }
    }
  }

  /// As one piece with what is still to be sent, so that ``sent(in:at:)`` means all of it.
  private func send(_ bytes: [UInt8], _ actions: inout [Action]) {
    if case .send(let waiting) = actions.last {
      actions[actions.count - 1] = .send(waiting + bytes)
    } else {
      actions.append(.send(bytes))
    }
  }

  /// What the script makes of it from here on.
  private mutating func close(
    _ way: ScriptedClose, _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    engine.scriptCloses(way, on: id, at: now)
    switch way {
    case .end: drain(now, &actions)
    case .reset:
      phase = .closed
      actions.append(.reset)
    case .silence: phase = .silent
    }
  }

  private mutating func drain(_ now: Instant, _ actions: inout [Action]) {
    phase = .draining
    if bodyHasEnded { readsOver = true }
    actions.append(.endSending)
    wake(at: now + Self.drainMax, &actions)
  }
}

/// What happens to a connection on which nothing comes.
extension EngineConnection {
  /// Has it woken when the time of what it waits for is over.
  ///
  /// That time moves with every byte; a wake that comes too early only asks for the next one.
  private mutating func watch(_ engine: Engine, _ actions: inout [Action]) {
    guard let deadline = deadline(in: engine), wakeAt.map({ deadline < $0 }) ?? true else { return }
    wake(at: deadline, &actions)
  }

  /// Nil when it waits for nothing, or for ever.
  private func deadline(in engine: Engine) -> Instant? {
    guard case .reading = phase, !readsOver else { return nil }
    guard head == nil else {
      let body = engine.bodyDeadline(on: id, quietSince: quietSince)
      return [continueAt, body].compactMap { $0 }.min()
    }
    guard answers > 0, reader.isBetweenRequests else { return nil }
    return engine.script.keepAlive.timeout.map { quietSince + $0 }
  }

  /// The time of what it waits for is over, if it has not moved.
  private mutating func act(
    _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    guard let deadline = deadline(in: engine), deadline <= now else { return }
    if head == nil {
      leave(&engine, now, &actions)
    } else if deadline == continueAt {
      sendContinue(&engine, now, &actions)
    } else {
      follow(engine.bodyIsLate(on: id, at: now), &engine, now, &actions)
    }
  }

  private mutating func leave(
    _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    engine.connectionTimedOut(id)
    switch engine.script.keepAlive.close {
    case .end:
      phase = .left
      actions.append(.endSending)
      wake(at: now + Self.drainMax, &actions)
    case .reset:
      phase = .closed
      actions.append(.reset)
    case .silence: phase = .silent
    }
  }

  private mutating func sendContinue(
    _ engine: inout Engine, _ now: Instant, _ actions: inout [Action]
  ) {
    continueAt = nil
    engine.continued(on: id, at: now)
    send(AnswerWriter.continueBytes, &actions)
  }

  private mutating func wake(at instant: Instant, _ actions: inout [Action]) {
    wakeAt = instant
    actions.append(.wake(at: instant))
  }
}
