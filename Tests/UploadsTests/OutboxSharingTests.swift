import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

/// One folder, and several processes at it: each has a disk value of its own on the same image.
struct OutboxSharingTests {
  private let files = SimulatedDisk()
  private let clock = StandingClock()
  private let draft = CaptureDraft(
    capture: "photo-1", kind: .photo, timeZone: "Europe/Paris",
    files: [
      CaptureDraft.File(step: .copy, made: [1, 2, 3], from: "/photos/o", type: "image/jpeg"),
      CaptureDraft.File(step: .original, path: "/photos/o", bytes: 4, type: "image/jpeg"),
    ])

  init() throws {
    try files.put("/photos/o", [4, 5, 6, 7])
    try Outbox.make("/outbox", on: files)
  }

  private func add(seed: UInt64 = 7, entriesMax: Int = 100) async throws -> OutboxEntry {
    var outbox = try Outbox.join(
      "/outbox", on: files, mint: IdentityMint(random: SeededRandom(seed: seed)),
      digest: { WholeDigest { "\($0)" } }, entriesMax: entriesMax)
    return try await Outbox.add(draft, to: &outbox, clock: clock)
  }

  private func open() async throws -> (Outbox, Outbox.Recovery) {
    try await Outbox.openShared(
      "/outbox", on: files, mint: IdentityMint(random: SeededRandom(seed: 9)),
      digest: { WholeDigest { "\($0)" } }, clock: clock)
  }

  private var names: [String] { files.paths.filter { $0.hasPrefix("/outbox/") } }

  @Test func `a copy that was made is kept as it is, with five syncs and no more`() async throws {
    files.forgetCalls()
    let entry = try await add()
    #expect(files.bytes(of: "/outbox/\(entry.id).copy") == [1, 2, 3])
    #expect(files.bytes(of: "/outbox/\(entry.id).original") == [4, 5, 6, 7])
    #expect(entry.files.map(\.sha256) == ["[1, 2, 3]", "[4, 5, 6, 7]"])
    #expect(files.calls.count { $0.kind == .sync } == 5)
  }

  @Test func `what others add is taken up once, in the order of their commits`() async throws {
    let first = try await add()
    var (outbox, recovery) = try await open()
    #expect(recovery.entries == [first])
    #expect(try outbox.newcomers().isEmpty)
    let second = try await add(seed: 8)
    let third = try await add(seed: 9)
    #expect([second, third].map(\.sequence) == [2, 3])
    #expect(try outbox.newcomers() == [second, third])
    #expect(try outbox.newcomers().isEmpty)
    for entry in [first, second, third] { try outbox.forget(entry) }
    #expect(names == ["/outbox/adding", "/outbox/lock"])
    // An empty folder counts anew; the entry is another one all the same.
    let fourth = try await add(seed: 10)
    #expect(fourth.sequence == 1)
    #expect(try outbox.newcomers() == [fourth])
  }

  @Test func `a look changes nothing, and names what cannot be read`() async throws {
    let kept = try await add()
    let lost = try await add(seed: 8)
    try files.put("/outbox/000000000009-X.json", [1])
    try files.put("/outbox/000000000008-Y.json.damaged", [1])
    let (outbox, _) = try await openAfterDamage(lost)
    let before = files.paths
    files.forgetCalls()
    let found = try Outbox.survey("/outbox", on: files)
    #expect(found.entries == [kept])
    #expect(found.damaged.count == 3)
    #expect(files.paths == before && files.calls.isEmpty)
    withExtendedLifetime(outbox) {}
  }

  /// Takes away a file of an entry, and opens the outbox, which sets both bad records aside.
  private func openAfterDamage(_ lost: OutboxEntry) async throws -> (Outbox, Outbox.Recovery) {
    try files.remove("/outbox/\(lost.id).original")
    return try await open()
  }

  @Test func `an outbox is full at its limit, also for those who only add`() async throws {
    for seed in UInt64(1)...3 { _ = try await add(seed: seed, entriesMax: 3) }
    let full = await #expect(throws: FileSystemError.self) {
      _ = try await add(seed: 4, entriesMax: 3)
    }
    #expect(full?.description == "/outbox: it is full with 3 captures; send some first")
  }

  @Test func `who adds many counts for itself, and finds the room that a drain has made`()
    async throws
  {
    var adder = try Outbox.join(
      "/outbox", on: files, mint: IdentityMint(random: SeededRandom(seed: 7)),
      digest: { WholeDigest { "\($0)" } }, entriesMax: 2)
    let first = try await Outbox.add(draft, to: &adder, clock: clock)
    let second = try await Outbox.add(draft, to: &adder, clock: clock)
    #expect([first, second].map(\.sequence) == [1, 2])
    await #expect(throws: FileSystemError.self) {
      _ = try await Outbox.add(draft, to: &adder, clock: clock)
    }
    var (drain, _) = try await open()
    try drain.forget(first)
    #expect(try await Outbox.add(draft, to: &adder, clock: clock).sequence == 3)
  }

  @Test func `a commit that another process holds up is waited for, and then given up`()
    async throws
  {
    try files.lock("/outbox/adding")
    let refused = await #expect(throws: FileSystemError.self) { _ = try await add() }
    #expect(refused?.cause == .locked)
    #expect(clock.now >= .zero + Outbox.addingWait)
    files.unlock("/outbox/adding")
    #expect(try await add().sequence == 1)
  }

  @Test func `a folder of other files is no outbox`() throws {
    #expect(try Outbox.nature(of: "/photos", on: files) == .stranger)
    try files.lock("/outbox/adding")
    #expect(try Outbox.nature(of: "/outbox", on: files) == .outbox)
  }
}

/// A clock that stands until somebody sleeps, and is then at the deadline.
private final class StandingClock: LinkClock {
  private let time = Recorder<Instant>()

  var now: Instant { time.values.last ?? .zero }

  func sleep(until deadline: Instant) async throws { time.record(deadline) }
}
