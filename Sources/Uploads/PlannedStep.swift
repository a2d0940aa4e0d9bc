package import Captures

/// A step of an entry together with what it needs; the order of the plan is the send order.
package enum PlannedStep: Hashable, Sendable {
  case record
  case file(OutboxFile)
  /// The engine reads the display copy.
  case turn(media: String)
  /// The engine reads the document's text.
  case text(media: String)
  /// The photos of a plate, once all are staged.
  case encounter
  case readback

  package var name: StepName {
    switch self {
    case .record: .record
    case .file(let file): file.step
    case .turn: .turn
    case .text: .text
    case .encounter: .encounter
    case .readback: .readback
    }
  }

  /// Whether it sends a file.
  package var isFile: Bool {
    if case .file = self { true } else { false }
  }
}

extension OutboxEntry {
  /// All steps in the order that shows an answer soonest.
  ///
  /// Record, copy, turn, original, a document's bytes and then its text, and the record read back.
  /// Of a plate its photos, the encounter that names them, and that read back.
  package var plan: [PlannedStep] { plan(in: .capture) }

  /// The same in the order of a policy.
  package func plan(in order: UploadPolicy.Order) -> [PlannedStep] {
    if kind == .plate { return files.map(PlannedStep.file) + [.encounter, .readback] }
    let first: [StepName] =
      order == .originalFirst ? [.original, .copy] : [.copy, .original]
    let ordered = (first + [.document]).flatMap { step in
      files.filter { $0.step == step }
    }
    // What is read is the copy; without one, the photo as it is.
    let read = files.first { $0.step == .copy } ?? files.first { $0.step == .original }
    let filesAndAnswers = ordered.flatMap { file -> [PlannedStep] in
      switch file.step {
      case _ where file == read: [.file(file), .turn(media: file.media)]
      case .document: [.file(file), .text(media: file.media)]
      default: [.file(file)]
      }
    }
    return [.record] + filesAndAnswers + [.readback]
  }

  /// The first step that has not landed; nil when all have.
  package func next(in order: UploadPolicy.Order) -> PlannedStep? {
    plan(in: order).first { !done.contains($0.name) }
  }

  /// The step that comes after `step`; nil after the last.
  package func follower(
    of step: PlannedStep, in order: UploadPolicy.Order = .capture
  ) -> PlannedStep? {
    plan(in: order).drop { $0 != step }.dropFirst().first
  }
}
