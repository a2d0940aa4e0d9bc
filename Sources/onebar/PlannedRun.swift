import Bench

/// One run of a scenario that is to be made, and where its reports go.
struct PlannedRun {
  let run: ScenarioRun
  /// The same on another scale of time.
  let against: ScenarioRun?
  /// Among the repeats of its scenario, from 1.
  let number: Int
  let repeats: Int
  /// The folder of its reports.
  let path: String
  private(set) var folder: ResultFolder?
  private(set) var otherFolder: ResultFolder?

  init(run: ScenarioRun, against: ScenarioRun?, number: Int, repeats: Int, path: String) {
    self.run = run
    self.against = against
    self.number = number
    self.repeats = repeats
    self.path = path
  }

  /// Nothing but virtual time is in it, and so nothing that another thread could disturb.
  var isVirtual: Bool { run.mode.isVirtual && against == nil }

  /// It has to give what the first run of its scenario gave, and then needs no reports of its own.
  var isRepeat: Bool { isVirtual && number > 1 }

  /// Makes its folders; of a repeat, only takes away what an earlier run left.
  mutating func prepare() throws(ResultFolder.CannotWrite) {
    if isRepeat {
      ResultFolder.clear(path)
      return
    }
    folder = try ResultFolder(preparing: path)
    if let against {
      otherFolder = try ResultFolder(preparing: "\(path)/\(against.asked.text)")
    }
  }
}
