import UploadAdapters
import Uploads

/// The files that a user means by files and folders.
struct FilesToAdd {
  /// In the order in which they were named, those of a folder by their names.
  private(set) var paths: [String] = []
  /// What cannot be meant, in words.
  private(set) var refused: [(path: String, reason: String)] = []
  /// Files of folders that are no photos by their names.
  private(set) var passedOver = 0

  init(_ named: [String], on files: PosixFileSystem) {
    for path in named.map(ClientByHand.withoutSlash) {
      do throws(FileSystemError) {
        switch try files.kind(of: path) {
        case .file: paths.append(path)
        case .folder: try open(path, files)
        case .other: refused.append((path, "\(path): it is neither a file nor a folder"))
        case nil: throw FileSystemError(path: path, cause: .notFound)
        }
      } catch {
        refused.append((path, "\(error)"))
      }
    }
  }

  /// Takes every file that is a photo by its name, without those below; hidden ones are left.
  private mutating func open(_ folder: String, _ files: PosixFileSystem) throws(FileSystemError) {
    for name in try files.list(folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      let isPhoto = [".jpg", ".jpeg"].contains { name.lowercased().hasSuffix($0) }
      guard isPhoto else {
        passedOver += 1
        continue
      }
      switch try files.kind(of: path) {
      case .file: paths.append(path)
      case .folder, .other: refused.append((path, "\(path): it is no file"))
      case nil:
        refused.append((path, "\(path): it leads nowhere, or its name is not UTF-8"))
      }
    }
  }
}
