/// What one variant did.
package struct VariantRecord: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Nothing was left to do before the horizon: what is not parked, and was saved, landed.
    case finished
    case horizon, interrupted
    /// The client's process ended by itself.
    case clientEnded
  }

  package var name: String
  package var outcome: Outcome
  /// How the client's process ended when no act ended it, in words; nil when it did not, or when it
  /// is not known.
  package var clientEnd: String?
  /// When the last file's receipt had arrived; nil when not all landed.
  package var finishedAt: Double?
  package var horizon: Double
  package var files: [FileRecord]
  package var wire: WireRecord
  package var statusLines: StatusLinesRecord
  /// Nil when no line came with a claim that could be judged.
  package var honesty: HonestyRecord?
  package var exactlyOnce: ExactlyOnceRecord
  /// Captures that the engine refused for good; nil when it is not known.
  package var parked: Int?
  /// Captures whose file needs a faster link; nil when it is not known.
  package var held: Int?
  /// Captures that the user gave up; nil when it is not known.
  package var discarded: Int?
  /// Captures that the client could not keep; nil when it is not known.
  package var notSaved: [NotSavedRecord]?
  /// The processes of a command; nil of the built-in client.
  package var process: ProcessRecord?
  package var requests: [RequestRecord]
  package var timeline: [TimelinePoint]
  package var instrument: InstrumentRecord

  package init(
    name: String, outcome: Outcome, clientEnd: String? = nil, finishedAt: Double?, horizon: Double,
    files: [FileRecord], wire: WireRecord, statusLines: StatusLinesRecord,
    honesty: HonestyRecord? = nil, exactlyOnce: ExactlyOnceRecord, parked: Int? = nil,
    held: Int? = nil, discarded: Int? = nil, notSaved: [NotSavedRecord]? = nil,
    process: ProcessRecord? = nil, requests: [RequestRecord] = [], timeline: [TimelinePoint] = [],
    instrument: InstrumentRecord
  ) {
    self.name = name
    self.outcome = outcome
    self.clientEnd = clientEnd
    self.finishedAt = finishedAt.map(toMilliseconds)
    self.horizon = toMilliseconds(horizon)
    self.files = files
    self.wire = wire
    self.statusLines = statusLines
    self.honesty = honesty
    self.exactlyOnce = exactlyOnce
    self.parked = parked
    self.held = held
    self.discarded = discarded
    self.notSaved = notSaved
    self.process = process
    self.requests = requests
    self.timeline = timeline
    self.instrument = instrument
  }
}

/// A capture that the client could not keep, and why, as its user was told.
package struct NotSavedRecord: Hashable, Sendable {
  package var capture: String
  package var reason: String

  package init(capture: String, reason: String) {
    self.capture = capture
    self.reason = reason
  }
}

/// One file of one capture.
package struct FileRecord: Hashable, Sendable {
  package var capture: String
  /// copy, original, document or staged.
  package var step: String
  /// Which photo of a plate, from 1; nil for any other file.
  package var photo: Int?
  package var bytes: Int
  package var attempts: Int
  package var wireBytes: Int
  package var landed: Bool
  package var landedAt: Double?
  package var replays: Int
  /// Nil when nothing was stored.
  package var sha256Matches: Bool?

  package init(
    capture: String, step: String, photo: Int? = nil, bytes: Int, attempts: Int, wireBytes: Int,
    landed: Bool, landedAt: Double? = nil, replays: Int = 0, sha256Matches: Bool? = nil
  ) {
    self.capture = capture
    self.step = step
    self.photo = photo
    self.bytes = bytes
    self.attempts = attempts
    self.wireBytes = wireBytes
    self.landed = landed
    self.landedAt = landedAt.map(toMilliseconds)
    self.replays = replays
    self.sha256Matches = sha256Matches
  }
}

/// Bytes on the wire as the engine received them up, and sent them down; the first splits into the
/// other four.
package struct WireRecord: Hashable, Sendable {
  package var up: Int
  package var down: Int
  package var useful: Int
  package var repeated: Int
  package var abandoned: Int
  package var overhead: Int

  package init(
    up: Int = 0, down: Int = 0, useful: Int = 0, repeated: Int = 0, abandoned: Int = 0,
    overhead: Int = 0
  ) {
    self.up = up
    self.down = down
    self.useful = useful
    self.repeated = repeated
    self.abandoned = abandoned
    self.overhead = overhead
  }
}

package struct ExactlyOnceRecord: Hashable, Sendable {
  package var moments: Int
  package var duplicates: Int
  /// Nil when nobody knows what the client still holds.
  package var lost: Int?

  package init(moments: Int, duplicates: Int = 0, lost: Int? = 0) {
    self.moments = moments
    self.duplicates = duplicates
    self.lost = lost
  }
}
