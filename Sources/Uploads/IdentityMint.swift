package import Quantities

/// The ids of one entry: minted once, at commit, so that every repeat names the same things.
package struct MomentIdentity: Hashable, Sendable {
  /// The entry's own id, and the client request id of its record.
  package var entry: String
  package var moment: String
  package var turn: String
  package var text: String
  /// One for each file, in the order in which they are sent.
  package var media: [String]
}

/// Mints the ids of entries: ULIDs, whose first ten characters order them by time.
///
/// Chance comes from one seed. Each entry forks its own stream by its time and its place in the
/// outbox, so that a client that is started again on the same seed does not mint an id twice; that
/// time is the one that never goes back.
package struct IdentityMint: Sendable {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  private let random: SeededRandom
  package var clock: WallClock

  package init(random: SeededRandom, clock: WallClock = WallClock()) {
    self.random = random
    self.clock = clock
  }

  package func identity(sequence: Int, files: Int, now: Instant) -> MomentIdentity {
    let milliseconds = clock.milliseconds(at: now)
    var stream = random.fork("entry \(sequence) at \(clock.steadyMilliseconds(at: now))")
    func ulid() -> String { Self.ulid(milliseconds: milliseconds, random: &stream) }
    return MomentIdentity(
      entry: ulid(), moment: ulid(), turn: ulid(), text: ulid(),
      media: (0..<files).map { _ in ulid() })
  }

  /// 48 bits of time and 80 of chance in Crockford's base 32 (github.com/ulid/spec); a time before
  /// 1970 is 0 in it.
  private static func ulid(milliseconds: Int64, random: inout SeededRandom) -> String {
    let time = UInt64(max(0, milliseconds))
    var characters: [UInt8] = []
    for place in stride(from: 45, through: 0, by: -5) {
      characters.append(alphabet[Int(time >> UInt64(place) & 31)])
    }
    for _ in 0..<2 {
      let bits = random.next()
      for place in stride(from: 35, through: 0, by: -5) {
        characters.append(alphabet[Int(bits >> UInt64(place) & 31)])
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
