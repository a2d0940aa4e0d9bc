import Captures
import FoundationEssentials
import Scenarios

/// The captures of the newest scenario, made once for all of its runs, in either world.
///
/// They are kept in memory (tmpfs where there is one): a client copies what it saves into its own
/// folder.
package final class CaptureStock {
  struct MadeFile {
    var name: String
    var bytes: [UInt8]
  }

  private struct Kind: Hashable {
    var seed: UInt64
    var plans: [CapturePlan]
  }

  private struct Made {
    var kind: Kind
    var set: CaptureSet
    /// Where the files are, inside the folder that is removed with this value.
    var path: String
    var folder: WorkFolder
  }

  private var newest: Made?
  private var files: (kind: Kind, files: [MadeFile])?

  package init() {}

  /// Throws when they cannot be made.
  func captures(of scenario: Scenario) throws -> (set: CaptureSet, folder: String) {
    let made = try make(scenario)
    return (made.set, made.path)
  }

  /// The same with the bytes of every file.
  func files(of scenario: Scenario) throws -> (set: CaptureSet, files: [MadeFile]) {
    let made = try make(scenario)
    if let files, files.kind == made.kind { return (made.set, files.files) }
    let names = made.set.captures.flatMap { [$0.original, $0.copy, $0.document] }
      .compactMap { $0?.file }
    let read = try ([CaptureSet.fileName] + names).map { name in
      let path = "\(made.path)/\(name)"
      return MadeFile(name: name, bytes: Array(try Data(contentsOf: URL(filePath: path))))
    }
    files = (made.kind, read)
    return (made.set, read)
  }

  private func make(_ scenario: Scenario) throws -> Made {
    let kind = Kind(seed: scenario.seed, plans: scenario.captures.map(\.plan))
    if let newest, newest.kind == kind { return newest }
    (newest, files) = (nil, nil)
    let folder = try WorkFolder(inMemory: true)
    let path = try folder.makeFolder("captures")
    let set = try CaptureFolder(path: path).write(kind.plans, seed: kind.seed)
    let made = Made(kind: kind, set: set, path: path, folder: folder)
    newest = made
    return made
  }
}
