/// What one run of a scenario measured: the source of every report.
///
/// Times are link seconds, sizes are bytes. What was not measured is nil, and never a pass.
package struct RunRecord: Hashable, Sendable {
  package struct Tool: Hashable, Sendable {
    package var name: String
    package var version: String
  }

  package struct ScenarioReference: Hashable, Sendable {
    package var name: String
    package var file: String
    package var sha256: String
  }

  /// How time ran, and how late the timers were, in link seconds.
  package struct Time: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable {
      case real, dilated, virtual
    }

    package var mode: Mode
    package var factor: Double
    package var lateness: Lateness?
  }

  package struct Lateness: Hashable, Sendable {
    package var p50: Double
    package var p99: Double
  }

  /// Asked against measured, in bytes per second.
  package struct Direction: Hashable, Sendable {
    /// Nil when unlimited or offline.
    package var asked: Double?
    /// From departure to departure of packets, while the direction was busy; nil when it never was.
    package var measured: Double?
    package var errorPercent: Double?
  }

  package struct Buffer: Hashable, Sendable {
    package var declared: Int
    /// Mean over the attempts whose buffer was full, kernel bytes included; nil when none was.
    package var measured: Double?
  }

  package struct Link: Hashable, Sendable {
    package var up: Direction
    package var down: Direction
    package var buffer: Buffer
  }

  package enum Verdict: String, Hashable, Sendable {
    case passed, failed, inconclusive, interrupted
  }

  package var tool: Tool
  package var scenario: ScenarioReference
  package var seed: UInt64
  package var time: Time
  package var link: Link
  package var verdict: Verdict
  /// Why the run is inconclusive, a sentence each.
  package var doubts: [String]
  package var expectations: [ExpectationRecord]
  package var variants: [VariantRecord]
}

/// One expectation, and what was measured.
package struct ExpectationRecord: Hashable, Sendable {
  package var variant: String
  package var name: String
  /// As the scenario writes it.
  package var expected: String
  /// Nil when it was not measured: then it is no pass.
  package var measured: String?
  package var pass: Bool
}

/// What one variant did.
package struct VariantRecord: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    /// Every file landed before the horizon.
    case finished
    case horizon, interrupted
    /// The client's process ended by itself.
    case clientEnded
  }

  package var name: String
  package var outcome: Outcome
  /// When the last file's receipt had arrived; nil when not all landed.
  package var finishedAt: Double?
  package var horizon: Double
  package var files: [FileRecord]
  package var wire: WireRecord
  package var statusLines: StatusLinesRecord
  /// Not measured in this version: nil.
  package var honesty: HonestyRecord?
  package var exactlyOnce: ExactlyOnceRecord
  package var requests: [RequestRecord]
  package var timeline: [TimelinePoint]
  package var instrument: InstrumentRecord
}

/// One file of one capture.
package struct FileRecord: Hashable, Sendable {
  package var capture: String
  /// copy, original or document.
  package var step: String
  package var bytes: Int
  package var attempts: Int
  package var wireBytes: Int
  package var landed: Bool
  package var landedAt: Double?
  package var replays: Int
  /// Nil when nothing was stored.
  package var sha256Matches: Bool?
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
}

package struct StatusLinesRecord: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package var text: String
    package var first: Double
    package var last: Double
    package var times: Int
  }

  package var distinct: Int
  package var live: Int
  package var firstLiveAt: Double?
  /// The longest time without a new line while a capture was neither done nor parked.
  package var longestSilence: Double?
  /// In order of first showing.
  package var lines: [Line]
}

package struct HonestyRecord: Hashable, Sendable {
  package var claims: Int
  package var falseClaims: Int
  package var worstMegabytes: Double
  package var worstSeconds: Double
  package var findings: [String]
}

package struct ExactlyOnceRecord: Hashable, Sendable {
  package var moments: Int
  package var duplicates: Int
  package var lost: Int
}

/// One request, as the engine's ledger has it.
package struct RequestRecord: Hashable, Sendable {
  package var at: Double
  package var method: String
  package var path: String
  package var attempt: Int
  /// Nil when it was not answered.
  package var status: Int?
  package var bodyBytes: Int
  package var seconds: Double
  /// answered, reset, closed, or open at the end of the run.
  package var end: String
}

package struct TimelinePoint: Hashable, Sendable {
  package var at: Double
  /// Bytes that the client's socket had taken, over all connections.
  package var handedOver: Int
  package var carried: Int
  /// File bytes that the newest status line claimed; nil when it claimed none.
  package var claimed: Int?
}

/// What the bench measured of itself during one variant.
package struct InstrumentRecord: Hashable, Sendable {
  package var lateness: RunRecord.Lateness?
  package var upRate: Double?
  package var downRate: Double?
  /// Mean of the buffer of each attempt that filled it.
  package var buffers: [Double]
  package var takenIn: Int
  package var carried: Int
  package var discarded: Int
  package var queued: Int
  package var engineReceived: Int
  package var retransmissions: Int
  package var zeroWindowProbes: Int
}
