import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

struct OutboxTests {
  private let mint = IdentityMint(random: SeededRandom(seed: 7))
  private let draft = CaptureDraft(
    capture: "photo-1", kind: .photo, taken: "2026-05-04T19:12:33+02:00",
    timeZone: "Europe/Paris",
    files: [
      CaptureDraft.File(step: .copy, path: "/captures/c", bytes: 3, type: "image/jpeg"),
      CaptureDraft.File(step: .original, path: "/captures/o", bytes: 4, type: "image/jpeg"),
    ])

  /// A disk with the files of the draft.
  private func disk() throws -> SimulatedDisk {
    let files = SimulatedDisk()
    try files.put("/captures/c", [1, 2, 3])
    try files.put("/captures/o", [4, 5, 6, 7])
    return files
  }

  private func open(
    _ files: SimulatedDisk, entriesMax: Int = 100, copiesMax: Int = 0
  ) throws -> (Outbox, Outbox.Recovery) {
    try Outbox.open(
      "/outbox", on: files, mint: mint, digest: { WholeDigest { "\($0)" } },
      entriesMax: entriesMax, copiesMax: copiesMax)
  }

  /// Names in the outbox, apart from its lock.
  private func names(_ files: SimulatedDisk) -> [String] {
    files.paths.filter { $0.hasPrefix("/outbox/") }
      .map { String($0.dropFirst("/outbox/".count)) }.filter { $0 != "lock" }
  }

