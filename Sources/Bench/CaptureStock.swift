import Captures
import FoundationEssentials
import Quantities
import Scenarios
import Synchronization

/// The captures of scenarios, made once for all runs of them, in either world.
///
/// They are kept in memory (tmpfs where there is one): a client copies what it saves into its own
/// folder. Of several threads that want the same, one makes them, and the others make what is wanted
/// next meanwhile. A capture depends on the seed and its plan alone, so that it does not matter who
/// made it, and when.
package final class CaptureStock: Sendable {
  /// Bytes of captures that are kept beside those in use, and the newest: as much as all scenarios
  /// that ship have together.
  static let keptMax = 100_000_000

  /// Captures in files, which are removed with the last value that names them.
  struct OnDisk: Sendable {
    var set: CaptureSet
    var path: String
    fileprivate var folder: WorkFolder
  }

  private let shelf: Mutex<Shelf>

  package init() {
    shelf = Mutex(Shelf(bytesMax: Self.keptMax))
  }

  init(keptMax: Int) {
    shelf = Mutex(Shelf(bytesMax: keptMax))
  }

  /// What is kept, the one used last as the last.
  var kept: [(seed: UInt64, isMade: Bool)] {
    shelf.withLock(\.batches).map { batch in
      (batch.kind.seed, batch.content.withLock(\.isMade))
    }
  }

  /// Says what will be wanted after all that was said before, so that it can be made ahead of need.
  func expect(_ scenario: Scenario) {
    shelf.withLock { $0.expect(CaptureKind(scenario)) }
  }

  /// Throws when they cannot be made.
  func captures(of scenario: Scenario) throws -> OnDisk {
    try with(CaptureKind(scenario)) { batch throws in try batch.files() }
  }

  /// The same on the disk of a virtual world.
  func disk(of scenario: Scenario) throws -> (set: CaptureSet, disk: DiskImage) {
    try with(CaptureKind(scenario)) { batch throws in
      (try batch.files().set, try batch.image())
    }
  }

  /// Makes what is wanted next and nobody makes, if there is such a thing and room for it.
  func makeAhead() {
    guard let batch = shelf.withLock({ $0.nextExpected() }) else { return }
    // Who wants them is told why they cannot be made.
    batch.content.withLock { content in _ = try? content.files() }
  }

  private func with<Value: Sendable>(
    _ kind: CaptureKind, _ use: @Sendable (inout CaptureBatch.Content) throws -> Value
  ) throws -> Value {
    let batch = shelf.withLock { $0.batch(of: kind) }
    func result(_ content: inout CaptureBatch.Content) -> Result<Value, any Error> {
      Result { try use(&content) }
    }
    if let made = batch.content.withLockIfAvailable({ result(&$0) }) { return try made.get() }
    makeAhead()
    return try batch.content.withLock { result(&$0) }.get()
  }
}

/// What makes captures the same.
private struct CaptureKind: Hashable {
  var seed: UInt64
  var plans: [CapturePlan]

  init(_ scenario: Scenario) {
    seed = scenario.seed
    plans = scenario.captures.map(\.plan)
  }

  /// About as much as they will be.
  var bytes: Int { plans.flatMap(\.kind.plannedFiles).reduce(0) { $0 + $1.size.bytes } }
}

/// The captures of one kind; whoever holds the lock of the content makes them.
private final class CaptureBatch: Sendable {
  struct Content {
    fileprivate let kind: CaptureKind
    private var made: CaptureStock.OnDisk?
    /// With the files in the folder of captures; nil before it was asked for.
    private var disk: DiskImage?

    var isMade: Bool { made != nil }

    fileprivate init(_ kind: CaptureKind) {
      self.kind = kind
    }

    /// Makes them unless that was done; after a failure the next to ask tries again.
    mutating func files() throws -> CaptureStock.OnDisk {
      if let made { return made }
      let folder = try WorkFolder(inMemory: true)
      let path = try folder.makeFolder("captures")
      let set = try CaptureFolder(path: path).write(kind.plans, seed: kind.seed)
      let files = CaptureStock.OnDisk(set: set, path: path, folder: folder)
      made = files
      return files
    }

    mutating func image() throws -> DiskImage {
      if let disk { return disk }
      let files = try files()
      let names = files.set.captures.flatMap { $0.files.map(\.file.file) }
      var image = DiskImage()
      for name in [CaptureSet.fileName] + names {
        let data = try Data(contentsOf: URL(filePath: "\(files.path)/\(name)"))
        try image.put("\(VirtualVariantRun.capturesFolder)/\(name)", Array(data))
      }
      disk = image
      return image
    }
  }

  let kind: CaptureKind
  let content: Mutex<Content>

  init(_ kind: CaptureKind) {
    self.kind = kind
    content = Mutex(Content(kind))
  }
}

/// What is kept, and what is wanted next.
private struct Shelf {
  let bytesMax: Int
  /// The one used last is the last.
  private(set) var batches: [CaptureBatch] = []
  private var expected: [CaptureKind] = []

  init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  mutating func expect(_ kind: CaptureKind) {
    if expected.last != kind { expected.append(kind) }
  }

  mutating func batch(of kind: CaptureKind) -> CaptureBatch {
    if expected.first == kind { expected.removeFirst() }
    let place = batches.firstIndex { $0.kind == kind }
    let batch = place.map { batches.remove(at: $0) } ?? CaptureBatch(kind)
    batches.append(batch)
    while batches.count > 1, bytes > bytesMax { batches.removeFirst() }
    return batch
  }

  /// Nothing that is in use goes for what is only expected.
  mutating func nextExpected() -> CaptureBatch? {
    while let kind = expected.first {
      guard batches.contains(where: { $0.kind == kind }) else {
        return bytes + kind.bytes > bytesMax ? nil : batch(of: kind)
      }
      expected.removeFirst()
    }
    return nil
  }

  private var bytes: Int { batches.reduce(0) { $0 + $1.kind.bytes } }
}
