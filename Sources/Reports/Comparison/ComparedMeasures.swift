import Quantities

extension ComparedMeasure {
  /// All that clients are compared by, in the order of the table.
  ///
  /// A count that was not made in one of the runs is left out.
  static func all(
    of left: [VariantRecord], _ right: [VariantRecord], within budget: TimeBudget
  ) -> [ComparedMeasure] {
    let both = left + right
    let steps = both.flatMap(\.files).map(\.step).distinct
    return steps.map(attempts) + steps.map { wire($0, budget) }
      + [landed(of: both.first?.files.count ?? 0), finished(budget)] + bytes(budget)
      + lines(both, budget) + promises(both)
  }

  // MARK: Files

  /// Once each is right: a file that was never begun is no better than one begun twice.
  private static func attempts(of step: String) -> ComparedMeasure {
    func counts(_ variant: VariantRecord) -> [Int] {
      variant.files.filter { $0.step == step }.map(\.attempts)
    }
    let name = "attempts of the \(noun(ofStep: step))"
    return ComparedMeasure(
      name, .count, Phrase("made # attempt(s) of the \(noun(ofStep: step))"),
      cost: { Double(counts($0).reduce(0) { $0 + abs($1 - 1) }) }, parts: counts
    ) { Double(counts($0).reduce(0, +)) }
  }

  /// As with attempts: each file's own size, once, is right.
  private static func wire(_ step: String, _ budget: TimeBudget) -> ComparedMeasure {
    func files(_ variant: VariantRecord) -> [FileRecord] {
      variant.files.filter { $0.step == step }
    }
    let noun = noun(ofStep: step)
    return ComparedMeasure(
      "bytes of the \(noun) on the wire", .bytes,
      Phrase("put # of the \(noun) on the wire", less: "less", more: "more"),
      minimum: .bytes(budget.bytes),
      cost: { Double(files($0).reduce(0) { $0 + abs($1.wireBytes - $1.bytes) }) }
    ) { Double(files($0).reduce(0) { $0 + $1.wireBytes }) }
  }

  private static func landed(of total: Int) -> ComparedMeasure {
    func count(_ variant: VariantRecord) -> Double { Double(variant.files.count(where: \.landed)) }
    return ComparedMeasure(
      "files landed", .count, Phrase("landed # file(s)"), total: total, cost: { -count($0) },
      value: count)
  }

  private static func finished(_ budget: TimeBudget) -> ComparedMeasure {
    ComparedMeasure(
      "all done at", .seconds, Phrase("finished #", less: "sooner", more: "later"),
      minimum: .init(percent: Comparison.timeTolerancePercent, budget: budget.seconds),
      value: \.finishedAt)
  }

  // MARK: The wire

  private static func bytes(_ budget: TimeBudget) -> [ComparedMeasure] {
    func measure(
      _ name: String, _ text: String, _ bytes: @escaping (WireRecord) -> Int,
      budget: Double = 0, isGood: Bool = false
    ) -> ComparedMeasure {
      ComparedMeasure(
        name, .bytes, Phrase(text, less: "less", more: "more"), minimum: .bytes(budget),
        cost: { Double(bytes($0.wire)) * (isGood ? -1 : 1) }
      ) { Double(bytes($0.wire)) }
    }
    return [
      measure("useful bytes", "sent # that was of use", \.useful, isGood: true),
      measure("repeated bytes", "repeated #", \.repeated),
      // How much crosses before a limit cuts depends on how punctually it does.
      measure("abandoned bytes", "sent # for nothing", \.abandoned, budget: budget.bytes),
      measure("overhead bytes", "sent # in heads and small calls", \.overhead),
    ]
  }

  // MARK: Lines

  private static func lines(
    _ both: [VariantRecord], _ budget: TimeBudget
  ) -> [ComparedMeasure] {
    // Labels without figures are few and fixed: one more or less is a change.
    let isLive = both.allSatisfy { $0.statusLines.live > 0 }
    let counts = MinimumEffect(percent: isLive ? Comparison.lineTolerancePercent : 0)
    let times = MinimumEffect(
      percent: Comparison.timeTolerancePercent, absolute: Comparison.lineTolerance,
      budget: budget.seconds)
    func count(
      _ name: String, _ noun: String, _ number: @escaping (StatusLinesRecord) -> Int
    ) -> ComparedMeasure {
      ComparedMeasure(
        name, .count, Phrase("showed # \(noun)"), minimum: counts,
        cost: { -Double(number($0.statusLines)) }
      ) { Double(number($0.statusLines)) }
    }
    return [
      count("distinct status lines", "distinct status line(s)", \.distinct),
      count("lines with a new byte count", "line(s) with a new byte count", \.live),
      ComparedMeasure(
        "first line with live figures", .seconds,
        Phrase("showed live figures #", less: "sooner", more: "later"), minimum: times,
        value: \.statusLines.firstLiveAt),
      ComparedMeasure(
        "longest time without a new line", .seconds,
        Phrase("stood still for # at the longest", less: "less", more: "more"), minimum: times,
        isMeasured: both.allSatisfy { $0.statusLines.longestSilence != nil },
        value: \.statusLines.longestSilence),
    ]
  }

  // MARK: What is promised

  /// What may not happen at all: each counts.
  private static func promises(_ both: [VariantRecord]) -> [ComparedMeasure] {
    func count(
      _ name: String, _ text: String, _ number: @escaping (VariantRecord) -> Int?
    ) -> ComparedMeasure? {
      guard both.allSatisfy({ number($0) != nil }) else { return nil }
      return ComparedMeasure(name, .count, Phrase(text)) { number($0).map(Double.init) }
    }
    return [
      count("false status lines", "showed # false status line(s)") { $0.honesty?.falseClaims },
      count("captures lost", "lost # capture(s)", \.exactlyOnce.lost),
      count(
        "captures held twice", "left # capture(s) twice on the engine", \.exactlyOnce.duplicates),
      count("captures parked", "parked # capture(s)", \.parked),
      count("captures not saved", "could not save # capture(s)") { $0.notSaved?.count },
    ].compactMap(\.self)
  }
}

extension ComparedMeasure.MinimumEffect {
  /// Of bytes on the wire; the budget is what crosses while the instrument is late.
  fileprivate static func bytes(_ budget: Double) -> Self {
    Self(
      percent: Comparison.byteTolerancePercent, absolute: Double(Comparison.byteTolerance),
      budget: budget)
  }
}
