import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import TestSupport
import Testing

/// Every phase with every action that makes sense there, in the bytes and acts of one connection.
struct PhaseTests {
  /// What a connection was told to do, with the time of each and with answers cut to their status.
  private struct Transcript {
    var engine: Engine
    var connection: EngineConnection
    var now = Instant.zero
    var lines: [String] = []
    var sent: [UInt8] = []
    private var wake: Instant?

    init(_ deed: ScriptedDeed) {
      let rule = ScriptRule(when: RequestPattern(step: .copy, attempt: 1), then: deed)
      engine = Engine(script: EngineScript(rules: [rule])) { StandInDigest() }
      connection = EngineConnection(in: &engine, at: .zero)
    }

    /// Bytes one by one, as far as they are read.
    mutating func receive(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        while !connection.reads, wake != nil { pass() }
        guard connection.reads else { return }
        take([rest.removeFirst()])
      }
    }

    /// One read of these bytes.
    mutating func take(_ bytes: [UInt8]) {
      engine.wireReceived(bytes.count, on: connection.id)
      perform(connection.received(bytes, in: &engine, at: now))
    }

    /// The body is in no hurry behind its 37th byte.
    mutating func receive(_ bytes: [UInt8], at phase: ScriptPhase) {
      guard case .bodyTime = phase else { return receive(bytes) }
      receive(bytes.dropLast(63))
      pass()
      receive(bytes.suffix(63))
    }

    /// Lets everything happen that it asked to be woken for.
    mutating func finish() {
      while wake != nil { pass() }
    }

    private mutating func pass() {
      guard let time = wake else { return }
      wake = nil
      now = time
      perform(connection.woken(in: &engine, at: now))
    }

    private mutating func perform(_ actions: [EngineConnection.Action]) {
      for action in actions {
        switch action {
        case .send(let bytes):
          sent += bytes
          let text = String(decoding: bytes, as: UTF8.self)
          note(text.hasPrefix("HTTP/1.1 ") ? "\(text.dropFirst(9).prefix(3))" : "rest")
          perform(connection.sent(in: &engine, at: now))
        case .wake(let instant): wake = instant
        case .endSending: note("fin")
        case .close: end("close", .closed)
        case .reset: end("reset", .reset)
        }
      }
    }

    private mutating func end(_ word: String, _ how: ConnectionEnd) {
      note(word)
      wake = nil
      connection.ended(how, in: &engine, at: now)
    }

