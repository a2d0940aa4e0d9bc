import Quantities
import Scenarios

/// What was seen of one measure in one variant.
enum Observation: Hashable {
  enum Unit: Hashable {
    case count, bytes, seconds, status

    func text(_ value: Double) -> String {
      switch self {
      case .count, .status: trimmed(value, decimals: 0)
      case .bytes: ByteCount(Int(value)).description
      case .seconds: "\(trimmed(value, decimals: 3)) s"
      }
    }
  }

  /// One part of a number: of which file, how many.
  struct Part: Hashable {
    var label: String
    var value: Double
  }

  case notMeasured
  case number(Double, Unit)
  /// A number for each file; their sum stands for all.
  case parts([Part], Unit)
  /// Something that did not happen in the whole run.
  case never
  case landed(Int, of: Int, missing: [String])

  init(of measure: Measure, in variant: VariantRecord) {
    let wire = variant.wire
    let lines = variant.statusLines
    switch measure {
    case .attempts(let step): self = .perFile(variant, step, \.attempts, .count)
    case .wire(let step): self = .perFile(variant, step, \.wireBytes, .bytes)
    case .landed:
      let missing = variant.files.filter { !$0.landed }
      self =
        variant.files.isEmpty
        ? .notMeasured
        : .landed(
          variant.files.count - missing.count, of: variant.files.count,
          missing: missing.map { $0.label(among: variant.files) })
    case .finished: self = variant.finishedAt.map { .number($0, .seconds) } ?? .never
    case .useful: self = .number(Double(wire.useful), .bytes)
    case .repeated: self = .number(Double(wire.repeated), .bytes)
    case .abandoned: self = .number(Double(wire.abandoned), .bytes)
    case .overhead: self = .number(Double(wire.overhead), .bytes)
    case .distinctLines: self = .number(Double(lines.distinct), .count)
    case .liveLines: self = .number(Double(lines.live), .count)
    case .firstLiveLine: self = lines.firstLiveAt.map { .number($0, .seconds) } ?? .never
    case .longestSilence:
      self = lines.longestSilence.map { .number($0, .seconds) } ?? .notMeasured
    case .falseLines:
      self = variant.honesty.map { .number(Double($0.falseClaims), .count) } ?? .notMeasured
    case .worstMegabytes:
      self =
        variant.honesty?.worstMegabytes.map { .number($0 * 1e6, .bytes) } ?? .notMeasured
    case .worstSeconds:
      self = variant.honesty.map { .number($0.worstSeconds, .seconds) } ?? .notMeasured
    case .held: self = variant.held.map { .number(Double($0), .count) } ?? .notMeasured
    case .discarded: self = variant.discarded.map { .number(Double($0), .count) } ?? .notMeasured
    case .parked: self = variant.parked.map { .number(Double($0), .count) } ?? .notMeasured
    case .notSaved:
      self = variant.notSaved.map { .number(Double($0.count), .count) } ?? .notMeasured
    case .duplicates: self = .number(Double(variant.exactlyOnce.duplicates), .count)
    case .lost:
      self = variant.exactlyOnce.lost.map { .number(Double($0), .count) } ?? .notMeasured
    case .exit:
      self =
        variant.process.map { $0.exit.map { .number(Double($0), .status) } ?? .never }
        ?? .notMeasured
    }
  }

  private static func perFile(
    _ variant: VariantRecord, _ step: String?, _ value: (FileRecord) -> Int, _ unit: Unit
  ) -> Observation {
    let files = variant.files.filter { step == nil || $0.step == step }
    guard !files.isEmpty else { return .notMeasured }
    return .parts(
      files.map { Part(label: $0.label(among: files), value: Double(value($0))) }, unit)
  }

  /// Whether it is as expected; nil when the two cannot be compared.
  func holds(_ expected: Expected) -> Bool? {
    switch (self, expected) {
    case (.notMeasured, _): nil
    case (.number(let value, _), .number(let comparison, let bound, let tolerance)):
      comparison.holds(value, bound, tolerancePercent: tolerance)
    case (.parts(let parts, _), .number(let comparison, let bound, let tolerance)):
      comparison.holds(
        parts.reduce(0) { $0 + $1.value }, bound, tolerancePercent: tolerance)
    case (.parts(let parts, _), .each(let value)): parts.allSatisfy { $0.value == value }
    case (.number(let value, .count), .each(let each)): value == each
    case (.landed(let landed, let all, _), .all): landed == all
    case (.landed(let landed, _, _), .none): landed == 0
    case (.landed(let landed, _, _), .number(let comparison, let bound, let tolerance)):
      comparison.holds(Double(landed), bound, tolerancePercent: tolerance)
    case (.never, .never): true
    case (.never, .number), (.number(_, .seconds), .never), (.number(_, .status), .never): false
    case (.number(let value, _), .never), (.number(let value, _), .none): value == 0
    default: nil
    }
  }

  /// In the words and units of what is expected; nil when nothing was measured.
  func text(beside expected: Expected) -> String? {
    switch self {
    case .notMeasured: return nil
    case .number(let value, let unit): return unit.text(value)
    case .never: return "never"
    case .landed(let landed, let all, _):
      return landed == all ? "all" : landed == 0 ? "none" : "\(landed) of \(all)"
    case .parts(let parts, let unit):
      guard case .each = expected else {
        return unit.text(parts.reduce(0) { $0 + $1.value })
      }
      if let first = parts.first, parts.allSatisfy({ $0.value == first.value }) {
        return "each \(unit.text(first.value))"
      }
      return limited(parts.map { "\($0.label) \(unit.text($0.value))" })
    }
  }
}

extension Expected.Comparison {
  /// The tolerance widens the bound on the side, or sides, that could refuse the value.
  func holds(_ value: Double, _ bound: Double, tolerancePercent: Double) -> Bool {
    // Sums of decimal fractions are off in the last digits; no measure is finer than this.
    let tolerance = abs(bound) * tolerancePercent / 100 + 1e-6
    return switch self {
    case .equal: abs(value - bound) <= tolerance
    case .atMost: value <= bound + tolerance
    case .atLeast: value >= bound - tolerance
    }
  }
}

extension FileRecord {
  /// `copy` or `staged-2`, or `photo-2 copy` where other captures have one too.
  func label(among files: [FileRecord]) -> String {
    let own = photo.map { "\(step)-\($0)" } ?? step
    return files.contains { $0.step == step && $0.capture != capture } ? "\(capture) \(own)" : own
  }
}

/// The first few of many words, with a count of the rest.
func limited(_ words: [String], to limit: Int = 6) -> String {
  guard words.count > limit else { return words.joined(separator: ", ") }
  return words.prefix(limit).joined(separator: ", ") + " and \(words.count - limit) more"
}
