import Captures
import FoundationEssentials
import Scenarios
import Synchronization

/// The captures of scenarios, made once for all runs of the newest one, in either world.
///
/// They are kept in memory (tmpfs where there is one): a client copies what it saves into its own
/// folder.
package final class CaptureStock: Sendable {
  /// Captures in files, which are removed with the last value that names them.
  struct OnDisk: Sendable {
    var set: CaptureSet
    var path: String
    fileprivate var folder: WorkFolder
  }

  private struct Kind: Hashable {
    var seed: UInt64
    var plans: [CapturePlan]
  }

  private struct Made {
    var kind: Kind
    var files: OnDisk
    /// With the files in the folder of captures; nil before it was asked for.
    var disk: DiskImage?
  }

  private let newest = Mutex<Made?>(nil)

  package init() {}

  /// Throws when they cannot be made.
  func captures(of scenario: Scenario) throws -> OnDisk {
    try newest.withLock { newest in try Self.make(scenario, &newest).files }
  }

  /// The same on the disk of a virtual world.
  func disk(of scenario: Scenario) throws -> (set: CaptureSet, disk: DiskImage) {
    try newest.withLock { newest in
      let made = try Self.make(scenario, &newest)
      if let disk = made.disk { return (made.files.set, disk) }
      let names = made.files.set.captures.flatMap { $0.files.map(\.file.file) }
      var disk = DiskImage()
      for name in [CaptureSet.fileName] + names {
        let data = try Data(contentsOf: URL(filePath: "\(made.files.path)/\(name)"))
        try disk.put("\(VirtualVariantRun.capturesFolder)/\(name)", Array(data))
      }
      newest?.disk = disk
      return (made.files.set, disk)
    }
  }

  private static func make(_ scenario: Scenario, _ newest: inout Made?) throws -> Made {
    let kind = Kind(seed: scenario.seed, plans: scenario.captures.map(\.plan))
    if let newest, newest.kind == kind { return newest }
    newest = nil
    let folder = try WorkFolder(inMemory: true)
    let path = try folder.makeFolder("captures")
    let set = try CaptureFolder(path: path).write(kind.plans, seed: kind.seed)
    let made = Made(kind: kind, files: OnDisk(set: set, path: path, folder: folder))
    newest = made
    return made
  }
}
