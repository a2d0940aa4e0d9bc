import Bench
import Captures
import FoundationEssentials
import Quantities
import Synchronization
import TestSupport
import Uploads

/// One client, one engine, one disk and one clock, all in memory.
struct ClientBench {
  struct Capture {
    var name: String
    var copy = 165_000
    var original = 431_000
    /// A document of so many bytes, in place of a photo.
    var document: Int?
    /// The photos of a plate, in place of one.
    var plate: [Int]?
  }

  /// A closure that says where the link is; unknown when it is not told.
  struct StillLink: LinkCheck {
    func state() async -> LinkState { .up }
  }

  static let outbox = "/outbox"
  static let captures = "/captures"

  let time = VirtualTime()
  let files = SimulatedDisk()
  let engine: MemoryEngine
  let lines = Recorder<(at: Instant, text: String)>()
  let reports = Recorder<(at: Instant, report: BenchReport)>()

  /// Captures of which the client keeps a copy once they are sent.
  var deviceCopies = 0

  private let life = ClientLife()

  init(_ captures: [Capture] = [Capture(name: "photo-1")]) throws {
    engine = MemoryEngine(
      time: time, files: { [files] in files.bytes(of: $0) }, digest: Self.digest)
    var truths: [CaptureTruth] = []
    // No file is of zeroes, which a disk may leave in the place of bytes.
    var salt = 1
    for capture in captures {
      var truth = CaptureTruth(name: capture.name)
      if let document = capture.document {
        truth.document = try put("\(capture.name).pdf", document, salt: salt)
      } else if let plate = capture.plate {
        truth.photos = try plate.enumerated().map { place, count in
          try put("\(capture.name).\(place + 1).jpg", count, salt: salt + place)
        }
      } else {
        truth.copy = try put("\(capture.name)-copy.jpg", capture.copy, salt: salt)
        truth.original = try put("\(capture.name).jpg", capture.original, salt: salt + 1)
      }
      truths.append(truth)
      salt += max(2, truth.files.count)
    }
    let list = try JSONEncoder().encode(CaptureSet(seed: 7, captures: truths))
    try files.put("\(Self.captures)/\(CaptureSet.fileName)", Array(list))
  }

  private func put(_ name: String, _ count: Int, salt: Int) throws -> CaptureFile {
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: salt), count: count)
    try files.put("\(Self.captures)/\(name)", bytes)
    return CaptureFile(file: name, bytes: count, sha256: Self.digest(bytes))
  }

  /// In place of SHA-256: quick, and different for the files of these tests.
  @Sendable static func digest(_ bytes: [UInt8]) -> String {
    "\(bytes.count)-\(bytes.first ?? 0)-\(bytes.last ?? 0)"
  }

  @Sendable static func facts(_ bytes: [UInt8]) -> CameraFacts {
    CameraFacts(
      taken: "2026-05-04T19:12:33+02:00", place: Place(latitude: 48.8583, longitude: -2.2945))
  }

  /// Runs the client from now on, with commands at their seconds of link time.
  ///
  /// It ends when it is stopped, when its process has been ended, or once `isOver` says so of a
  /// report. It sees the disk through `through`, if that is given.
  func run(
    _ policy: UploadPolicy, seed: UInt64 = 7, stop: Double,
    _ commands: [(at: Double, BenchCommand)], through: (any FileSystem)? = nil,
    isOver: @escaping @Sendable (BenchReport) -> Bool = { _ in false }
  ) throws {
    let stream = AsyncStream<BenchCommand>.makeStream()
    engine.clientBegins()
    life.begin { stream.continuation.yield(.stop) }
    for (at, command) in commands + [(stop, .stop)] {
      time.at(Instant(seconds: at)) { stream.continuation.yield(command) }
    }
    let run = UploadRun(
      setup: ClientSetup(
        policy: policy, engine: "", outbox: Self.outbox, captures: Self.captures, seed: seed,
        deviceCopies: deviceCopies),
      timeZone: "Europe/Paris", transport: engine, fileSystem: through ?? files, clock: time,
      linkCheck: StillLink(), facts: Self.facts, digest: { WholeDigest(Self.digest) },
      print: { [time, lines, life] text in
        if life.lasts { lines.record((time.now, text)) }
      },
      report: { [time, reports, life] report in
        guard life.lasts else { return }
        reports.record((time.now, report))
        if isOver(report) { stream.continuation.yield(.stop) }
      })
    do {
      try time.run { try await run.run(stream.stream) }
    } catch {
      // What a process meets after its end, nobody sees.
      if life.lasts { throw error }
    }
  }

  /// Plans a fault of the disk; when it ends the process, the engine and the user see it end, too.
  func plan(_ fault: DiskFault, powerFails: Bool = false) {
    files.plan(fault) { [engine, life] in
      life.end()
      engine.clientEnds(delivers: !powerFails)
    }
  }

  /// Whether a planned fault has ended the last run.
  var hasEnded: Bool { !life.lasts }

  // MARK: What came of it

  var texts: [String] { lines.values.map(\.text) }

  /// Steps that were sent, without checks.
  var steps: [String] { engine.steps }

  func seen(_ step: String) -> [MemoryEngine.Seen] { engine.seen.filter { $0.step == step } }

  /// When the receipt of a step was read; nil when it never was.
  func landed(_ step: StepName, of capture: String) -> Double? {
    reports.values.first { _, report in
      if case .ended(capture, step, _, _, "landed") = report { true } else { false }
    }?.at.seconds
  }

  /// States of a capture as they were reported, in order.
  func states(_ capture: String) -> [EntryState] {
    reports.values.compactMap { _, report in
      if case .state(capture, let state) = report { state } else { nil }
    }
  }

  /// All that is in the outbox.
  var allNames: [String] {
    files.paths.filter { $0.hasPrefix("\(Self.outbox)/") }
      .map { String($0.dropFirst(Self.outbox.count + 1)) }
  }

  /// Ids of the entries of which the device keeps a copy.
  var copies: [String] {
    allNames.filter { $0.hasSuffix(".json.kept") }
      .map { String($0.dropLast(".json.kept".count).suffix(26)) }
  }

  /// What is in the outbox beside the device's copies.
  var outboxNames: [String] {
    let copies = copies
    return allNames.filter { name in !copies.contains { name.contains($0) } }
  }
}

