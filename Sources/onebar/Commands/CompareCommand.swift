import FoundationEssentials
import Reports

struct CompareCommand: CommandLineCommand {
  let command = Command(
    ["compare"],
    help: """
      usage: onebar compare A B [OPTIONS]
             onebar compare --in RESULT

      Compares two results variant by variant, or two variants of one result: attempts,
      bytes, times and status lines, each with a verdict for B: better, same, worse.
      A result is a result.json or the folder that holds one.

        --in RESULT   A and B are variants of this result; its first two when none are
                      named. Without it, two names that are no files are variants of the
                      newest result in the folder out
        --markdown    print Markdown instead of plain text

      Times count as the same within what the bench can tell: 1 % and its error budget,
      which is a link second or more in dilated time.

      exit codes: 0 B is nowhere worse, 1 it is, 2 usage or an invalid file, 3 the results
      are of different scenarios or seeds, so there is no verdict, 4 one of them is
      inconclusive or was interrupted

      examples
        onebar compare before after --in out/slow-copy
        onebar compare reports/slow-copy-60x reports/slow-copy-1x
      """,
    options: [.value("--in"), .flag("--markdown")], argument: "RESULT", argumentCount: 0...2)

  func run(_ arguments: Arguments) throws -> ExitCode {
    let report: ComparisonReport
    let names = arguments.positional
    if names.isEmpty, let result = arguments.value("--in") {
      report = try Self.firstTwo(of: try Self.read(result), in: result)
      return tell(report, arguments)
    }
    guard names.count == 2 else {
      throw ArgumentError.tooFewArguments(command: "compare", argument: "RESULT", needed: 2)
    }
    let (left, right) = (names[0], names[1])
    if let result = try variantsResult(left, right, arguments.value("--in")) {
      let record = try Self.read(result)
      guard let found = ComparisonReport(of: record, left: left, right: right) else {
        let known = record.variants.map(\.name).joined(separator: ", ")
        throw ArgumentError.badValue(
          option: result, reason: "it has no variants \(left) and \(right); it has \(known)")
      }
      report = found
    } else {
      report = ComparisonReport(try Self.read(left), try Self.read(right), labels: (left, right))
    }
    return tell(report, arguments)
  }

  private func tell(_ report: ComparisonReport, _ arguments: Arguments) -> ExitCode {
    Terminal.print(arguments.has("--markdown") ? report.markdown : report.plain)
    return report.exitCode
  }

  private static func firstTwo(
    of record: RunRecord, in result: String
  ) throws(ArgumentError) -> ComparisonReport {
    let names = record.variants.prefix(2).map(\.name)
    guard names.count == 2,
      let report = ComparisonReport(of: record, left: names[0], right: names[1])
    else {
      throw .badValue(
        option: result,
        reason: "it has one variant or none, so there is nothing to compare; name two results")
    }
    return report
  }

  /// The result whose variants are compared; nil when two results are.
  private func variantsResult(
    _ left: String, _ right: String, _ given: String?
  ) throws(ArgumentError) -> String? {
    if let given { return given }
    let manager = FileManager.default
    if manager.fileExists(atPath: left) || manager.fileExists(atPath: right) { return nil }
    guard let newest = Self.newestResult(in: RunCommand.defaultFolder) else {
      throw .badValue(
        option: left,
        reason: "there is no such file, and no result in \(RunCommand.defaultFolder) whose variant"
          + " it could be; name one with --in")
    }
    return newest
  }

  private static func newestResult(in folder: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let dated = names.compactMap { name -> (String, Date)? in
      let file = "\(folder)/\(name)/\(ResultFile.name)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      return (attributes?[.modificationDate] as? Date).map { (file, $0) }
    }
    return dated.max { $0.1 < $1.1 }?.0
  }

  private static func read(_ path: String) throws(ArgumentError) -> RunRecord {
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let file = isFolder ? "\(path)/\(ResultFile.name)" : path
    guard exists, let data = FileManager.default.contents(atPath: file) else {
      throw .badValue(option: path, reason: "there is no result to read")
    }
    do {
      return try ResultFile.record(from: String(decoding: data, as: UTF8.self))
    } catch {
      throw .badValue(option: file, reason: "\(error)")
    }
  }
}
