import Bench
import Captures
import EngineServer
import LinkModel
import Quantities
import ScratchHTTP

@testable import ScratchEngine

extension Breakage {
  /// Of what the engine does.
  static let serving = [
    Breakage(
      "the engine takes a repeat for something new", in: "lost-answer", red: "duplicates",
      says: "after: captures that the engine holds twice: expected 0, measured"
    ) {
      $0.serving(.media) { route, request, store throws(Refusal) in
        var outcome = try route.act(request, &store)
        if outcome.replay { (outcome.replay, outcome.stored) = (false, true) }
        return outcome
      }
    },
    Breakage(
      "the engine loses a copy", in: "library-photo", red: "parked",
      also: ["attempts", "landed"], says: "after: parked captures: expected 0, measured 1"
    ) { $0.losing("copy") },
    Breakage(
      "the engine loses an original", in: "captive-portal", red: "parked",
      says: "after: parked captures: expected 0, measured 1"
    ) { $0.losing("original") },
    Breakage(
      "the engine gives a receipt with another digest", in: "library-photo", red: "landed",
      also: ["attempts"], says: "after: files that landed: expected all, measured none"
    ) {
      $0.engine = { script, random in
        Engine(script: script, photos: JPEGReader(), random: random) { LameDigest() }
      }
    },
    Breakage(
      "the engine does not note that it has stored a document", in: "document", red: "useful",
      also: ["abandoned", "landed", "lost"],
      says: "after: useful bytes: expected 4 MB, measured 0 B"
    ) {
      $0.serving(.media) { route, request, store throws(Refusal) in
        var outcome = try route.act(request, &store)
        outcome.stored = false
        return outcome
      }
    },
    Breakage(
      "the engine waits for a body as long as it takes", in: "gap-408", red: "wire.document",
      also: ["attempts", "finished"],
      says: "after: bytes of the document on the wire: expected 2.51 MB +- 3 %, measured 1.65 MB"
    ) { $0.script { $0.rules = [] } },
    Breakage(
      "the engine ignores a rule of its script", in: "turn-503", red: "finished",
      says: "after: time of the last receipt: expected 90.6 s +- 2 %, measured 30.25 s"
    ) { $0.script { $0.rules = [] } },
    Breakage(
      "the engine reads a copy in no time", in: "captive-portal", red: "finished",
      says: "after: time of the last receipt: expected 99 s +- 2 %, measured 93.7"
    ) { $0.script { $0.turnTakes = .zero } },
  ]

  /// Of what the link does.
  static let carrying = [
    Breakage(
      "the link is 5 % too fast", in: "two-captures", red: nil,
      says:
        "In doubt: after: the up link ran at 21 KB/s instead of 20 KB/s (+5 %; 0.5 % is allowed)"
    ) { $0.link = { $0.with(\.up.rate, .limited(.kilobytes(21))) } },
    Breakage(
      "the path takes in more than it declares", in: "ceiling", red: nil,
      says: "In doubt: after: the buffer held 80 KB on the mean of 2 attempts instead of 64 KB"
    ) { $0.link = { $0.with(\.buffer, ByteCount(80_000)) } },
    Breakage(
      "the link stays up in a tunnel", in: "tunnel", red: "finished",
      says: "after: time of the last receipt: expected 403.8 s +- 2 %, measured 303.8"
    ) { $0.link = { $0.with(\.up.outages, []).with(\.down.outages, []) } },
    Breakage(
      "the link cuts no connection", in: "cut-at-half", red: "attempts.original",
      also: ["abandoned"], says: "after: attempts of the original: expected 3, measured 1"
    ) { $0.link = { $0.with(\.faults, []) } },
  ]
}

/// One whose digests are of what came and a byte more.
private final class LameDigest: BodyDigest {
  private let digest = SHA256Digest()

  func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }

  func finish() -> String {
    digest.update([0])
    return digest.finish()
  }
}

extension LinkConditions {
  /// The same but for one condition.
  func with<Value>(
    _ condition: WritableKeyPath<LinkConditions, Value>, _ value: Value
  ) -> LinkConditions {
    var conditions = self
    conditions[keyPath: condition] = value
    return conditions
  }
}

extension VirtualParts {
  /// The engine goes by another script than the scenario's.
  mutating func script(_ change: @escaping (inout EngineScript) -> Void) {
    let make = engine
    engine = { script, random in
      var other = script
      change(&other)
      return make(other, random)
    }
  }

  /// The engine does the requests that bring such a body in another way.
  fileprivate mutating func serving(
    _ body: Route.BodyUse,
    _ act: @escaping @Sendable (Route, WholeRequest, inout EngineStore) throws(Refusal) -> Outcome
  ) {
    let make = engine
    engine = { script, random in
      var engine = make(script, random)
      engine.routes = Route.all.map { route in
        guard route.body == body else { return route }
        var other = route
        other.act = { request, store throws(Refusal) in try act(route, request, &store) }
        return other
      }
      return engine
    }
  }

  /// The engine gives a receipt for the media of a role, and does not keep them.
  fileprivate mutating func losing(_ role: String) {
    serving(.media) { route, request, store throws(Refusal) in
      guard request.match.query.first("role") == role else { return try route.act(request, &store) }
      var other = store
      return try route.act(request, &other)
    }
  }
}
