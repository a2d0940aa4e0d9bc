/// The modules of `Sources`, in the order of dependency: each may import only those above it.
enum Modules {
  static let pure = [
    "Quantities", "JSON", "LinkModel", "Captures", "ScratchHTTP", "ScratchEngine", "Uploads",
    "Scenarios",
    "Reports",
  ]
  static let order =
    pure + [
      "EventLoop", "ThrottlingProxy", "EngineServer", "UploadAdapters", "Bench", "onebar",
      "linkbench",
    ]

  /// Modules from outside that pure code may not import, and what it does instead.
  static let bannedInPure = [
    ("Glibc", "values that are passed in"), ("Musl", "values that are passed in"),
    ("Foundation", "FoundationEssentials"), ("FoundationNetworking", "the Transport protocol"),
    ("Dispatch", "structured concurrency"), ("CLinux", "a protocol that the caller fills"),
    ("CCurl", "the Transport protocol"),
  ]

  /// The module that a line of code imports; nil when it imports none.
  static func imported(by line: String) -> String? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard let position = words.firstIndex(of: "import"),
      words[..<position].allSatisfy({ $0.hasPrefix("@") || access.contains(String($0)) }),
      let last = words.dropFirst(position + 1).first(where: { !kinds.contains(String($0)) })
    else { return nil }
    return last.split(separator: ".").first.map { $0.filter { $0 != ";" } }
  }

  private static let access = ["package", "public", "internal", "fileprivate", "private"]
  private static let kinds = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
  ]

  /// Imports of a file of `module` that point the wrong way.
  static func findings(in source: SwiftSource, of module: String) -> [Finding] {
    source.code.enumerated().compactMap { index, line in
      guard let other = imported(by: line), other != module else { return nil }
      func finding(_ message: String) -> Finding {
        Finding(path: source.path, line: index + 1, message: message)
      }
      guard let own = order.firstIndex(of: module) else {
        return finding("\(module) is no module of Tests/TidyTests/Modules.swift; enter it there")
      }
      if let place = order.firstIndex(of: other), place > own {
        return finding(
          "\(module) imports \(other), which stands below it; move the type up, or pass a value")
      }
      if pure.contains(module), let (_, instead) = bannedInPure.first(where: { $0.0 == other }) {
        return finding("\(other) is banned in pure modules, use \(instead)")
      }
      return nil
    }
  }
}
