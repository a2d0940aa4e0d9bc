import JSON

/// All that a gate found: a table first, then a sentence for each thing that is wrong.
package struct GateReport: Hashable, Sendable {
  package static let name = "gate.json"
  package static let summaryName = "gate.md"
  /// Remarks that a summary shows of one scenario.
  static let remarkLimit = 20
  /// The whole summary has fewer bytes: CI systems cut longer ones.
  static let byteLimit = 64_000

  package var shard: Shard
  /// In the order of the command line.
  package var findings: [GateFinding]

  package init(shard: Shard = .whole, findings: [GateFinding]) {
    self.shard = shard
    self.findings = findings
  }

  /// Of the parts of one gate; throws a sentence when they are not all of its parts, each once.
  package init(merging parts: [GateReport]) throws(GateMergeError) {
    guard let count = parts.first?.shard.count else { throw .nothing }
    for part in parts where part.shard.count != count {
      throw .unlike(part.shard, count)
    }
    for number in 1...count {
      switch parts.count(where: { $0.shard.number == number }) {
      case 1: continue
      case 0: throw .missing(Shard(number: number, count: count))
      default: throw .twice(Shard(number: number, count: count))
      }
    }
    self.init(
      findings: parts.sorted { $0.shard.number < $1.shard.number }.flatMap(\.findings)
        .sorted { $0.file < $1.file })
  }

  package var code: ExitCode { ExitCode(gravestOf: findings.map(\.code)) }

  /// One sentence over all.
  package var sentence: String {
    let passed = findings.count { $0.code == .passed }
    let part = shard.count > 1 ? " of part \(shard.text)" : ""
    if findings.isEmpty { return "No scenario falls to this part (\(shard.text))." }
    return passed == findings.count
      ? "The gate is passed: \(counted(passed, "scenario"))\(part)."
      : "The gate is not passed: \(findings.count - passed) of"
        + " \(counted(findings.count, "scenario"))\(part)."
  }

  package var markdown: String {
    let table = ReportTable(
      header: ["scenario", "verdict", "against the baseline", "gate"],
      rows: findings.map { [$0.scenario, $0.verdict, $0.baseline, Self.word($0.code)] })
    var text = "# \(sentence)\n\n" + (findings.isEmpty ? "" : table.markdown)
    for finding in findings where !finding.remarks.isEmpty {
      text += "\n## \(finding.scenario)\n\n"
      for remark in finding.remarks.prefix(Self.remarkLimit) {
        let place = remark.line.map { "`\(finding.file):\($0)` " } ?? ""
        text += "- \(place)\(ReportTable.markdownText(remark.text))\n"
      }
      let left = finding.remarks.count - Self.remarkLimit
      if left > 0 { text += "- and \(left) more in \(Self.name)\n" }
    }
    return cut(
      text, below: Self.byteLimit, note: "\nCut; the whole is in \(Self.name).\n")
  }

  /// For a terminal or a plain log.
  package var plain: String {
    var text = ""
    for finding in findings {
      text += "\(Self.word(finding.code)): \(finding.scenario): \(finding.verdict)"
      text += finding.baseline == "–" ? "\n" : ", baseline \(finding.baseline)\n"
      for remark in finding.remarks {
        let place = remark.line.map { "\(finding.file):\($0): " } ?? ""
        text += listItem(place + remark.text, width: TerminalSummary.width)
      }
    }
    return text + "\(sentence)\n"
  }

  /// Workflow commands that put each failure beside its line in GitHub's view of the change.
  package var annotations: String {
    findings.flatMap { finding in
      finding.remarks.filter(\.isFatal).map { remark in
        let kind = finding.code == .failed ? "error" : "warning"
        let line = remark.line.map { ",line=\($0)" } ?? ""
        return "::\(kind) file=\(Self.property(finding.file))\(line)"
          + ",title=\(Self.property(finding.scenario))::\(Self.data(remark.text))\n"
      }
    }.joined()
  }

  private static func word(_ code: ExitCode) -> String {
    switch code {
    case .passed: "pass"
    case .failed: "FAIL"
    case .usage: "invalid"
    case .noBaseline: "no baseline"
    case .inconclusive: "inconclusive"
    case .benchBroke: "bench broke"
    case .interrupted: "interrupted"
    }
  }

  /// A line end would end the command.
  private static func data(_ text: String) -> String {
    text.map { character in
      switch character {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case "\r\n": "%0D%0A"
      default: String(character)
      }
    }.joined()
  }

  private static func property(_ text: String) -> String {
    data(text).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }
}

/// Why parts make no whole gate.
package enum GateMergeError: Error, Hashable, CustomStringConvertible {
  case nothing
  case unlike(Shard, Int)
  case missing(Shard)
  case twice(Shard)

  package var description: String {
    switch self {
    case .nothing: "there is no \(GateReport.name) to merge"
    case .unlike(let shard, let count): "part \(shard.text) does not go with parts of \(count)"
    case .missing(let shard): "part \(shard.text) is missing; did its job end before it wrote?"
    case .twice(let shard): "part \(shard.text) is there twice; merge the folders of one gate only"
    }
  }
}

// MARK: The file

extension GateReport: ResultObject {
  static var blank: Self { Self(findings: []) }
  static var fields: [ResultField<Self>] {
    [.init("shard", \.shard), .init("findings", \.findings)]
  }

  /// `gate.json`.
  package var fileText: String { json.text }

  /// Throws `JSONError` with line and column, or ``ResultFileError`` with the field's path.
  package init(parsing text: String) throws {
    try self.init(json: try JSONValue(parsing: text), at: "")
  }
}
