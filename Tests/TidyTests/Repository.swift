import FoundationEssentials

/// The repository that this test was built from.
struct Repository {
  let root: String

  /// Two folders above `Tests/TidyTests`.
  init(file: String = #filePath) {
    root = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
  }

  func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// Names inside a folder, sorted.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").sorted()
  }

  /// Every Swift file below a folder, sorted by path.
  func sources(in folder: String) throws -> [SwiftSource] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { SwiftSource(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/\(path)")
  }

  /// The pages for readers: those at the root, of the scenarios and of the reports.
  func pages() throws -> [Page] {
    try ["", "scenarios/", "reports/"].flatMap { folder in
      try names(in: folder).filter { $0.hasSuffix(".md") }
        .map { Page(path: folder + $0, text: try text(folder + $0)) }
    }
  }
}
