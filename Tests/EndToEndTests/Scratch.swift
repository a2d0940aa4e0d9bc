import FoundationEssentials
import Glibc
import Reports

/// A folder of one test, with all that its processes write; removed at the end of its life.
final class Scratch: Sendable {
  struct CannotMake: Error {
    let path: String
  }

  /// What a run leaves in its folder.
  static let reports = [
    "junit.xml", "ledger.jsonl", "report.html", "report.md", "requests.har", "result.json",
    "trace.json",
  ]

  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/onebar-end-to-end-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CannotMake(path: parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    _ = try folder("temporary")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    return "\(path)/\(name)"
  }

  func write(_ text: String, as name: String) throws {
    try write(Array(text.utf8), as: name)
  }

  func write(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
  }

  func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/\(name)")
  }

  func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
  }

  /// The text of a file; empty when there is none.
  func text(of name: String) -> String {
    FileManager.default.contents(atPath: "\(path)/\(name)").map {
      String(decoding: $0, as: UTF8.self)
    } ?? ""
  }

  /// The result that a run of the scenario `name` left in `folder`.
  func result(of name: String, in folder: String = "out") throws -> RunRecord {
    try ResultFile.record(from: text(of: "\(folder)/\(name)/\(ResultFile.name)"))
  }
}

extension Scratch {
  static func names(ofFilesIn folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  static func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }
}
