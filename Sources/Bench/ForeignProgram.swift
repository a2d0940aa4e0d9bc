import FoundationEssentials
import Glibc
package import Scenarios

/// Finds the program of a command.
///
/// A name without a slash is looked for in PATH; a path is taken from the folder of the scenario.
package enum ForeignProgram {
  struct NotFound: Error {
    var program: String
    var reason: String
  }

  /// Where a scenario's commands are run: the folder of its file, as a whole path.
  static func folder(of scenario: Scenario) -> String {
    let folder = scenario.file.lastIndex(of: "/").map { String(scenario.file[...$0]) } ?? "./"
    guard let real = realpath(folder, nil) else { return folder }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path of a program, or why there is none.
  static func path(_ program: String, in folder: String) -> Result<String, NotFound> {
    func refusal(_ reason: String) -> Result<String, NotFound> {
      .failure(NotFound(program: program, reason: reason))
    }
    if program.contains("/") {
      let path = program.hasPrefix("/") ? program : "\(folder)/\(program)"
      guard access(path, F_OK) == 0 else {
        return refusal(
          program.hasPrefix("/")
            ? "there is no such file" : "there is no such file in \(folder), where this file is")
      }
      guard isFile(path) else { return refusal("it is a folder") }
      guard access(path, X_OK) == 0 else {
        return refusal("it is not executable; allow it with chmod +x")
      }
      return .success(path)
    }
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")
      .split(separator: ":")
    for folder in folders {
      let path = "\(folder)/\(program)"
      if access(path, X_OK) == 0, isFile(path) { return .success(path) }
    }
    return refusal(
      "no folder in PATH has such a program; install it, or write its path, such as ./\(program)")
  }

  private static func isFile(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }

  /// Why commands among these variants cannot be executed, an error for each; nil when they can.
  package static func refusal(of variants: [Variant], in scenario: Scenario) -> ScenarioErrors? {
    var problems = ProblemList()
    for case let client? in variants.map(\.command) {
      let program = client.command[0]
      guard case .failure(let missing) = path(program.text, in: folder(of: scenario)) else {
        continue
      }
      problems.add(.noProgram(missing.program, reason: missing.reason), at: program.mark)
    }
    return problems.items.isEmpty ? nil : ScenarioErrors(problems, file: scenario.file)
  }
}
