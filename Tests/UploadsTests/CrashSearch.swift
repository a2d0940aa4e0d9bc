import Bench
import Captures
import FoundationEssentials
import Quantities
import TestSupport
import Uploads

/// How one life of the client ends: at which call of its disk, and whether the power fails too.
struct LifeEnd: CustomStringConvertible {
  var call: Int
  var moment: DiskFault.Moment
  /// Seeds what of the disk survives; nil when only the process ends.
  var power: UInt64?
  /// A call before it that fails, and lets the client clear up.
  var failing: Int?

  var description: String {
    let kind = power.map { "power loss \($0)" } ?? "process kill"
    let before = failing.map { "failing call \($0), " } ?? ""
    return "\(before)\(kind) \(moment) call \(call)"
  }
}

/// Lets the client's life end at its writes, starts it again, and judges what came of it.
struct CrashSearch {
  static let captures = [
    ClientBench.Capture(name: "photo-1", copy: 2_000, original: 5_000),
    ClientBench.Capture(name: "paper-1", document: 3_000),
  ]

  /// Nil is the client as it is.
  var order: WrongOrder?
  /// Captures of which the client keeps a copy once they are sent.
  var deviceCopies = 0

  /// The calls of a life that nothing ends.
  func calls() throws -> [DiskCall] {
    let bench = try bench()
    try live(0, in: bench, saving: Self.captures.map(\.name))
    return bench.files.calls
  }

  /// Every end of a first life, at each moment of each call: the process, and `seeds` of the power.
  func ends(seeds: UInt64) throws -> [LifeEnd] {
    let kinds = [nil] + (0..<seeds).map(Optional.some)
    return try calls().enumerated().flatMap { number, call in
      DiskFault.Moment.allCases.filter { $0 != .during || call.kind == .create }.flatMap { moment in
        kinds.map { LifeEnd(call: number, moment: moment, power: $0) }
      }
    }
  }

  /// Runs one life for each end, and a last one that nothing ends; nil when an end was not reached.
  func violations(after ends: [LifeEnd]) throws -> [Violation]? {
    let bench = try bench()
    var found: [Violation] = []
    var saved: Set<String> = []
    var entries: [String] = []
    var landed: Set<String> = []
    for life in 0...ends.count {
      let reportsBefore = bench.reports.values.count
      let seenBefore = bench.engine.seen.count
      if life < ends.count {
        let end = ends[life]
        bench.plan(
          DiskFault(.ends(end.moment), atCall: end.call), powerFails: end.power != nil)
        if let failing = end.failing {
          bench.files.plan(DiskFault(.fails(.other("Input/output error")), atCall: failing))
        }
      }
      // The user saves again what the client does not show as kept.
      let missing = Self.captures.map(\.name).filter {
        !saved.contains($0) && !entries.contains($0)
      }
      try live(life, in: bench, saving: missing)
      if life < ends.count, !bench.hasEnded { return nil }

      let seen = bench.engine.seen[seenBefore...].map { "\($0.step) \($0.path)" }
      for key in seen where landed.contains(key) {
        found.append(Violation(kind: .sentAgain, detail: key))
      }
      for (number, request) in bench.engine.seen[seenBefore...].enumerated() {
        // Once another step of the moment was sent, this one had landed and was noted.
        let moment = request.path.split(separator: "/")[2].prefix(26)
        if seen[(number + 1)...].contains(where: { $0.contains(moment) }) {
          landed.insert(seen[number])
        }
      }
      for (_, report) in bench.reports.values[reportsBefore...] {
        switch report {
        // Either tells the user that it is kept.
        case .saved(let capture, _, _), .state(let capture, _): saved.insert(capture)
        default: break
        }
      }
      if life < ends.count {
        if let power = ends[life].power {
          var random = SeededRandom(seed: power)
          bench.files.losePower(&random)
        } else {
          bench.files.restart()
        }
        (entries, found) = (try inspect(bench, saved, &found), found)
      }
    }
    return found + judge(bench)
  }

  private func bench() throws -> ClientBench {
    var bench = try ClientBench(Self.captures)
    bench.deviceCopies = deviceCopies
    bench.engine.setLink { $0.buffer = 1_000 }
    return bench
  }

