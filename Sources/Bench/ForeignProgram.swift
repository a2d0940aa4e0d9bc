import EventLoop
import Glibc
package import Scenarios

/// Finds the program of a command.
///
/// A name without a slash is looked for in PATH; a path is taken from the folder of the scenario.
package enum ForeignProgram {
  /// What the kernel reads of a script to find its interpreter, in bytes.
  private static let headMax = 256

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
      if let interpreter = interpreter(of: path), interpreter.hasPrefix("/"),
        access(interpreter, F_OK) != 0
      {
        return refusal(
          interpreter.hasSuffix("\r")
            ? "its lines end with CR LF; end them with LF"
            : "its first line names \(interpreter), and there is no such file")
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

  /// What the first line of a script names to run it (execve(2)); nil of anything else.
  private static func interpreter(of script: String) -> String? {
    guard let file = try? Descriptor(open(script, O_RDONLY | O_CLOEXEC), doing: "reading a script")
    else { return nil }
    let head = [UInt8](unsafeUninitializedCapacity: headMax) { buffer, filled in
      filled = max(0, read(file.number, buffer.baseAddress, headMax))
    }
    guard head.starts(with: "#!".utf8) else { return nil }
    let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    return line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isFile(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }

  /// Why a program was not executed that was found.
  static func words(for failure: SystemFailure) -> String {
    failure.code == ENOEXEC
      ? "\(failure): it is no program of this machine, and no script whose first line names what runs it,"
        + " as #!/bin/sh does" : "\(failure)"
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