/// Gathers a file, and digests it as a whole.
final class WholeDigest: FileDigest {
  private var bytes: [UInt8] = []
  private let digest: ([UInt8]) -> String

  init(_ digest: @escaping ([UInt8]) -> String) {
    self.digest = digest
  }

  func update(_ bytes: [UInt8]) { self.bytes += bytes }

  func finish() -> String { digest(bytes) }
}

/// An entry for tests of values, with a copy and an original of the story's sizes.
func photoEntry(copy: Int = 1_650_000, original: Int = 4_310_000) -> OutboxEntry {
  OutboxEntry(
    sequence: 1, id: "ENTRY", capture: "photo-1", kind: .photo, moment: "MOMENT", turn: "TURN",
    text: "TEXT", note: "", capturedAt: "2026-05-04T19:12:33+02:00", timeZone: "Europe/Paris",
    place: Place(latitude: 48.8583, longitude: -2.2945),
    files: [
      OutboxFile(
        step: .copy, media: "COPY", name: "ENTRY.copy", bytes: copy, sha256: "c0",
        type: "image/jpeg"),
      OutboxFile(
        step: .original, media: "ORIGINAL", name: "ENTRY.original", bytes: original,
        sha256: "0f", type: "image/jpeg"),
    ])
}

func documentEntry() -> OutboxEntry {
  var entry = photoEntry()
  entry.kind = .document
  entry.files = [
    OutboxFile(
      step: .document, media: "PAPER", name: "ENTRY.document", bytes: 400_000, sha256: "d0",
      type: "application/pdf")
  ]
  return entry
}

/// Three photos of a plate, of 600 KB each.
func plateEntry() -> OutboxEntry {
  var entry = photoEntry()
  entry.kind = .plate
  entry.files = (1...3).map {
    OutboxFile(
      step: .staged($0), media: "PAGE\($0)", name: "ENTRY.staged-\($0)", bytes: 600_000,
      sha256: "\($0)\($0)", type: "image/jpeg")
  }
  return entry
}

/// The life of one process: after its end it tells nobody anything.
private final class ClientLife: Sendable {
  private let stop = Mutex<(@Sendable () -> Void)?>(nil)

  var lasts: Bool { stop.withLock { $0 != nil } }

  /// `stop` lets the run that stands for the process come to its end.
  func begin(stop: @escaping @Sendable () -> Void) {
    self.stop.withLock { $0 = stop }
  }

  func end() {
    stop.withLock { stop in
      defer { stop = nil }
      return stop
    }?()
  }
}
