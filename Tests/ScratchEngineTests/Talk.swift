import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

/// A stand-in for SHA-256: FNV-1a over 64 bits, so that equal content has equal digits.
final class StandInDigest: BodyDigest {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  func update(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  func finish() -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func of(_ bytes: [UInt8]) -> String {
    let digest = StandInDigest()
    digest.update(bytes[...])
    return digest.finish()
  }
}

/// Where a request is cut in a test; the connection is reset there.
enum Cut: Hashable, CaseIterable {
  case afterHead, inBody, beforeEnd, beforeAnswer
}

/// A client's side of an engine without a wire: every call is a request on its own connection.
struct Talk {
  static let moment = "01J8Z0000000000000000000AB"
  static let record =
    #"{"request_id":"e1","kind":"photo","note":"A street","#
    + #""captured_at":"2026-05-04T19:12:33+02:00","time_zone":"Europe/Paris","#
    + #""place":{"lat":48.8583,"lon":-2.2945}}"#

  var engine: Engine
  var now = Instant.zero
  /// The time of the last answer.
  var answeredAt = Instant.zero

  init(
    _ script: EngineScript = EngineScript(), limits: EngineLimits = EngineLimits(),
    photos: (any PhotoReader)? = nil, random: SeededRandom = SeededRandom(seed: 0)
  ) {
    engine = Engine(script: script, limits: limits, photos: photos, random: random) {
      StandInDigest()
    }
  }

  var ledger: Ledger { engine.ledger }

  /// The answer; nil when the request was cut.
  @discardableResult
  mutating func send(
    _ method: String, _ target: String, _ body: [UInt8] = [], fields: [HeaderField] = [],
    framing: BodyFraming? = nil, expects: Bool = false, cut: Cut? = nil, takes: Duration = .zero
  ) -> ServerAnswer? {
    let id = engine.connectionOpened(at: now)
    let head = RequestHead(
      method: method, target: target, fields: [HeaderField("Host", "127.0.0.1:80")] + fields,
      framing: framing ?? (body.isEmpty ? .none : .length(body.count)), expectsContinue: expects)
    if case .answer(let reply) = engine.requestHead(head, on: id, at: now) {
      return finish(reply, on: id)
    }
    if cut == .afterHead { return reset(id) }
    // Two pieces, at two times.
    let middle = body.count / 2
    for piece in [body[..<middle], body[middle...]] where !piece.isEmpty {
      if case .answer(let reply) = engine.bodyBytes(piece, on: id, at: now) {
        return finish(reply, on: id)
      }
      now = now + takes / 2
      if cut == .inBody { return reset(id) }
    }
    if cut == .beforeEnd { return reset(id) }
    var decision = engine.requestEnded(on: id, at: now)
    if case .pause(let instant) = decision {
      now = instant
      decision = engine.resumed(on: id, at: now)
    }
    guard let reply = decision?.reply else { return nil }
    if cut == .beforeAnswer { return reset(id) }
    return finish(reply, on: id)
  }

  private mutating func finish(_ reply: EngineReply, on id: ConnectionID) -> ServerAnswer {
    answeredAt = reply.at
    now = max(now, reply.at)
    engine.answerSent(on: id, at: now)
    engine.connectionEnded(id, how: .closed, at: now)
    return reply.answer
  }

  private mutating func reset(_ id: ConnectionID) -> ServerAnswer? {
    engine.connectionEnded(id, how: .reset, at: now)
    return nil
  }

  @discardableResult
  mutating func putRecord(
    _ body: String = Self.record, moment: String = Self.moment
  ) -> ServerAnswer? {
    send("PUT", "/api/moments/\(moment)", Array(body.utf8))
  }

  @discardableResult
  mutating func putMedia(
    _ id: String, _ role: String, _ body: [UInt8], moment: String = Self.moment, cut: Cut? = nil,
    takes: Duration = .zero
  ) -> ServerAnswer? {
    send(
      "PUT", "/api/moments/\(moment)/media/\(id)?role=\(role)", body,
      fields: [HeaderField("Content-Type", "image/jpeg")], cut: cut, takes: takes)
  }

  @discardableResult
  mutating func postTurn(
    _ id: String = "t1", media: String = "c1", cut: Cut? = nil
  ) -> ServerAnswer? {
    send(
      "POST", "/api/moments/\(Self.moment)/turns",
      Array(#"{"request_id":"\#(id)","media_id":"\#(media)"}"#.utf8), cut: cut)
  }
}

extension Talk {
  @discardableResult
  mutating func postText(_ id: String = "x1", media: String = "d1") -> ServerAnswer? {
    send(
      "POST", "/api/moments/\(Self.moment)/text",
      Array(#"{"request_id":"\#(id)","media_id":"\#(media)"}"#.utf8))
  }
}

extension ReadDecision {
  /// Nil when it is no answer.
  var reply: EngineReply? {
    if case .answer(let reply) = self { reply } else { nil }
  }
}

extension ServerAnswer {
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension [UInt8] {
  static let copy = [UInt8](repeating: 1, count: 1_650)
  static let original = [UInt8](repeating: 2, count: 4_310)
}
