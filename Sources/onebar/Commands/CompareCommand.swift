import FoundationEssentials
import Quantities
import Reports

struct CompareCommand: CommandLineCommand {
  let command = Command(
    ["compare"],
    help: """
      usage: onebar compare A B [OPTIONS]
             onebar compare --in RESULT [A B] [OPTIONS]

      Compares two results variant by variant, or two variants of one: attempts, bytes,
      times and status lines, with a sentence and a verdict for B each: better, same,
      worse or inconclusive. A result is a result.json, the folder that holds one, or a
      folder of such folders, as onebar run --repeat and onebar gate leave it. Results of
      one scenario, seed and kind of time are repeats of each other.

        --in RESULT   A and B are variants of this result; its first two when none are
                      named. Without it, two names that are no files are variants of the
                      newest result in the folder out, and of its repeats
        --out DIR     write compare.html, compare.md and compare.json there
        --markdown    print Markdown instead of plain text
        --json        print compare.json; its schema is onebar scenario schema --comparison

      Counts are exact. Over several runs a time or a size is better or worse when the 95 %
      interval of the difference of the means (Welch's) leaves out zero, and the difference
      is more than 1 % of a time and the error budget, a link second or more in dilated
      time, or more than 0.5 % and a packet of bytes; it is the same when the interval lies
      within that, and else inconclusive, with the number of runs that would settle it: a
      folder inside the first takes them.
      One run has no interval: its times are the same within 1 % and the budget. Results of
      virtual time are compared to the last byte.

      exit codes: 0 B is nowhere worse, 1 it is, 2 usage or an invalid file, 3 results are
      of different scenarios or seeds, or there are none to compare, 4 inconclusive: runs
      vary too much, prove nothing, or one of several cannot be read

      examples
        onebar compare before after --in out/slow-copy
        onebar run scenarios/turn-503.yaml --repeat 5 --out old
        onebar run scenarios/turn-503.yaml --repeat 5 --out new
        onebar compare old new --out difference
        onebar run scenarios/turn-503.yaml --repeat 5 --out new/more
      """,
    options: [.value("--in"), .value("--out"), .flag("--markdown"), .flag("--json")],
    argument: "RESULT", argumentCount: 0...2)

  func run(_ arguments: Arguments) throws -> ExitCode {
    if arguments.has("--markdown"), arguments.has("--json") {
      throw ArgumentError.badValue(
        option: "--json", reason: "--markdown prints something else; choose one, or --out for both")
    }
    let report = try report(arguments.positional, in: arguments.value("--in"))
    if arguments.has("--json") {
      Terminal.print(ComparisonFile(report).text)
    } else {
      Terminal.print(arguments.has("--markdown") ? report.markdown : report.plain)
    }
    guard let out = arguments.value("--out") else { return report.exitCode }
    do {
      try ComparisonFolder(path: out).write(report)
    } catch {
      Terminal.complain("\(error)")
      return .benchBroke
    }
    Terminal.note("reports: \(out)")
    return report.exitCode
  }

  private func report(_ names: [String], in given: String?) throws -> ComparisonReport {
    if names.isEmpty, let given {
      let set = try ResultSearch.read(given)
      let first = set.results.first?.record.variants.prefix(2).map(\.name) ?? []
      guard first.count == 2 else {
        throw ArgumentError.badValue(
          option: given,
          reason: "it has one variant or none, so there is nothing to compare; name two results")
      }
      return try Self.variants(first[0], first[1], of: set, isNamed: true)
    }
    guard names.count == 2 else {
      throw ArgumentError.tooFewArguments(command: "compare", argument: "RESULT", needed: 2)
    }
    if let set = try variantsSet(names[0], names[1], given) {
      return try Self.variants(names[0], names[1], of: set, isNamed: given != nil)
    }
    return ComparisonReport(try ResultSearch.read(names[0]), try ResultSearch.read(names[1]))
  }

  private static func variants(
    _ left: String, _ right: String, of set: ResultSet, isNamed: Bool
  ) throws(ArgumentError) -> ComparisonReport {
    if let report = ComparisonReport(of: set, left: left, right: right) { return report }
    let known = set.results.flatMap(\.record.variants).map(\.name).distinct
    let fact = "has no variants \(left) and \(right); it has \(known.joined(separator: ", "))"
    guard !isNamed else { throw .badValue(option: set.label, reason: "it \(fact)") }
    throw .badValue(
      option: left, reason: "there is no such file or folder, and \(set.label) \(fact)")
  }

  /// The results whose variants are compared; nil when the names are results.
  private func variantsSet(
    _ left: String, _ right: String, _ given: String?
  ) throws(ArgumentError) -> ResultSet? {
    if let given { return try ResultSearch.read(given) }
    let manager = FileManager.default
    if manager.fileExists(atPath: left) || manager.fileExists(atPath: right) { return nil }
    guard let newest = try ResultSearch.newest(in: RunCommand.defaultFolder) else {
      throw .badValue(
        option: left,
        reason: "there is no such file, and no result in \(RunCommand.defaultFolder) whose variant"
          + " it could be; name one with --in")
    }
    return newest
  }
}
