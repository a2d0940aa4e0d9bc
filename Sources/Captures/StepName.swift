/// Names one step among those of its capture: a plate has the step `staged` once for each photo.
///
/// As text, and in JSON, it is the step, with the number of the photo behind it where there is one:
/// `copy`, `staged-2`.
package struct StepName: Hashable, Sendable {
  package var step: UploadStep
  /// Which photo of a plate, counted from 1; nil for a step that is taken once.
  package var photo: Int?

  package init(_ step: UploadStep, photo: Int? = nil) {
    self.step = step
    self.photo = photo
  }

  package static let record = StepName(.record)
  package static let copy = StepName(.copy)
  package static let turn = StepName(.turn)
  package static let original = StepName(.original)
  package static let document = StepName(.document)
  package static let text = StepName(.text)
  package static let encounter = StepName(.encounter)
  package static let readback = StepName(.readback)

  package static func staged(_ photo: Int) -> StepName { StepName(.staged, photo: photo) }
}

extension StepName: CustomStringConvertible, Codable {
  /// Nil when the text names no step.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let step = UploadStep(rawValue: String(parts[0])) else { return nil }
    switch (step, parts.count) {
    case (.staged, 2):
      guard let photo = Int(parts[1]), photo > 0, "\(photo)" == parts[1] else { return nil }
      self.init(step, photo: photo)
    case (.staged, _), (_, 2): return nil
    default: self.init(step)
    }
  }

  package var description: String { photo.map { "\(step.rawValue)-\($0)" } ?? step.rawValue }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let name = StepName(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no step")
    }
    self = name
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
