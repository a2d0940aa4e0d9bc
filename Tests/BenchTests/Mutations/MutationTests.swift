import Bench
import Reports
import Scenarios
import Testing

/// Client, engine, link and gate broken on purpose, one thing at a time: a scenario as it ships turns
/// red, at the expectation that is there for it.
struct MutationTests {
  @Test(arguments: Breakage.all)
  func `what is broken turns a shipped scenario red, there and nowhere else`(
    _ row: Breakage
  ) throws {
    let record = try SmallWorld(shipped: row.scenario).record(of: [row.variant], parts: row.parts)
    let finding = GateFinding(record, .notAsked, baselineFile: "")
    let told = finding.remarks.first {
      $0.text.hasPrefix(row.sentence) && $0.text.contains(row.reason)
    }
    #expect(told?.isFatal == true, "\(finding.remarks)")
    guard let red = row.red else {
      #expect(finding.code == .inconclusive)
      #expect(finding.remarks.count == 1, "\(finding.remarks)")
      return
    }
    #expect(finding.code == .failed)
    let failures = record.expectations.filter { !$0.pass }
    #expect(Set(failures.map(\.name)) == Set([red] + row.also))
    #expect(told?.line == failures.first { $0.name == red }?.line)
  }

  @Test(arguments: Set(Breakage.all.map(\.scenario)).sorted())
  func `unbroken, the same scenario and variant are green`(_ scenario: String) throws {
    let variants = Set(Breakage.all.filter { $0.scenario == scenario }.map(\.variant))
    let record = try SmallWorld(shipped: scenario).record(of: variants.sorted())
    let finding = GateFinding(record, .notAsked, baselineFile: "")
    #expect(finding.code == .passed && finding.remarks.isEmpty, "\(finding.remarks)")
  }

  @Test(arguments: GateBreakage.all)
  func `a gate is red when a result, or what it is held against, is wrong`(
    _ row: GateBreakage
  ) throws {
    let scenario = try SmallWorld.scenario(shipped: row.scenario)
    let file = "reports/baseline/\(row.scenario).virtual.json"
    var record = try ResultFile.record(from: SmallWorld.shipped(file))
    var baseline: RunRecord? = record
    func judged() -> GateFinding {
      record.judge(by: scenario.expectations)
      let standing = baseline.map { Baseline($0).standing(of: record) } ?? .missing
      return GateFinding(record, standing, baselineFile: "b.json")
    }
    let whole = judged()
    #expect(whole.code == .passed && whole.baseline == "same", "\(whole.remarks)")

    row.breaking(&record, &baseline)
    let finding = judged()
    #expect(finding.code == row.code)
    let told = try #require(finding.remarks.first)
    #expect(told.isFatal && told.text.hasPrefix(row.sentence), "\(finding.remarks)")
    let line = scenario.expectations.first { $0.name == row.red }?.line
    #expect(told.line == line)
  }

  @Test func `what a shipped scenario expects is there for something that can break`() throws {
    let names = try SmallWorld.shippedNames() + SmallWorld.shippedNames(in: "virtual/")
    let broken = Set(Breakage.all.compactMap(\.red))
    for name in names {
      for expectation in try SmallWorld.scenario(shipped: name).expectations {
        #expect(
          broken.contains(expectation.name),
          "no breakage turns \(expectation.name) red, which \(name) expects")
      }
    }
    #expect(names.count > 20)
  }
}
