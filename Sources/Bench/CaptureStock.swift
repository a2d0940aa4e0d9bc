import Captures
import Scenarios

/// The captures of scenarios, made once for all runs of them.
///
/// Real clients copy what they save out of files into a folder of their own; in the virtual world the
/// captures lie on a simulated disk.
package final class CaptureStock: Sendable {
  /// Bytes of files that are kept beside those in use.
  ///
  /// They are in memory (tmpfs where there is one), of which a container has 64 MB when nobody says
  /// otherwise, and the folders of clients are there too.
  private static let filesMax = 20_000_000
  /// Bytes on simulated disks that are kept: as much as all scenarios that ship have together.
  private static let disksMax = 100_000_000

  /// Captures in files, which are removed with the last value that names them.
  struct OnDisk: Sendable {
    var set: CaptureSet
    var path: String
    fileprivate var folder: WorkFolder
  }

  private let files = CaptureShelf(bytesMax: filesMax) { kind in
    let folder = try WorkFolder(inMemory: true)
    let path = try folder.makeFolder("captures")
    let set = try CaptureFolder(path: path).write(kind.plans, seed: kind.seed)
    return OnDisk(set: set, path: path, folder: folder)
  }

  private let disks = CaptureShelf(bytesMax: disksMax) { kind in
    var disk = DiskImage()
    func put(_ bytes: [UInt8], as name: String) throws {
      try disk.put("\(VirtualVariantRun.capturesFolder)/\(name)", bytes)
    }
    let set = try CaptureMaker(seed: kind.seed).make(kind.plans) { made in
      for file in made.files { try put(file.bytes, as: file.name) }
    }
    try put(try set.json(), as: CaptureSet.fileName)
    return (set: set, disk: disk)
  }

  package init() {}

  /// Says that the captures will be wanted soon, in one world or the other.
  func expect(_ scenario: Scenario, isVirtual: Bool) {
    let kind = CaptureKind(scenario)
    isVirtual ? disks.expect(kind) : files.expect(kind)
  }

  /// Throws when they cannot be made.
  func captures(of scenario: Scenario) throws -> OnDisk {
    try files.captures(CaptureKind(scenario))
  }

  /// The same on the disk of a virtual world.
  func disk(of scenario: Scenario) throws -> (set: CaptureSet, disk: DiskImage) {
    try disks.captures(CaptureKind(scenario))
  }
}
