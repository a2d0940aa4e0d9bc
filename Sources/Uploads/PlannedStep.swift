package import Captures

/// A step of an entry together with what it needs; the order of the plan is the send order.
package enum PlannedStep: Hashable, Sendable {
  case record
  case file(OutboxFile)
  /// The engine reads the display copy.
  case turn(media: String)
  /// The engine reads the document's text.
  case text(media: String)
  case readback

  package var name: UploadStep {
    switch self {
    case .record: .record
    case .file(let file): file.step
    case .turn: .turn
    case .text: .text
    case .readback: .readback
    }
  }
}

extension OutboxEntry {
  /// All steps in the order that shows an answer soonest.
  ///
  /// Record, copy, turn, original, a document's bytes and then its text, and the record read back.
  package var plan: [PlannedStep] {
    let ordered = [UploadStep.copy, .original, .document].flatMap { step in
      files.filter { $0.step == step }
    }
    let filesAndAnswers = ordered.flatMap { file -> [PlannedStep] in
      switch file.step {
      case .copy: [.file(file), .turn(media: file.media)]
      case .document: [.file(file), .text(media: file.media)]
      default: [.file(file)]
      }
    }
    return [.record] + filesAndAnswers + [.readback]
  }

  /// The first step that has not landed; nil when all have.
  package var next: PlannedStep? {
    plan.first { !done.contains($0.name) }
  }

  /// The step that comes after `step`; nil after the last.
  package func follower(of step: PlannedStep) -> PlannedStep? {
    plan.drop { $0 != step }.dropFirst().first
  }
}
