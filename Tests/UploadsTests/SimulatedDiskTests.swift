import Quantities
import TestSupport
import Testing
import Uploads

@testable import Bench

struct SimulatedDiskTests {
  private let bytes = seededBytes(2_000, seed: 1).map { $0 | 1 }

  /// The states of a disk after a loss of power, by 200 seeds, each once.
  private func states(
    _ work: (SimulatedDisk) throws -> Void
  ) throws -> Set<[String: [UInt8]]> {
    var states: Set<[String: [UInt8]]> = []
    for seed in 0..<UInt64(200) {
      let disk = SimulatedDisk()
      try disk.put("/d/old", [1])
      try work(disk)
      var random = SeededRandom(seed: seed)
      disk.losePower(&random)
      var state: [String: [UInt8]] = [:]
      for path in disk.paths { state[path] = disk.bytes(of: path) }
      states.insert(state)
    }
    return states
  }

  @Test func `bytes that were not synced are lost in part, zeroed in part, or whole`() throws {
    let states = try states { disk in
      try disk.create("/d/f", bytes)
      try disk.sync("/d")
    }
    let left = states.map { $0["/d/f"] ?? [9] }
    #expect(left.contains([]))
    #expect(left.contains(bytes))
    let torn = left.filter { !$0.isEmpty && $0.count < bytes.count }
    #expect(!torn.isEmpty && torn.allSatisfy { bytes.starts(with: $0) })
    let zeroed = left.filter { $0.count == bytes.count && $0 != bytes }
    // Every byte of them is the one that was written, or zero.
    #expect(zeroed.contains { $0.last == 0 } && zeroed.contains { $0.last != 0 })
    #expect(zeroed.allSatisfy { zip($0, bytes).allSatisfy { $0 == $1 || $0 == 0 } })
  }

  @Test func `a synced file whose name was not synced is there whole, or not at all`() throws {
    let states = try states { disk in
      try disk.create("/d/f", bytes)
      try disk.sync("/d/f")
    }
    #expect(states == [["/d/old": [1]], ["/d/old": [1], "/d/f": bytes]])
  }

  @Test func `what was synced, and its name, is certain`() throws {
    let states = try states { disk in
      try disk.create("/d/f", bytes)
      try disk.sync("/d/f")
      try disk.sync("/d")
    }
    #expect(states == [["/d/old": [1], "/d/f": bytes]])
  }

  @Test func `a rename is one step: the old file or the new one stands, never neither`() throws {
    let states = try states { disk in
      try disk.create("/d/new", [2])
      try disk.sync("/d/new")
      try disk.sync("/d")
      try disk.rename("/d/new", to: "/d/old")
    }
    #expect(states == [["/d/old": [1], "/d/new": [2]], ["/d/old": [2]]])
  }

  @Test func `changes of names survive in any order`() throws {
    let states = try states { disk in
      try disk.put("/d/first", [2])
      try disk.remove("/d/old")
      try disk.remove("/d/first")
    }
    #expect(states.count == 4)
  }

  @Test func `a folder whose own name was not synced takes everything with it`() throws {
    let states = try states { disk in
      try disk.makeFolder("/d/in")
      try disk.create("/d/in/f", bytes)
      try disk.sync("/d/in/f")
      try disk.sync("/d/in")
    }
    #expect(states == [["/d/old": [1]], ["/d/old": [1], "/d/in/f": bytes]])
  }

  @Test func `a killed process loses nothing that it wrote`() throws {
    let disk = SimulatedDisk()
    try disk.makeFolder("/d")
    try disk.create("/d/f", bytes)
    try disk.lock("/d/lock")
    #expect(throws: FileSystemError.self) { try disk.lock("/d/lock") }
    disk.restart()
    #expect(disk.bytes(of: "/d/f") == bytes)
    try disk.lock("/d/lock")
  }

  @Test func `the same seed leaves the same disk`() throws {
    func left() throws -> [UInt8]? {
      let disk = SimulatedDisk()
      try disk.create("f", bytes)
      try disk.sync("/")
      var random = SeededRandom(seed: 3)
      disk.losePower(&random)
      return disk.bytes(of: "f")
    }
    #expect(try left() == left())
  }

  @Test func `a full disk takes what fits, and has room again once something is removed`() throws {
    let disk = SimulatedDisk()
    disk.setCapacity(2_500)
    try disk.create("/a", bytes)
    let full = #expect(throws: FileSystemError.self) { try disk.create("/b", bytes) }
    #expect(full == FileSystemError(path: "/b", cause: .noSpace))
    #expect(disk.bytes(of: "/b") == Array(bytes.prefix(500)))
    try disk.remove("/b")
    try disk.remove("/a")
    try disk.create("/b", bytes)
    #expect(disk.image.used == 2_000)
  }

  @Test(arguments: DiskFault.Moment.allCases)
  func `a process ends before, in the middle of, or after a call, and does nothing more`(
    moment: DiskFault.Moment
  ) throws {
    let disk = SimulatedDisk()
    let ends = Recorder<Int>()
    disk.plan(DiskFault(.ends(moment), atCall: 1)) { ends.record(1) }
    try disk.makeFolder("/d")
    #expect(throws: FileSystemError.self) { try disk.create("/d/f", bytes) }
    #expect(throws: FileSystemError.self) { try disk.create("/d/g", bytes) }
    #expect(throws: FileSystemError.self) { try disk.size(of: "/d/f") }
    #expect(ends.values == [1])
    disk.restart()
    let expected: Int? =
      switch moment {
      case .before: nil
      case .during: 1_000
      case .after: 2_000
      }
    #expect(try disk.size(of: "/d/f") == expected)
    #expect(try disk.list("/d") == (expected == nil ? [] : ["f"]))
  }

  @Test func `calls fail as the system's own would`() throws {
    let disk = SimulatedDisk()
    try disk.put("/d/f", [1])
    func cause(_ call: () throws -> Void) -> FileSystemError.Cause? {
      #expect(throws: FileSystemError.self) { try call() }?.cause
    }
    #expect(cause { try disk.create("/d/f", [2]) } == .exists)
    #expect(cause { try disk.create("/none/f", [2]) } == .notFound)
    #expect(cause { try disk.remove("/d/g") } == .notFound)
    #expect(cause { try disk.rename("/d/g", to: "/d/h") } == .notFound)
    #expect(cause { try disk.sync("/d/g") } == .notFound)
    #expect(cause { _ = try disk.list("/none") } == .notFound)
    #expect(cause { try disk.makeFolder("/d/f") } == .exists)
    #expect(disk.bytes(of: "/d/f") == [1])
  }

  @Test func `a disk takes up what its files do, however often they are replaced`() throws {
    let disk = SimulatedDisk()
    try disk.put("/d/record", bytes)
    for _ in 0..<1_000 {
      try disk.create("/d/aside", bytes)
      try disk.rename("/d/aside", to: "/d/record")
      try disk.sync("/d")
    }
    // The two folders, and the file.
    #expect(disk.image.nodeCount == 3)
    for seed in 0..<UInt64(1_000) {
      try disk.create("/d/aside", bytes)
      try disk.remove("/d/aside")
      var random = SeededRandom(seed: seed)
      disk.losePower(&random)
      if disk.bytes(of: "/d/aside") != nil { try disk.remove("/d/aside") }
    }
    #expect(disk.image.nodeCount <= 4)
    #expect(disk.bytes(of: "/d/record") == bytes || disk.bytes(of: "/d/record") == nil)
  }
}
