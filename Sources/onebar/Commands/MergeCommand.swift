import FoundationEssentials
import Reports

struct MergeCommand: CommandLineCommand {
  let command = Command(
    ["merge"],
    help: """
      usage: onebar merge DIR... [OPTIONS]

      Puts together what the parts of one gate found: the gate.json in each folder, and in
      the folders right below it. Every part has to be there, once.

        --out DIR   where gate.json and gate.md of the whole go; default out
        --quiet     no summary

      exit codes: the gravest of the parts; 2 when one is missing, is there twice, or
      belongs to another gate

      example
        onebar gate scenarios --shard 1/2 --out parts/1
        onebar gate scenarios --shard 2/2 --out parts/2
        onebar merge parts --out out
      """,
    options: [.value("--out"), .flag("--quiet")], argument: "DIR", argumentCount: 1...1_000)

  func run(_ arguments: Arguments) throws -> ExitCode {
    var parts: [GateReport] = []
    for path in arguments.positional {
      let found = Self.find(path)
      guard !found.isEmpty else {
        throw ArgumentError.badValue(
          option: path, reason: "there is no \(GateReport.name) in it, nor in a folder in it")
      }
      for file in found {
        let bytes = try ScenarioFile.read(file, sizeMax: 64_000_000)
        do {
          parts.append(try GateReport(parsing: String(decoding: bytes, as: UTF8.self)))
        } catch {
          throw ArgumentError.badValue(option: file, reason: "\(error)")
        }
      }
    }
    let whole: GateReport
    do throws(GateMergeError) {
      whole = try GateReport(merging: parts)
    } catch {
      throw ArgumentError.badValue(option: "merge", reason: "\(error)")
    }
    return GateFolder(path: arguments.value("--out") ?? RunCommand.defaultFolder).tell(
      whole, to: .own, quiet: arguments.has("--quiet"))
  }

  private static func find(_ path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return ([path] + names.sorted().map { "\(path)/\($0)" }).map { "\($0)/\(GateReport.name)" }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }
}
