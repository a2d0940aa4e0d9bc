import Quantities

/// The same scenario in two worlds, such as dilated and virtual time: whether what they measured is
/// the same, to the tolerances of a ``Comparison``.
///
/// What people are shown depends on when it is looked at, so lines and the calls that look into a
/// silence are named where they differ, and not judged.
package struct Agreement: Hashable, Sendable {
  package enum Standing: String, Hashable, Sendable {
    case equal
    case within = "within tolerance"
    case disagrees = "DISAGREES"
    case notJudged = "differs, not judged"
  }

  /// Bytes that libcurl gives a socket in one write: behind a client that was killed, or stopped in
  /// mid-body, so many more or fewer are still delivered.
  package static let writeBytes = 16_384

  package struct Row: Hashable, Sendable {
    package var variant: String
    package var measure: String
    package var left: String
    package var right: String
    /// In percent, or the difference of counts; empty when equal.
    package var distance: String
    package var standing: Standing
  }

  package let left: RunRecord
  package let right: RunRecord
  package private(set) var rows: [Row] = []

  package init(_ left: RunRecord, _ right: RunRecord) {
    self.left = left
    self.right = right
    add(
      "both", "variants that were run", left.variants.map(\.name).joined(separator: ", "),
      right.variants.map(\.name).joined(separator: ", "))
    for (one, other) in zip(left.variants, right.variants) where one.name == other.name {
      compareFiles(one, other)
      compareSums(
        one, other,
        within: TimeBudget(of: one, in: left).joined(with: TimeBudget(of: other, in: right)))
      compareLines(one, other)
    }
  }

  /// Whether it can be judged: a run that is in doubt, or was stopped, agrees with nothing.
  package var isSound: Bool {
    left.isSound && right.isSound
  }

  package var disagreements: [Row] { rows.filter { $0.standing == .disagrees } }

  package var agrees: Bool { isSound && disagreements.isEmpty }

  private mutating func compareFiles(_ one: VariantRecord, _ other: VariantRecord) {
    add(
      one.name, "files", one.files.map { $0.label(among: one.files) }.joined(separator: ", "),
      other.files.map { $0.label(among: other.files) }.joined(separator: ", "))
    for (file, twin) in zip(one.files, other.files) {
      let label = file.label(among: one.files)
      add(one.name, "attempts of \(label)", count: file.attempts, twin.attempts)
      add(one.name, "landed: \(label)", file.landed ? "yes" : "no", twin.landed ? "yes" : "no")
      add(
        one.name, "stored as it was made: \(label)", Self.text(file.sha256Matches),
        Self.text(twin.sha256Matches))
      add(one.name, "replays of \(label)", count: file.replays, twin.replays)
      add(
        one.name, "bytes of \(label) on the wire", bytes: file.wireBytes, twin.wireBytes,
        stopped: one.stopped(file.step))
    }
  }

  private mutating func compareSums(
    _ one: VariantRecord, _ other: VariantRecord, within budget: TimeBudget
  ) {
    let name = one.name
    add(name, "end of the run", one.outcome.rawValue, other.outcome.rawValue)
    add(name, "captures parked", Self.text(one.parked), Self.text(other.parked))
    add(name, "captures held", Self.text(one.held), Self.text(other.held))
    add(name, "captures discarded", Self.text(one.discarded), Self.text(other.discarded))
    add(
      name, "captures not saved", Self.text(one.notSaved?.count), Self.text(other.notSaved?.count))
    for (measure, count) in [
      ("moments on the engine", \ExactlyOnceRecord.moments), ("captures held twice", \.duplicates),
    ] {
      add(
        name, measure, count: one.exactlyOnce[keyPath: count], other.exactlyOnce[keyPath: count])
    }
    add(
      name, "captures lost", Self.text(one.exactlyOnce.lost), Self.text(other.exactlyOnce.lost))
    for (measure, bytes) in [
      ("bytes up", \WireRecord.up), ("useful bytes", \.useful), ("repeated bytes", \.repeated),
      ("abandoned bytes", \.abandoned),
    ] {
      add(
        name, measure, bytes: one.wire[keyPath: bytes], other.wire[keyPath: bytes],
        stopped: one.stopped(nil))
    }
    addTime(
      name, "all done at", one.finishedAt, other.finishedAt,
      tolerance: max(
        (one.finishedAt ?? 0) * Comparison.timeTolerancePercent / 100, budget.seconds))
  }

  private mutating func compareLines(_ one: VariantRecord, _ other: VariantRecord) {
    let name = one.name
    let (lines, others) = (one.statusLines, other.statusLines)
    add(name, "requests", count: one.requests.count, other.requests.count, isJudged: false)
    add(
      name, "heads and small calls, bytes", count: one.wire.overhead, other.wire.overhead,
      isJudged: false)
    add(name, "bytes down", count: one.wire.down, other.wire.down, isJudged: false)
    add(name, "distinct status lines", count: lines.distinct, others.distinct, isJudged: false)
    add(name, "lines with a new byte count", count: lines.live, others.live, isJudged: false)
    addTime(
      name, "first line with live figures", lines.firstLiveAt, others.firstLiveAt, tolerance: nil)
    addTime(
      name, "longest time without a new line", lines.longestSilence, others.longestSilence,
      tolerance: nil)
  }

  private mutating func add(
    _ variant: String, _ measure: String, _ left: String, _ right: String, _ distance: String = "",
    isJudged: Bool = true
  ) {
    rows.append(
      Row(
        variant: variant, measure: measure, left: left, right: right, distance: distance,
        standing: left == right ? .equal : isJudged ? .disagrees : .notJudged))
  }

  private mutating func add(
    _ variant: String, _ measure: String, count left: Int, _ right: Int, isJudged: Bool = true
  ) {
    let distance = right == left ? "" : right > left ? "+\(right - left)" : "\(right - left)"
    add(variant, measure, "\(left)", "\(right)", distance, isJudged: isJudged)
  }

  private mutating func add(
    _ variant: String, _ measure: String, bytes left: Int, _ right: Int, stopped: Int
  ) {
    let tolerance = max(
      Double(Comparison.byteTolerance + stopped * Self.writeBytes),
      Double(left) * Comparison.byteTolerancePercent / 100)
    rows.append(
      Row(
        variant: variant, measure: measure, left: "\(left) B", right: "\(right) B",
        distance: Self.distance(Double(left), Double(right)),
        standing: left == right
          ? .equal : Double(abs(left - right)) <= tolerance ? .within : .disagrees))
  }

  /// Without a tolerance, in seconds, it is not judged.
  private mutating func addTime(
    _ variant: String, _ measure: String, _ left: Double?, _ right: Double?,
    tolerance: Double?
  ) {
    guard let left, let right else {
      add(
        variant, measure, left.map { "\($0) s" } ?? "never", right.map { "\($0) s" } ?? "never",
        isJudged: tolerance != nil)
      return
    }
    let isWithin = tolerance.map { abs(left - right) <= $0 }
    rows.append(
      Row(
        variant: variant, measure: measure, left: "\(trimmed(left, decimals: 3)) s",
        right: "\(trimmed(right, decimals: 3)) s", distance: Self.distance(left, right),
        standing: left == right
          ? .equal : isWithin.map { $0 ? .within : .disagrees } ?? .notJudged))
  }

  private static func distance(_ left: Double, _ right: Double) -> String {
    if left == right { return "" }
    return left == 0 ? "from nothing" : signedPercent((right - left) / left * 100, decimals: 3)
  }

  private static func text(_ value: Bool?) -> String {
    value.map { $0 ? "yes" : "no" } ?? "nothing stored"
  }

  private static func text(_ count: Int?) -> String {
    count.map(String.init) ?? "not measured"
  }
}

extension VariantRecord {
  /// Requests of a step, or of any, that the client stopped in mid-body, and not by a reset: it closed
  /// them before their answer, or had it early.
  fileprivate func stopped(_ step: String?) -> Int {
    requests.count { request in
      guard step == nil || request.step == step else { return false }
      let file = files.first { $0.step == request.step && $0.capture == request.capture }
      return request.end == "closed"
        || request.end == "answered" && request.bodyBytes < file?.bytes ?? 0
    }
  }
}
