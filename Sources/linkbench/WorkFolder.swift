import Foundation

/// A folder for the configurations of peers, gone at the end of its life.
final class WorkFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "linkbench-\(getpid())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and gives its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try (text + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }
}

func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
