import JSON

/// What a gate found of one scenario.
package struct GateFinding: Hashable, Sendable {
  /// One thing to tell, and where the scenario's file speaks of it.
  package struct Remark: Hashable, Sendable {
    package var text: String
    /// From 1; nil where the whole file is meant.
    package var line: Int?
    /// Why the gate is not passed; other remarks are for information.
    package var isFatal: Bool

    package init(_ text: String, line: Int? = nil, isFatal: Bool) {
      self.text = text
      self.line = line
      self.isFatal = isFatal
    }
  }

  package var scenario: String
  package var file: String
  package var code: ExitCode
  /// Of the run: passed, failed and so on; `broke` where there was no result.
  package var verdict: String
  package var baseline: String
  package var remarks: [Remark]

  package init(
    scenario: String, file: String, code: ExitCode, verdict: String, baseline: String,
    remarks: [Remark]
  ) {
    self.scenario = scenario
    self.file = file
    self.code = code
    self.verdict = verdict
    self.baseline = baseline
    self.remarks = remarks
  }

  /// Of a run, and of how it stands to the baseline that is, or should be, in a file.
  package init(_ record: RunRecord, _ standing: BaselineStanding, baselineFile: String) {
    let own = ExitCode(record.verdict)
    var remarks = record.doubts.map { Remark("In doubt: \($0)", isFatal: true) }
    // In a run that proves nothing, no expectation has failed.
    if own == .failed {
      remarks += record.expectations.filter { !$0.pass }.map { expectation in
        Remark(
          expectation.why ?? "\(expectation.name) is not \(expectation.expected).",
          line: expectation.line, isFatal: true)
      }
    }
    if own == .interrupted { remarks.append(Remark("The run was interrupted.", isFatal: true)) }
    remarks += standing.sentences(file: baselineFile).map {
      Remark($0, isFatal: standing.code != .passed)
    }
    self.init(
      scenario: Baseline.scenarioName(of: record.scenario.file), file: record.scenario.file,
      code: ExitCode(gravestOf: [own, standing.code]), verdict: record.verdict.rawValue,
      baseline: standing.word, remarks: remarks)
  }

  /// Of a scenario whose run the bench could not make.
  package init(scenario: String, file: String) {
    self.init(
      scenario: scenario, file: file, code: .benchBroke, verdict: "broke", baseline: "–",
      remarks: [Remark("The bench could not make this run.", isFatal: true)])
  }

  /// Of a scenario whose turn had not come, or not come again, when the gate was stopped.
  package init(scenario: String, notBegun file: String) {
    self.init(
      scenario: scenario, file: file, code: .interrupted, verdict: "not run", baseline: "–",
      remarks: [Remark("The gate was interrupted before this run.", isFatal: true)])
  }

  /// Adds what the bench could not do, such as to write the reports; whatever was measured, the gate
  /// is not passed.
  ///
  /// A run that broke after its first variant is one that has not come to its end.
  package mutating func add(broken complaints: [String]) {
    guard !complaints.isEmpty else { return }
    remarks += complaints.map { Remark($0, isFatal: true) }
    code = code == .interrupted ? .benchBroke : ExitCode(gravestOf: [code, .benchBroke])
  }
}

extension GateFinding: ResultObject {
  static var blank: Self {
    Self(scenario: "", file: "", code: .benchBroke, verdict: "", baseline: "", remarks: [])
  }
  static var fields: [ResultField<Self>] {
    [
      .init("scenario", \.scenario), .init("file", \.file),
      .init("code", \.code, "The exit code that it alone would give."),
      .init("verdict", \.verdict), .init("baseline", \.baseline), .init("remarks", \.remarks),
    ]
  }
}

extension GateFinding.Remark: ResultObject {
  static var blank: Self { Self("", isFatal: false) }
  static var fields: [ResultField<Self>] {
    [.init("text", \.text), .init("line", \.line), .init("fatal", \.isFatal)]
  }
}

extension ExitCode: ResultValue {
  static var schema: JSONValue { Int.schema }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard let code = ExitCode(rawValue: Int32(clamping: try Int(json: json, at: path))) else {
      throw Self.mismatch("an exit code", json, path)
    }
    self = code
  }

  var json: JSONValue { JSONValue(Int(rawValue)) }
}