  /// One life: it saves, sends, and ends once it has nothing left, if nothing ends it before.
  private func live(_ life: Int, in bench: ClientBench, saving names: [String]) throws {
    var policy = UploadPolicy.after
    policy.syncPause = .seconds(2)
    let now = bench.time.now.seconds
    let commands = names.enumerated().map { number, name in
      (at: now + Double(number) * 0.25, BenchCommand.save(capture: name))
    }
    let open = Recorder<(String, Bool)>()
    for name in names { open.record((name, true)) }
    try bench.run(
      policy, stop: now + (names.isEmpty && life > 0 ? 60 : 120), commands,
      through: order.map { MisorderedDisk(bench.files, $0, life: life) }
    ) { report in
      guard case .state(let capture, let state) = report else { return false }
      open.record((capture, state != .done))
      var left: [String: Bool] = [:]
      for (name, isOpen) in open.values { left[name] = isOpen }
      return !left.values.contains(true)
    }
  }

  /// Looks at the disk as the next life will find it, without changing it; gives its captures.
  private func inspect(
    _ bench: ClientBench, _ saved: Set<String>, _ found: inout [Violation]
  ) throws -> [String] {
    let image = bench.files.image
    let inside = "\(ClientBench.outbox)/"
    for path in image.paths where path.hasPrefix(inside) && path.hasSuffix(".json") {
      let bytes = image.bytes(of: path) ?? []
      guard let entry = try? JSONDecoder().decode(OutboxEntry.self, from: Data(bytes)) else {
        found.append(Violation(kind: .unreadableRecord, detail: path))
        continue
      }
      for file in entry.files where image.bytes(of: inside + file.name)?.count != file.bytes {
        found.append(Violation(kind: .recordWithoutFile, detail: file.name))
      }
    }
    let probe = SimulatedDisk(image)
    let (_, recovery) = try Outbox.open(
      ClientBench.outbox, on: probe, mint: IdentityMint(random: SeededRandom(seed: 7)),
      digest: { WholeDigest(ClientBench.digest) }, copiesMax: deviceCopies)
    let copies = try probe.list(ClientBench.outbox).filter { $0.hasSuffix(".json.kept") }
    let owned =
      recovery.entries.map(\.id) + ["lock"]
      + copies.map { String($0.dropLast(".json.kept".count).suffix(26)) }
    for name in try probe.list(ClientBench.outbox)
    where recovery.damaged.isEmpty && !owned.contains(where: { name.contains($0) }) {
      found.append(Violation(kind: .orphan, detail: name))
    }
    let entries = recovery.entries.map(\.capture)
    for capture in saved
    where !entries.contains(capture) && bench.landed(.readback, of: capture) == nil {
      found.append(Violation(kind: .lost, detail: capture))
    }
    return entries
  }

  /// At the end of all lives the engine has each capture whole and once, and the outbox none.
  private func judge(_ bench: ClientBench) -> [Violation] {
    var found: [Violation] = []
    let stored = bench.engine.storedPaths
    let moments = stored.filter { $0.split(separator: "/").count == 3 }
    if moments.count > Self.captures.count {
      found.append(Violation(kind: .twice, detail: "\(moments.count) moments"))
    } else if stored.count != 7 {
      // Record, copy, turn and original; record, document and text.
      found.append(Violation(kind: .unfinished, detail: "\(stored.count) of 7 are stored"))
    }
    let kept = bench.files.paths.filter { $0.hasPrefix("\(ClientBench.captures)/") }
      .compactMap { bench.files.bytes(of: $0) }
    for path in stored where path.contains("/media/") {
      if let bytes = bench.engine.stored(path), !kept.contains(bytes) {
        found.append(Violation(kind: .wrongBytes, detail: path))
      }
    }
    // The copies that are kept are whole.
    let files = Self.captures.map { $0.document == nil ? 2 : 1 }
    if bench.copies.count != min(deviceCopies, files.count)
      || deviceCopies == files.count
        && bench.allNames.count != 1 + files.count + files.reduce(0, +)
    {
      found.append(Violation(kind: .unfinished, detail: "\(bench.allNames) are kept"))
    }
    if bench.outboxNames != ["lock"] {
      found.append(Violation(kind: .unfinished, detail: "\(bench.outboxNames) are left"))
    }
    return found
  }
}
