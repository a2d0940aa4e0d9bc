import Foundation

/// A real browser, where there is one: headless Chromium (the Debian package chromium).
enum Browser {
  static let executable: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").lazy
    .flatMap { folder in ["chromium", "chromium-browser"].map { "\(folder)/\($0)" } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Visit {
    /// The document as it stands once its scripts have run.
    var document: String
    /// What was said on the console, errors of scripts and of loading among it.
    var console: [String]
  }

  /// Opens a file of the scratch folder.
  static func visit(_ name: String, in scratch: Scratch) throws -> Visit {
    let process = Process()
    let output = Pipe()
    let errors = "\(scratch.path)/browser.log"
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.executableURL = URL(filePath: executable ?? "chromium")
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--user-data-dir=\(scratch.path)/browser", "--window-size=1700,900",
      "--virtual-time-budget=5000", "--enable-logging=stderr", "--dump-dom",
      "file://\(scratch.path)/\(name)",
    ]
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    let document = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let said = scratch.text(of: "browser.log").split(separator: "\n")
      .filter { $0.contains("CONSOLE") }
    return Visit(document: document, console: said.map(String.init))
  }
}
