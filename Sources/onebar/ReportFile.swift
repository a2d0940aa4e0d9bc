import Captures
import FoundationEssentials
import Glibc

/// A file of text that a command leaves, and in words why it cannot.
enum ReportFile {
  struct CannotWrite: Error, CustomStringConvertible {
    let description: String
  }

  /// `option` is the one that names the folder.
  static func makeFolder(_ path: String, option: String) throws(CannotWrite) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CannotWrite(
        description:
          "\(path) cannot be made: \(cause(error, at: path)); choose another with \(option)")
    }
  }

  /// Replaces the file in one step.
  static func write(_ text: String, to file: String) throws(CannotWrite) {
    do {
      try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw CannotWrite(description: "\(file) cannot be written: \(cause(error, at: file))")
    }
  }

  private static func systemCause(_ error: CocoaError) -> String? {
    guard let error = error.underlying as? POSIXError else { return nil }
    if error.code == .ENOTDIR { return "a file is in the way" }
    return String(cString: strerror(error.code.rawValue))
  }

  private static func cause(_ error: any Error, at path: String) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    return switch error.code {
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteNoPermission, .fileReadNoPermission: "no permission"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "a file of that name is in the way"
    case .fileNoSuchFile: "nothing can be made in \(CaptureFolder.standing(above: path))"
    default: systemCause(error) ?? "error \(error.code.rawValue)"
    }
  }
}
