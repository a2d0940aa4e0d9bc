import Bench
import FoundationEssentials
import Reports
import Scenarios

/// One run of a scenario that is to be made, and where its reports go.
struct PlannedRun {
  private(set) var run: ScenarioRun
  /// The same on another scale of time.
  let against: ScenarioRun?
  /// Among the repeats of its scenario, from 1.
  let number: Int
  let repeats: Int
  /// The folder of its reports, and the one that it is in.
  let path: String
  private let parent: String
  private(set) var folder: ResultFolder?
  private(set) var otherFolder: ResultFolder?

  /// A run of some variants, one of the repeats, whose reports go to a folder of their own in
  /// `parent`.
  init(
    _ scenario: Scenario, _ variants: [Variant], mode: TimeMode, against other: TimeMode? = nil,
    number: Int = 1, repeats: Int = 1, in parent: String, captures: CaptureStock
  ) {
    func run(_ mode: TimeMode) -> ScenarioRun {
      ScenarioRun(
        scenario, variants: variants, mode: mode, captures: captures, executable: "/proc/self/exe",
        tool: .init(version: Onebar.version))
    }
    self.run = run(mode)
    against = other.map(run)
    self.number = number
    self.repeats = repeats
    self.parent = parent
    path =
      "\(parent)/\(Baseline.scenarioName(of: scenario.file))" + (repeats > 1 ? "-\(number)" : "")
  }

  /// Makes all folders before the first run, which may take half an hour; false when one cannot be
  /// made, which is said.
  ///
  /// Throws when two would have the same.
  static func prepare(_ plans: inout [PlannedRun]) throws(ArgumentError) -> Bool {
    var seen: Set<String> = []
    if let twice = plans.first(where: { !seen.insert($0.path).inserted }) {
      throw .badValue(
        option: "run", reason: "two files would write their reports to \(twice.path); rename one")
    }
    do throws(ReportFile.CannotWrite) {
      for index in plans.indices { try plans[index].prepare() }
    } catch {
      Terminal.complain("\(error)")
      return false
    }
    for plan in plans where plan.number == plan.repeats {
      for other in plan.leftovers {
        Terminal.note(
          "\(other) is of an earlier run; a comparison of \(plan.parent) counts it too, unless you"
            + " remove it or choose another --out")
      }
    }
    return true
  }

  /// Results of the same scenario that this run does not replace: alone, or of more repeats.
  private var leftovers: [String] {
    let name = Baseline.scenarioName(of: run.scenario.file)
    let others = repeats > 1 ? [name, "\(name)-\(repeats + 1)"] : ["\(name)-1"]
    return others.map { "\(parent)/\($0)" }
      .filter { FileManager.default.fileExists(atPath: "\($0)/\(ResultFile.name)") }
  }

  /// `small` of `small-12`; nil of what cannot be one of several repeats.
  static func stem(ofRepeat name: String) -> String? {
    guard let dash = name.lastIndex(of: "-"), Int(name[name.index(after: dash)...]) != nil else {
      return nil
    }
    return String(name[..<dash])
  }

  /// Nothing but virtual time is in it, and so nothing that another thread could disturb.
  var isVirtual: Bool { run.mode.isVirtual && against == nil }

  /// It takes as long as the clock on the wall says, and mostly waits.
  var isReal: Bool { !run.mode.isVirtual && against == nil }

  /// It has to give what the first run of its scenario gave, and then needs no reports of its own.
  var isRepeat: Bool { isVirtual && number > 1 }

  /// The same at another pace, into the folder that was made.
  func paced(_ mode: TimeMode) -> PlannedRun {
    var plan = self
    plan.run = run.paced(mode)
    return plan
  }

  /// Makes its folders; of a repeat, only takes away what an earlier run left.
  mutating func prepare() throws(ReportFile.CannotWrite) {
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