    private mutating func note(_ word: String) {
      lines.append(now == .zero ? word : "\(word)@\(Int(now.seconds))")
    }
  }

  private static let record = Array(
    ("PUT /api/moments/\(Talk.moment) HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Length: \(Talk.record.utf8.count)\r\n\r\n" + Talk.record).utf8)
  private static let copy = Array(
    ("PUT /api/moments/\(Talk.moment)/media/c1?role=copy HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Length: 100\r\n\r\n" + String(repeating: "a", count: 100)).utf8)

  @Test(arguments: PhaseRow.all)
  func `an action happens at its phase, and the ledger says so`(row: PhaseRow) throws {
    var talk = Transcript(ScriptedDeed(at: row.at, row.action))
    talk.receive(Self.record)
    talk.lines = []
    talk.sent = []
    talk.receive(Self.copy, at: row.at)
    talk.finish()
    #expect(talk.lines.joined(separator: " ") == row.acts)
    if case .answer(let bytes) = row.at, row.end != .answered { #expect(talk.sent.count == bytes) }

    let request = try #require(talk.engine.ledger.requests.last)
    #expect(request.phase == row.phase)
    #expect(request.end == row.end)
    #expect(request.endedBy == row.by)
    #expect(request.bodyBytes == row.body)
    #expect(request.stored == row.stored)
    #expect(request.rule == 0)
    #expect((request.status == nil) == (row.end != .answered))
    #expect(talk.engine.ledger.files.first?.storedAt != nil || !row.stored)
  }

  @Test(arguments: PhaseRow.all)
  func `after any of them the same id is stored once, and marked when it is a replay`(
    row: PhaseRow
  ) throws {
    var talk = Transcript(ScriptedDeed(at: row.at, row.action))
    talk.receive(Self.record)
    talk.receive(Self.copy, at: row.at)
    talk.finish()
    talk.connection.ended(.closed, in: &talk.engine, at: talk.now)

    talk.connection = EngineConnection(in: &talk.engine, at: talk.now)
    (talk.now, talk.lines, talk.sent) = (.zero, [], [])
    talk.receive(Self.copy)
    #expect(talk.lines == [row.stored ? "200" : "201"])
    let text = String(decoding: talk.sent, as: UTF8.self)
    #expect(text.contains(#""replayed":\#(row.stored)"#))
    let ledger = talk.engine.ledger
    #expect(ledger.requests.last?.replay == row.stored)
    #expect(ledger.requests.last?.rule == nil)
    #expect(ledger.files.map(\.storedBytes) == [100])
    #expect(ledger.duplicates == 0)
    #expect(ledger.split.useful == 100)
    #expect(ledger.split.repeated == (row.stored ? 100 : 0))
    #expect(ledger.split.abandoned == (row.stored ? 0 : row.body))
  }

  /// ``ConnectPhaseTests`` has the phase of a connection, ``SilenceTests`` that in which nothing comes,
  /// and ``ContinueTests`` what is made of a client that waits.
  @Test func `the matrix holds every pair that makes sense`() {
    for deed in ScriptMatrix(bytes: 37, time: .seconds(5)).deeds {
      switch (deed.at, deed.action) {
      case (.connect, _), (.silence, _), (_, .holdContinue): continue
      default: break
      }
      #expect(
        PhaseRow.all.contains { $0.at == deed.at && isAlike($0.action, deed.action) }, "\(deed)")
    }
    for row in PhaseRow.all {
      #expect(ScriptedDeed(at: row.at, row.action).mismatch == nil)
    }
  }

  /// The same in other figures; an answer may have each of its ends in any phase.
  private func isAlike(_ one: ScriptAction, _ other: ScriptAction) -> Bool {
    switch (one, other) {
    case (.answer(let one), .answer(let other)):
      one.isWhole == other.isWhole && (one.status == nil) == (other.status == nil)
        && (one.dribble == nil) == (other.dribble == nil)
    case (.delay, .delay), (.stall, .stall), (.dribble, .dribble): true
    case (.close(let one), .close(let other)): one == other
    default: false
    }
  }

  @Test func `a body that has come before its time is left alone, and what follows it too`() {
    var talk = Transcript(ScriptedDeed(at: .bodyTime(.seconds(5)), .close(.reset)))
    talk.receive(Self.record)
    talk.receive(Self.copy)
    talk.finish()
    talk.take(Array(Self.copy.dropLast(1)))
    talk.finish()
    talk.take([UInt8(ascii: "a")])
    #expect(talk.lines == ["201", "201", "200@5"])
    #expect(talk.engine.ledger.requests.map(\.end) == [.answered, .answered, .answered])
  }

  @Test func `each piece of an answer goes out at its time, and a head by itself as well`() {
    var talk = Transcript(
      ScriptedDeed(at: .answer(7), .dribble(.init(bytes: 1, every: .seconds(10)))))
    talk.receive(Self.record)
    (talk.lines, talk.sent) = ([], [])
    talk.receive(Self.copy)
    #expect(talk.sent.count == 7)
    talk.finish()
    let rest = talk.sent.count - 7
    #expect(talk.now == Instant(seconds: Double(10 * rest)))
    #expect(talk.engine.ledger.requests.last?.endedAt == talk.now)
    #expect(String(decoding: talk.sent, as: UTF8.self).hasSuffix(#""replayed":false}"#))
  }

  @Test func `a pause behind the last byte of an answer is none, and the connection goes on`() {
    var talk = Transcript(ScriptedDeed(at: .answer(5_000), .delay(.seconds(4))))
    talk.receive(Self.record)
    talk.receive(Self.copy)
    talk.receive(Self.copy)
    #expect(talk.lines == ["201", "201", "200"])
  }

  @Test func `a stall reads exactly as far as it says`() {
    var talk = Transcript(ScriptedDeed(at: .body(37), .stall(.seconds(4))))
    talk.receive(Self.record)
    let head = Self.copy.count - 100
    talk.take(Array(Self.copy.prefix(head + 60)))
    #expect(talk.engine.ledger.requests.last?.bodyBytes == 37)
    #expect(!talk.connection.reads)
    talk.finish()
    #expect(talk.engine.ledger.requests.last?.bodyBytes == 60)
    #expect(talk.connection.reads)
  }

  @Test func `what had come and was not read came in for the body all the same`() {
    var talk = Transcript(ScriptedDeed(at: .body(37), .close(.silence)))
    talk.receive(Self.record)
    talk.take(Array(Self.copy.dropLast(40)))
    #expect(talk.engine.ledger.requests.last?.bodyBytes == 37)
    talk.connection.ended(.reset, unread: 1_000, in: &talk.engine, at: .zero)
    let ledger = talk.engine.ledger
    #expect(ledger.requests.last?.bodyBytes == 100)
    #expect(ledger.requests.last?.end == .reset)
    #expect(ledger.requests.last?.endedBy == .client)
    #expect(ledger.received == Self.record.count + Self.copy.count - 40 + 1_000)
  }
}
