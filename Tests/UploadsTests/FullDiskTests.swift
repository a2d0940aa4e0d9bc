import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

struct FullDiskTests {
  private let draft = CaptureDraft(
    capture: "photo-1", kind: .photo, timeZone: "Europe/Paris",
    files: [
      CaptureDraft.File(step: .copy, path: "/captures/c", bytes: 300, type: "image/jpeg"),
      CaptureDraft.File(step: .original, path: "/captures/o", bytes: 700, type: "image/jpeg"),
    ])

  /// A disk with the files of the draft.
  private func disk() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    try disk.put("/captures/c", [UInt8](repeating: 1, count: 300))
    try disk.put("/captures/o", [UInt8](repeating: 2, count: 700))
    return disk
  }

  private func open(_ disk: SimulatedDisk) throws -> (Outbox, Outbox.Recovery) {
    try Outbox.open(
      "/outbox", on: disk, mint: IdentityMint(random: SeededRandom(seed: 7)),
      digest: { WholeDigest(ClientBench.digest) })
  }

  @Test func `a disk that is full at any byte of a commit keeps what was kept, and says so`() throws
  {
    let disk = try disk()
    var (outbox, _) = try open(disk)
    let first = try outbox.commit(draft, now: .zero)
    let before = disk.image
    let entry = try outbox.commit(draft, now: Instant(seconds: 1))
    let need = disk.image.used - before.used
    for bytes in 0..<need {
      let disk = SimulatedDisk(before)
      disk.setCapacity(before.used + bytes)
      var (outbox, _) = try open(disk)
      let full = #expect(throws: FileSystemError.self) {
        _ = try outbox.commit(draft, now: Instant(seconds: 1))
      }
      #expect(full?.description.hasSuffix(": the disk is full") == true, "\(bytes)")
      #expect(disk.paths == before.paths, "\(bytes)")
      #expect(disk.image.used == before.used, "\(bytes)")
      disk.setCapacity(before.used + need)
      #expect(try outbox.commit(draft, now: Instant(seconds: 1)) == entry, "\(bytes)")
      disk.restart()
      #expect(try open(disk).1.entries == [first, entry], "\(bytes)")
    }
    print("full disk: \(need) bytes of a commit")
  }

  @Test func `a disk that is full at any byte of a done set keeps the old one`() throws {
    let disk = try disk()
    var (outbox, _) = try open(disk)
    let old = try outbox.commit(draft, now: .zero)
    let before = disk.image
    var entry = old
    entry.done = [.record, .copy]
    // The new record stands beside the old one before it replaces it.
    try outbox.save(entry)
    let record = try #require(disk.paths.first { $0.hasSuffix(".json") })
    let need = try #require(disk.bytes(of: record)).count
    for bytes in 0..<need {
      let disk = SimulatedDisk(before)
      disk.setCapacity(before.used + bytes)
      let (outbox, _) = try open(disk)
      #expect(throws: FileSystemError.self) { try outbox.save(entry) }
      #expect(disk.paths == before.paths, "\(bytes)")
      disk.restart()
      #expect(try open(disk).1.entries == [old], "\(bytes)")
    }
    let roomy = SimulatedDisk(before)
    roomy.setCapacity(before.used + need)
    try open(roomy).0.save(entry)
    roomy.restart()
    #expect(try open(roomy).1.entries == [entry])
    print("full disk: \(need) bytes of a done set")
  }

  private let captures = [
    ClientBench.Capture(name: "photo-1", copy: 300, original: 700),
    ClientBench.Capture(name: "photo-2", copy: 300, original: 700),
  ]

  @Test func `a capture that finds the disk full is said, and the one before it is sent`() throws {
    // Room for the first capture and its done sets; the second needs 1,000 bytes and a record.
    var cases = 0
    for spare in stride(from: 0, to: 1_600, by: 25) {
      let bench = try ClientBench(captures)
      bench.time.at(Instant(seconds: 0.5)) {
        bench.files.setCapacity(bench.files.image.used + spare)
      }
      try bench.run(
        .after, stop: 30, [(0, .save(capture: "photo-1")), (0.5, .save(capture: "photo-2"))])
      let said = bench.texts.filter { $0.hasPrefix("Not saved on this device: ") }
      #expect(said.count == 1, "\(spare)")
      #expect(said.first?.hasSuffix(": the disk is full") == true, "\(spare)")
      #expect(bench.states("photo-1").last == .done, "\(spare)")
      #expect(bench.states("photo-2").isEmpty, "\(spare)")
      #expect(bench.engine.storedPaths.count == 4, "\(spare)")
      #expect(bench.outboxNames == ["lock"], "\(spare)")
      cases += 1
    }
    print("full disk: \(cases) runs with a capture that does not fit")
  }

  @Test func `a full disk at any call of any write is said, and costs at most that capture`() throws
  {
    let names = captures.map(\.name)
    let reference = try ClientBench(captures)
    let commands = names.map { (at: 0.0, BenchCommand.save(capture: $0)) }
    try reference.run(.after, stop: 40, commands)
    let points = WritePoint.points(of: reference.files.calls)
    var cases = 0
    for (call, point) in points.enumerated() where !["open", "retire"].contains(point.part) {
      let bench = try ClientBench(captures)
      bench.plan(DiskFault(.fails(.noSpace), atCall: call))
      try bench.run(.after, stop: 40, commands)
      let isCommit = point.part == "commit"
      let words = isCommit ? "Not saved on this device: " : "Not noted on this device, how far "
      let said = bench.texts.filter { $0.hasPrefix(words) }
      #expect(said.count == 1, "\(point)")
      #expect(said.first?.hasSuffix(": the disk is full") == true, "\(point)")
      #expect(bench.engine.storedPaths.count == (isCommit ? 4 : 8), "\(point)")
      #expect(bench.engine.replays.isEmpty, "\(point)")
      #expect(bench.outboxNames == ["lock"], "\(point)")
      cases += 1
    }
    print("full disk: \(cases) calls")
  }
}
