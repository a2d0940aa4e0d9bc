package import Captures
import LinkModel
package import Quantities
import Uploads

/// What one variant should do, by the fluid model alone: the oracle that measured runs are held to.
///
/// Bodies are a fluid that crosses the link at its rate. The path takes `buffer` bytes in at once
/// and the rest at the pace of the link, so that the last byte is counted at (size - buffer) / rate
/// after the start, and the answer arrives at size / rate plus a round trip. Small bodies are zero
/// bytes and cost a round trip. Packets, heads and kernels are left out.
package struct FluidForecast: Hashable, Sendable {
  /// One request that began to send a file's body.
  package struct Attempt: Hashable, Sendable {
    package enum End: String, Hashable, Sendable {
      /// Its receipt arrived.
      case landed
      case idleLimit, ceiling
      /// The run was over.
      case horizon
    }

    package var capture: String
    package var step: StepName
    package var start: Instant
    package var end: Instant
    package var how: End
    /// Bytes that arrived at the engine before the end of the attempt, or of the run.
    package var crossed: ByteCount
    /// When the engine held the whole body; nil when it never did.
    package var stored: Instant?
  }

  /// One file of one capture.
  package struct File: Hashable, Sendable {
    package var capture: String
    package var step: StepName
    package var size: ByteCount
    package var attempts: Int
    package var wire: ByteCount
    package var landedAt: Instant?
  }

  package var variant: String
  package var attempts: [Attempt]
  /// In the order of captures and of their steps.
  package var files: [File]
  /// When the last receipt arrived; nil when not every file landed.
  package var finished: Instant?
  /// Bytes of the attempts that were stored first, of later ones, and of those never stored.
  package var useful: ByteCount
  package var repeated: ByteCount
  package var abandoned: ByteCount

  /// When the files that all of these clients send have crossed the link at the soonest, from link
  /// time 0: none of them can be done before.
  ///
  /// What is saved from some instant on crosses after it, at the pace that the link has then; the last
  /// of such ends counts. Nil where everything crosses at once, or some of it never does.
  package static func floor(of scenario: Scenario, for variants: [Variant]) -> Duration? {
    guard scenario.link.up.rate.fastest != nil else { return nil }
    let saved = scenario.captures.sorted { $0.at < $1.at }.map { capture in
      let bytes = capture.plan.kind.plannedFiles.reduce(0) { sum, file in
        let isSent = variants.allSatisfy { $0.client.sends(file.step) }
        return isSent ? sum + file.size.bytes : sum
      }
      return (at: capture.at, bytes: bytes)
    }
    let schedule = scenario.link.up.schedule
    var floor = Instant.zero
    for (index, first) in saved.enumerated() {
      var point = schedule.begin(at: first.at)
      let bytes = saved[index...].reduce(0) { $0 + $1.bytes }
      guard let end = schedule.departure(ofByte: bytes, after: &point) else { return nil }
      floor = max(floor, end)
    }
    return floor - .zero
  }

  /// The attempts at one step, all captures together.
  package func attempts(of step: UploadStep) -> Int {
    files.reduce(0) { $0 + ($1.step.step == step ? $1.attempts : 0) }
  }

  /// The bytes of one step on the wire, all captures together.
  package func wire(of step: UploadStep) -> ByteCount {
    files.reduce(.zero) { $1.step.step == step ? $0 + $1.wire : $0 }
  }
}

/// Why the model gives no forecast, a sentence each.
package struct OutsideTheModel: Error, Hashable, Sendable {
  package var reasons: [String]
}

extension CapturePlan.Kind {
  /// The steps that send a file, with its size.
  package var plannedFiles: [(step: StepName, size: ByteCount)] {
    switch self {
    case .photo(let photo): [(.copy, photo.copy), (.original, photo.original)]
    case .document(let document): [(.document, document.size)]
    case .plate(let plate): (0..<plate.photos).map { (.staged($0 + 1), plate.size) }
    }
  }
}

extension UploadPolicy.IdleRule {
  /// The rate that a body is at least expected to go at, in the rule from the body.
  static let expectedRate = DataRate.kilobytes(15)

  /// How long a body of this size may stand still.
  func quietLimit(for size: ByteCount) -> Duration {
    switch self {
    case .fixed(let duration): duration
    case .fromBody(let least): max(least, Self.expectedRate.time(for: size))
    }
  }
}