  @Test func `a commit writes and syncs the files, then the record, with five syncs`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    files.forgetCalls()
    let id = try outbox.commit(draft, now: .zero).id
    let record = "/outbox/000000000001-\(id).json"
    #expect(
      files.calls.map(\.description) == [
        "create /outbox/\(id).copy", "sync /outbox/\(id).copy",
        "create /outbox/\(id).original", "sync /outbox/\(id).original",
        "create \(record).new", "sync \(record).new",
        "sync /outbox", "rename \(record)", "sync /outbox",
      ])
    #expect(files.calls.count { $0.kind == .sync } == 5)
  }

  @Test func `the record has the length and the digest of what was kept`() throws {
    let files = try disk()
    let long = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
    try files.put("/captures/o", long)
    var longer = draft
    longer.files[1].bytes = long.count
    var (outbox, _) = try open(files)
    let entry = try outbox.commit(longer, now: .zero)
    #expect(entry.files.map(\.bytes) == [3, 700_000])
    #expect(entry.files.map(\.sha256) == ["[1, 2, 3]", "\(long)"])
    #expect(files.bytes(of: "/outbox/\(entry.id).original") == long)
  }

  @Test func `a file that is not as it was looked at is not saved, and nothing is left`() throws {
    for length in [3, 5, 262_144, 300_000] {
      let files = try disk()
      try files.put("/captures/o", [UInt8](repeating: 4, count: length))
      var (outbox, _) = try open(files)
      let changed = #expect(throws: FileSystemError.self) {
        _ = try outbox.commit(draft, now: .zero)
      }
      #expect(
        changed?.description
          == "/captures/o: it changed while it was being saved; save it again")
      #expect(names(files).isEmpty)
    }
  }

  @Test func `a copy that cannot be read back is not saved, and nothing is left`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    for name in [".copy", ".original"] {
      files.failReads(of: name)
      #expect(throws: FileSystemError.self) { _ = try outbox.commit(draft, now: .zero) }
      #expect(names(files).isEmpty)
    }
    files.failReads(of: nil)
    #expect(try outbox.commit(draft, now: .zero).sequence == 1)
  }

  @Test(arguments: 0..<9)
  func `a commit that fails at any call leaves nothing behind, and the next is saved`(
    call: Int
  ) throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    files.plan(DiskFault(.fails(.noSpace), atCall: call))
    #expect(throws: FileSystemError.self) { _ = try outbox.commit(draft, now: .zero) }
    #expect(names(files).isEmpty)

    let entry = try outbox.commit(draft, now: Instant(seconds: 1))
    files.restart()
    #expect(try open(files).1.entries == [entry])
  }

  @Test(arguments: 0..<9)
  func `a client killed at any call of a commit finds the whole capture or none of it`(
    call: Int
  ) throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    let first = try outbox.commit(draft, now: .zero)
    files.plan(DiskFault(.failsForGood(.noSpace), atCall: call))
    #expect(throws: FileSystemError.self) {
      _ = try outbox.commit(draft, now: Instant(seconds: 1))
    }
    files.restart()

    let entries = try open(files).1.entries
    // Only the last sync comes after the rename.
    #expect(entries.count == (call == 8 ? 2 : 1))
    #expect(entries.first == first)
    #expect(names(files).count == 3 * entries.count)
  }

  @Test func `a fresh process finds entries in capture order, with what had landed`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    // The clock runs backwards: the order is the outbox's own.
    var entries = try (0..<12).map {
      try outbox.commit(draft, now: Instant(seconds: Double(100 - $0)))
    }
    entries[1].done = [.record, .copy]
    entries[2].refused = "It is not a photo."
    try outbox.save(entries[1])
    try outbox.save(entries[2])
    files.restart()
    let (_, recovery) = try open(files)
    #expect(recovery.entries == entries)
    #expect(recovery.damaged.isEmpty && recovery.swept.isEmpty)
  }

  @Test func `saving a done set is two syncs, and a failure leaves the old record`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    var entry = try outbox.commit(draft, now: .zero)
    files.forgetCalls()
    entry.done = [.record]
    try outbox.save(entry)
    #expect(files.calls.count { $0.kind == .sync } == 2)
    var further = entry
    further.done.append(.copy)
    for call in 0..<3 {
      files.plan(DiskFault(.fails(.noSpace), atCall: call))
      #expect(throws: FileSystemError.self) { try outbox.save(further) }
    }
    #expect(names(files).count == 3)
    files.restart()
    #expect(try open(files).1.entries == [entry])
  }

  @Test func `a forgotten entry goes record first, and is gone`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    let entry = try outbox.commit(draft, now: .zero)
    files.forgetCalls()
    try outbox.forget(entry)
    #expect(files.calls.first?.description == "remove /outbox/000000000001-\(entry.id).json")
    #expect(names(files).isEmpty)
  }

  @Test func `what has been sent stays as a copy of the device, the newest alone`() throws {
    let files = try disk()
    var (outbox, _) = try open(files, copiesMax: 2)
    let entries = try (0..<3).map {
      try outbox.commit(draft, now: Instant(seconds: Double($0)))
    }
    files.forgetCalls()
    try outbox.retire(entries[0])
    #expect(
      files.calls.map(\.description) == [
        "rename /outbox/000000000001-\(entries[0].id).json.kept", "sync /outbox",
      ])
    for entry in entries[1...] { try outbox.retire(entry) }
    let kept = entries[1...].flatMap { entry in
      ["copy", "original"].map { "\(entry.id).\($0)" }
        + ["00000000000\(entry.sequence)-\(entry.id).json.kept"]
    }
    #expect(names(files) == kept.sorted())
    #expect(files.bytes(of: "/outbox/\(entries[2].id).original") == [4, 5, 6, 7])
    // They are no entries of the queue, and are found again; fewer are kept when fewer are asked for.
    files.restart()
    var recovery: Outbox.Recovery
    (outbox, recovery) = try open(files, copiesMax: 1)
    #expect(recovery.entries.isEmpty && recovery.damaged.isEmpty && recovery.swept.isEmpty)
    #expect(names(files).count == 3 && names(files).allSatisfy { $0.contains(entries[2].id) })
    try outbox.retire(try outbox.commit(draft, now: Instant(seconds: 9)))
    #expect(names(files).count == 3 && !names(files).contains { $0.contains(entries[2].id) })
  }

  @Test func `a full disk gives up copies of what was sent for what is new, the oldest first`()
    throws
  {
    let files = try disk()
    var (outbox, _) = try open(files, copiesMax: 9)
    let entries = try (0..<4).map {
      try outbox.commit(draft, now: Instant(seconds: Double($0)))
    }
    for entry in entries { try outbox.retire(entry) }
    files.setCapacity(files.image.used)
    let entry = try outbox.commit(draft, now: Instant(seconds: 9))
    #expect(names(files).contains("\(entry.id).original"))
    let owners = Set(names(files).map { $0.contains("-") ? "" : String($0.prefix(26)) })
    #expect(owners.subtracting([""]) == Set(entries[2...].map(\.id) + [entry.id]))
    // Only once there is none left is a capture not saved.
    files.setCapacity(100)
    let full = #expect(throws: FileSystemError.self) { try outbox.commit(draft, now: .zero) }
    #expect(full?.cause == .noSpace)
    #expect(names(files).count == 3)
  }

  @Test func `killed while it forgets, the rest is swept`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    let entry = try outbox.commit(draft, now: .zero)
    files.plan(DiskFault(.failsForGood(.noSpace), atCall: 1))
    #expect(throws: FileSystemError.self) { try outbox.forget(entry) }
    files.restart()
    let (_, recovery) = try open(files)
    #expect(recovery.entries.isEmpty)
    #expect(recovery.swept == ["\(entry.id).copy", "\(entry.id).original"])
    #expect(names(files).isEmpty)
  }

  @Test(arguments: ["not JSON", "{}", #"{"schema":3}"#])
  func `a damaged record is set aside by name, keeps its files and harms no other`(
    text: String
  ) throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    let broken = try outbox.commit(draft, now: .zero)
    let whole = try outbox.commit(draft, now: .zero)
    let name = "000000000001-\(broken.id).json"
    try files.put("/outbox/\(name)", Array(text.utf8))
    for _ in 0..<2 {
      files.restart()
      let (_, recovery) = try open(files)
      #expect(recovery.entries == [whole])
      #expect(recovery.swept.isEmpty)
      #expect(names(files).contains("\(name).damaged"))
      #expect(names(files).contains("\(broken.id).original"))
    }
  }

  @Test func `a record of the version before is read as it is`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    var entry = try outbox.commit(draft, now: .zero)
    entry.done = [.record, .copy]
    try outbox.save(entry)
    let path = "/outbox/000000000001-\(entry.id).json"
    let text = String(decoding: files.bytes(of: path) ?? [], as: UTF8.self)
    #expect(text.contains(#""done":["record","copy"]"#))
    try files.put(path, Array(text.replacing(#""schema":2"#, with: #""schema":1"#).utf8))
    files.restart()
    entry.schema = 1
    #expect(try open(files).1.entries == [entry])
  }

  @Test func `the photos of a plate are swept with a record that is missing, and kept with one`()
    throws
  {
    let files = try disk()
    for name in ["/captures/o", "/outbox/01ABC.staged-2", "/outbox/01ABC.staged-x"] {
      try files.put(name, [4, 5, 6, 7])
    }
    var (outbox, recovery) = try open(files)
    #expect(recovery.swept == ["01ABC.staged-2"])
    var plate = draft
    plate.kind = .plate
    plate.files = [1, 2].map {
      CaptureDraft.File(step: .staged($0), path: "/captures/o", bytes: 4, type: "image/jpeg")
    }
    let entry = try outbox.commit(plate, now: .zero)
    files.restart()
    recovery = try open(files).1
    #expect(recovery.entries == [entry] && recovery.swept.isEmpty)
    #expect(names(files).contains("\(entry.id).staged-2"))
  }

  @Test func `a record whose file is missing or cut short is damaged too`() throws {
    let files = try disk()
    var (outbox, _) = try open(files)
    let entry = try outbox.commit(draft, now: .zero)
    try files.put("/outbox/\(entry.id).original", [4])
    files.restart()
    let (_, recovery) = try open(files)
    #expect(recovery.entries.isEmpty)
    #expect(recovery.damaged == ["000000000001-\(entry.id).json"])
  }

  @Test func `the sweep leaves what is not the outbox's own`() throws {
    let files = try disk()
    try files.put("/outbox/notes.txt", [1])
    try files.put("/outbox/01ABC.copy", [1])
    let (_, recovery) = try open(files)
    #expect(recovery.swept == ["01ABC.copy"])
    #expect(names(files) == ["notes.txt"])
  }

  @Test func `a second process does not open an outbox that is held`() throws {
    let files = try disk()
    _ = try open(files)
    try files.put("/outbox/01ABC.copy", [1])
    let held = #expect(throws: FileSystemError.self) { _ = try open(files) }
    #expect(held?.cause == .locked)
    #expect(names(files) == ["01ABC.copy"])
  }

  @Test func `a full outbox takes no more, and says what to do`() throws {
    let files = try disk()
    var (outbox, _) = try open(files, entriesMax: 1)
    let entry = try outbox.commit(draft, now: .zero)
    let full = #expect(throws: FileSystemError.self) { _ = try outbox.commit(draft, now: .zero) }
    #expect(full?.description == "/outbox: it is full with 1 captures; send some first")
    #expect(names(files).count == 3)
    try outbox.forget(entry)
    #expect(try outbox.commit(draft, now: .zero).sequence == 2)
  }

  @Test func `without a camera's clock the capture is of now`() throws {
    var (outbox, _) = try open(try disk())
    var unknown = draft
    unknown.taken = nil
    let entry = try outbox.commit(unknown, now: Instant(seconds: 90))
    #expect(entry.capturedAt == "2026-01-01T00:01:30+00:00")
    #expect(try outbox.commit(draft, now: .zero).capturedAt == "2026-05-04T19:12:33+02:00")
    // Of a camera that knows no offset: local time, and nothing is put in its place.
    unknown.taken = "2026-05-04T19:12:33"
    #expect(try outbox.commit(unknown, now: .zero).capturedAt == "2026-05-04T19:12:33")
  }
}
