import FoundationEssentials

/// A folder with the files of captures and `captures.json`.
package struct CaptureFolder: Sendable {
  /// Bytes; thousands of captures.
  package static let longestTruth = 10_000_000

  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Makes the captures and writes them, `captures.json` last; creates the folder if need be.
  ///
  /// A file of the same name is replaced. On failure what this call wrote is removed again.
  package func write(_ plans: [CapturePlan], seed: UInt64) throws -> CaptureSet {
    let manager = FileManager.default
    let existed = manager.fileExists(atPath: path)
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CaptureError.folder(
        path: path, cause: "cannot be created: \(Self.words(error, creating: path))")
    }
    var written: [String] = []
    do {
      let set = try CaptureMaker(seed: seed).make(plans) { made in
        for file in made.files { try write(file.bytes, as: file.name, &written) }
      }
      try write(try set.json(), as: CaptureSet.fileName, &written)
      return set
    } catch {
      // What cannot be removed stays; the first failure is the one to tell.
      for file in written { try? manager.removeItem(atPath: file) }
      if !existed { try? manager.removeItem(atPath: path) }
      throw error
    }
  }

  /// Reads `captures.json`.
  package func read() throws -> CaptureSet {
    let file = "\(path)/\(CaptureSet.fileName)"
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: file))
    } catch {
      throw CaptureError.folder(path: file, cause: "cannot be read: \(Self.words(error))")
    }
    guard data.count <= Self.longestTruth else {
      throw CaptureError.folder(
        path: file, cause: "is \(data.count) bytes long, which no list of captures is")
    }
    return try CaptureSet(json: Array(data))
  }

  private func write(_ bytes: [UInt8], as name: String, _ written: inout [String]) throws {
    let file = "\(path)/\(name)"
    do {
      try Data(bytes).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw CaptureError.folder(path: file, cause: "cannot be written: \(Self.words(error))")
    }
    written.append(file)
  }

  /// The nearest folder above a path that is there: what is missing can only be made in it.
  package static func standing(above path: String) -> String {
    var parent = path
    repeat {
      let parts = parent.split(separator: "/").dropLast()
      parent = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
      if parts.isEmpty { return path.hasPrefix("/") ? "/" : "." }
    } while !FileManager.default.fileExists(atPath: parent)
    return parent
  }

  private static func words(_ error: any Error, creating path: String? = nil) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    return switch error.code {
    case .fileNoSuchFile where path != nil:
      "no folder can be made in \(standing(above: path ?? ""))"
    case .fileNoSuchFile, .fileReadNoSuchFile: "it does not exist"
    case .fileReadNoPermission, .fileWriteNoPermission: "no permission"
    case .fileWriteOutOfSpace: "no space left on the disk"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "a file is in the way"
    default: "error \(error.code.rawValue)"
    }
  }
}
