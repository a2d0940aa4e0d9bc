import Bench
import Captures
import FoundationEssentials
import LinkModel
import Reports
import Scenarios
import ScratchEngine

/// Scenario files as the command line names them.
enum ScenarioFile {
  /// The largest file that is read, in bytes; the decoder's own limit gives the better message.
  private static let sizeMax = 4_000_000
  /// A trace with as many lines as it may have, of nine characters.
  private static let traceSizeMax = 10 * Trace.linesMax

  static func decode(_ path: String) throws(ArgumentError) -> Result<Scenario, ScenarioErrors> {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return ScenarioDecoder(
      digest: { sha256(of: $0) },
      load: { name in try? read(name.hasPrefix("/") ? name : folder + name, sizeMax: traceSizeMax) }
    ).decode(try read(path, sizeMax: sizeMax), file: path)
  }

  static func decodeScript(
    _ path: String
  ) throws(ArgumentError) -> Result<EngineScript, ScenarioErrors> {
    ScenarioDecoder.decodeScript(try read(path, sizeMax: sizeMax), file: path)
  }

  /// Whether these variants of a scenario can be run in all of these modes; prints every reason why
  /// not.
  static func allows(_ scenario: Scenario, _ variants: [Variant], in modes: [TimeMode]) -> Bool {
    let refusals =
      modes.compactMap { scenario.refusal(of: variants, in: $0) }
      + [ForeignProgram.refusal(of: variants, in: scenario)].compactMap(\.self)
    for refusal in refusals { Terminal.note("\(refusal)") }
    return refusals.isEmpty
  }

  /// Reads all of the files.
  ///
  /// Prints every error of every file; nil when there was one.
  static func decodeAll(_ paths: [String]) throws(ArgumentError) -> [Scenario]? {
    var scenarios: [Scenario] = []
    var isValid = true
    for path in paths {
      switch try decode(path) {
      case .success(let scenario): scenarios.append(scenario)
      case .failure(let errors):
        Terminal.note("\(errors)")
        isValid = false
      }
    }
    return isValid ? scenarios : nil
  }

  /// The scenario files at the paths: files as they are, and the `.yaml` files of folders.
  static func find(_ paths: [String]) throws(ArgumentError) -> [String] {
    var files: [String] = []
    for path in paths {
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        let meant = ["\(path).yaml", "scenarios/\(path)", "scenarios/\(path).yaml"]
          .first { FileManager.default.fileExists(atPath: $0) }
        throw .badValue(
          option: path,
          reason: "there is no such file or folder" + (meant.map { "; did you mean \($0)?" } ?? ""))
      }
      guard isFolder else {
        files.append(path)
        continue
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let found = names.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(path)/\($0)" }
      guard !found.isEmpty else {
        throw .badValue(option: path, reason: "the folder holds no .yaml file")
      }
      files += found
    }
    return files
  }

  /// A line for each folder in the folders that holds scenario files, which no command takes with it.
  static func foldersWithin(_ paths: [String]) -> String {
    let manager = FileManager.default
    return paths.flatMap { path in
      ((try? manager.contentsOfDirectory(atPath: path)) ?? []).sorted().compactMap { name in
        let inside = (try? manager.contentsOfDirectory(atPath: "\(path)/\(name)")) ?? []
        let count = inside.count { $0.hasSuffix(".yaml") }
        return count > 0 ? "\(path)/\(name) holds \(counted(count, "file")) more\n" : nil
      }
    }.joined()
  }

  /// The trace in a file, as it is.
  static func trace(_ path: String) throws(ArgumentError) -> Trace {
    let bytes = try read(path, sizeMax: traceSizeMax)
    do throws(TraceError) {
      return try Trace(parsing: bytes)
    } catch {
      throw .badValue(option: path, reason: error.description)
    }
  }

  /// The bytes of a file that the command line names.
  static func read(_ path: String, sizeMax: Int = sizeMax) throws(ArgumentError) -> [UInt8] {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .badValue(option: path, reason: "there is no such file")
    }
    guard !isFolder else {
      throw .badValue(option: path, reason: "it is a folder; name the files in it")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badValue(option: path, reason: "it cannot be read; check its permissions")
    }
    guard data.count <= sizeMax else {
      throw .badValue(
        option: path, reason: "it is \(data.count) bytes long; more than \(sizeMax) are not read")
    }
    return Array(data)
  }
}
