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
/// outbox, so that a client that is started again on the same seed does not mint an id twice.
package struct IdentityMint: Sendable {
  /// Milliseconds since 1970 at link time 0: 2026-01-01T00:00:00Z.
  ///
  /// A run has no wall clock; a client that is used by hand gives the true value.
  package static let defaultEpoch: Int64 = 1_767_225_600_000

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  private let random: SeededRandom
  private let epoch: Int64

  package init(random: SeededRandom, epoch: Int64 = IdentityMint.defaultEpoch) {
    self.random = random
    self.epoch = epoch
  }

  /// Milliseconds since 1970, as far as this client knows.
  package func milliseconds(at now: Instant) -> Int64 {
    epoch + now.nanoseconds / 1_000_000
  }

  package func identity(sequence: Int, files: Int, now: Instant) -> MomentIdentity {
    let milliseconds = milliseconds(at: now)
    var stream = random.fork("entry \(sequence) at \(milliseconds)")
    func ulid() -> String { Self.ulid(milliseconds: milliseconds, random: &stream) }
    return MomentIdentity(
      entry: ulid(), moment: ulid(), turn: ulid(), text: ulid(),
      media: (0..<files).map { _ in ulid() })
  }

  /// 48 bits of time and 80 of chance in Crockford's base 32 (github.com/ulid/spec).
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
