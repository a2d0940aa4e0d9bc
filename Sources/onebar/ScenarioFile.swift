import Captures
import FoundationEssentials
import Scenarios

/// Scenario files as the command line names them.
enum ScenarioFile {
  /// The largest file that is read, in bytes; the decoder's own limit gives the better message.
  private static let sizeMax = 4_000_000

  static func decode(_ path: String) throws(ArgumentError) -> Result<Scenario, ScenarioErrors> {
    ScenarioDecoder(digest: { sha256(of: $0) }).decode(try read(path), file: path)
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
        throw .badValue(option: path, reason: "there is no such file or folder")
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

  private static func read(_ path: String) throws(ArgumentError) -> [UInt8] {
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
      throw .badValue(option: path, reason: "it is \(data.count) bytes long; is it a scenario?")
    }
    return Array(data)
  }
}
