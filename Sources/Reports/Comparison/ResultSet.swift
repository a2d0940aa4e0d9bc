/// The results of one side of a comparison, each with the place where it was found.
package struct ResultSet: Hashable, Sendable {
  /// What stands for it in the report, such as the name of its folder.
  package var label: String
  package var results: [Found]
  /// What could not be read, a sentence each with the way out.
  package var unreadable: [String]

  package struct Found: Hashable, Sendable {
    package var place: String
    package var record: RunRecord

    package init(place: String, record: RunRecord) {
      self.place = place
      self.record = record
    }
  }

  package init(label: String, results: [Found] = [], unreadable: [String] = []) {
    self.label = label
    self.results = results
    self.unreadable = unreadable
  }

  /// Adds a result; of repeats, only the first that proves something keeps its timeline, for there
  /// may be many.
  package mutating func add(_ record: RunRecord, from place: String) {
    let isKnown = results.contains { $0.record.isSound && Repeats($0).covers(record) }
    results.append(Found(place: place, record: isKnown ? Baseline(record).record : record))
  }

  /// Leaves out what is no repeat of a run.
  package mutating func keepRepeats(of record: RunRecord) {
    let runs = Repeats(Found(place: "", record: record))
    results.removeAll { !runs.covers($0.record) }
  }

  /// The results by what was run: those of one scenario, seed and kind of time are repeats.
  var repeats: [Repeats] {
    var groups: [Repeats] = []
    for found in results {
      if let place = groups.firstIndex(where: { $0.covers(found.record) }) {
        groups[place].add(found)
      } else {
        groups.append(Repeats(found))
      }
    }
    return groups.sorted { $0.order < $1.order }
  }
}

/// Runs of one scenario with one seed in one kind of time.
struct Repeats {
  /// What stands for all of them: the first that proves something, with its timeline.
  private(set) var first: RunRecord
  /// The runs that are compared: those that prove something, or all where none does.
  private(set) var runs: [RunRecord]
  /// Whether they prove something.
  private(set) var isSound: Bool
  /// Those that prove nothing.
  private(set) var unsound: [ResultSet.Found] = []

  init(_ found: ResultSet.Found) {
    first = found.record
    runs = [found.record]
    isSound = found.record.isSound
    if !isSound { unsound = [found] }
  }

  mutating func add(_ found: ResultSet.Found) {
    if !found.record.isSound { unsound.append(found) }
    switch (isSound, found.record.isSound) {
    case (false, true):
      (first, runs, isSound) = (found.record, [found.record], true)
    case (true, false): break
    default: runs.append(found.record)
    }
  }

  func covers(_ record: RunRecord) -> Bool {
    isSameScenario(as: record) && first.time.mode == record.time.mode
  }

  func isSameScenario(as record: RunRecord) -> Bool {
    first.scenario.sha256 == record.scenario.sha256 && first.seed == record.seed
  }

  /// Groups stand in the same order whatever the files are called.
  var order: String {
    "\(first.scenario.file)\n\(first.time.mode.rawValue)\n\(first.seed)\n\(first.scenario.sha256)"
  }

  var name: String { Baseline.scenarioName(of: first.scenario.file) }

  /// `slow-copy, seed 7, 5 runs in dilated time (60x)`.
  var title: String {
    "\(name), seed \(first.seed),"
      + " \(counted(runs.count, "run")) in \(VerdictText.time(first.time))"
  }

  func variants(_ name: String) -> [VariantRecord] {
    runs.flatMap(\.variants).filter { $0.name == name }
  }

  func budget(of name: String) -> TimeBudget {
    TimeBudget(
      typicalOf: runs.flatMap { run in
        run.variants.filter { $0.name == name }.map { TimeBudget(of: $0, in: run) }
      })
  }

  /// `2 inconclusive runs of old (old/1, old/3)`, for each verdict that proves nothing.
  func unsoundRuns(of side: String?) -> [String] {
    RunRecord.Verdict.allCases.compactMap { verdict in
      let places = unsound.filter { $0.record.verdict == verdict }.map(\.place)
      guard !places.isEmpty else { return nil }
      return counted(places.count, "\(verdict.rawValue) run")
        + "\(side.map { " of `\($0)`" } ?? "") (\(limited(places, to: 5)))"
    }
  }
}

extension RunRecord {
  /// A run that is in doubt, or was stopped, proves nothing.
  var isSound: Bool { verdict == .passed || verdict == .failed }
}
