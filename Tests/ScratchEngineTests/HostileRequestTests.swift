import Captures
import Foundation
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

/// The reader and a connection of the engine against ``HostileRequests``.
struct HostileRequestTests {
  /// Connections; with `ONEBAR_HOSTILE=1000000` in the environment so many, best in a release build.
  private static let count =
    ProcessInfo.processInfo.environment["ONEBAR_HOSTILE"].flatMap { Int($0) } ?? 10_000
  private static let shards = 4

  /// More than any line of a head, and than what is kept of a body that is not asked for.
  private static let unreadMax = 8_400

  private static let script = EngineScript(
    keepAlive: KeepAlive(timeout: .seconds(5), requests: 3),
    rules: [
      ScriptRule(
        when: RequestPattern(expectsContinue: true),
        then: ScriptedDeed(at: .head, .holdContinue(.seconds(1)))),
      ScriptRule(
        when: RequestPattern(path: "/held"),
        then: ScriptedDeed(at: .silence(.seconds(2)), .answer(.init(408)))),
      ScriptRule(when: RequestPattern(path: "/cut"), then: .init(at: .body(3), .close(.end))),
      ScriptRule(when: RequestPattern(path: "/early"), then: .init(at: .head, .answer(.init(413)))),
    ])

  /// An engine that has stored something.
  private static func engine() -> Engine {
    var first = Life(on: Engine(script: script) { StandInDigest() })
    first.take(Array((Spoken.record + Spoken.put(Spoken.copyTarget, "abcdefgh")).utf8))
    first.end()
    return first.engine
  }

  /// One connection from its opening to its end.
  private struct Life {
    var engine: Engine
    private var connection: EngineConnection
    private var now = Instant.zero
    private var wake: Instant?
    private(set) var sent: [UInt8] = []
    private(set) var isOver = false

    init(on engine: Engine) {
      self.engine = engine
      connection = EngineConnection(in: &self.engine, at: .zero)
    }

    var requests: [LedgerRequest] { engine.ledger.requests.filter { $0.connection == id } }
    var id: ConnectionID { connection.id }

    /// Waits until it reads, or for good; then it is given the bytes.
    mutating func take(_ bytes: [UInt8]) {
      while !isOver, !connection.reads, wake != nil { pass() }
      guard !isOver, connection.reads else { return }
      engine.wireReceived(bytes.count, on: id)
      perform(connection.received(bytes, in: &engine, at: now))
    }

    /// What it does once nothing comes any more; false when it is stuck: it neither reads, nor looks
    /// for the end of its client, nor waits for a time.
    mutating func waits() -> Bool {
      // An event stream asks again and again.
      for _ in 0..<8 where !isOver && wake != nil { pass() }
      return isOver || connection.reads || connection.seesEnd || wake != nil
    }

    mutating func end() {
      guard !isOver else { return }
      isOver = true
      connection.ended(.closed, in: &engine, at: now)
    }

    private mutating func pass() {
      guard let time = wake else { return }
      (wake, now) = (nil, max(now, time))
      perform(connection.woken(in: &engine, at: now))
    }

    private mutating func perform(_ actions: [EngineConnection.Action]) {
      for action in actions where !isOver {
        switch action {
        case .send(let bytes):
          sent += bytes
          engine.wireSent(bytes.count, on: id)
          perform(connection.sent(in: &engine, at: now))
        case .wake(let instant): wake = instant
        case .endSending: break
        case .close, .reset: end()
        }
      }
    }
  }

  @Test(arguments: 0..<shards)
  func `hostile bytes get well formed answers, and end or are waited for`(shard: Int) {
    let engine = Self.engine()
    var (faults, answers) = (0, 0)
    for number in stride(from: shard, to: Self.count, by: Self.shards) {
      var hostile = HostileRequests(seed: UInt64(number))
      let pieces = hostile.next()
      var life = Life(on: engine)
      for piece in pieces { life.take(piece) }
      let isAlive = life.waits()
      life.end()
      let requests = life.requests
      let check = AnswerCheck(life.sent, to: requests.map(\.method))
      // The script cuts nothing within an answer.
      if !isAlive || check.fault != nil || requests.contains(where: { $0.end == .open }) {
        Issue.record("seed \(number): \(check.fault ?? "stuck"), \(Self.text(pieces))")
      }
      // What is answered twice, or not in the order of the requests, is how requests are smuggled.
      let statuses = requests.compactMap(\.status)
      if !check.statuses.starts(with: statuses) || check.statuses.count > statuses.count + 1 {
        Issue.record("seed \(number): \(check.statuses) for \(statuses), \(Self.text(pieces))")
      }
      faults += life.engine.ledger.connections.last?.fault == nil ? 0 : 1
      answers += check.statuses.count
      if number % 1_000 < Self.shards { expectServed(life.engine) }
    }
    // It has come far into the engine, and not everywhere.
    let part = Self.count / Self.shards
    #expect(faults > part / 4 && faults < part * 9 / 10 && answers > part / 2)
  }

  /// The next client, on a connection of its own, is none the wiser.
  private func expectServed(_ engine: Engine) {
    var life = Life(on: engine)
    life.take(Array(Spoken.health.utf8))
    #expect(AnswerCheck(life.sent, to: ["GET"]).statuses == [200])
  }

  @Test func `the reader keeps no more than a line of them, and reads them alike in any pieces`() {
    for number in 0..<Self.count / 8 {
      var hostile = HostileRequests(seed: UInt64(number))
      let pieces = hostile.next()
      let (whole, parted) = (Self.read([pieces.flatMap { $0 }]), Self.read(pieces))
      #expect(whole == parted, "seed \(number)")
    }
  }

  /// What comes of pieces: heads, bytes of bodies, ends, and the fault.
  private static func read(_ pieces: [[UInt8]]) -> [String] {
    var reader = RequestReader()
    var found: [String] = []
    var bytes = 0
    for piece in pieces {
      reader.append(piece)
      do throws(RequestFault) {
        while let event = try reader.next() {
          switch event {
          case .head(let head): found.append("\(head.method) \(head.target) \(head.framing)")
          case .body(let slice): bytes += slice.count
          case .end:
            found.append("\(bytes) bytes")
            bytes = 0
          }
        }
      } catch {
        return found + ["\(bytes) bytes", "\(error)"]
      }
      #expect(reader.unread <= unreadMax)
    }
    return found + ["\(bytes) bytes"]
  }

  private static func text(_ pieces: [[UInt8]]) -> String {
    String(decoding: pieces.flatMap { $0 }.prefix(500), as: UTF8.self).debugDescription
  }
}
