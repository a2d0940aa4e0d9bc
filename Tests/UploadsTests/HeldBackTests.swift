import Bench
import Captures
import Quantities
import TestSupport
import Testing
import Uploads

/// What `beyond` does not do again and again: a file that is too slow, and one that is refused whole.
struct HeldBackTests {
  /// A photo of 1 s at 200 KB/s, and one that takes 10 s.
  private let small = ClientBench.Capture(name: "small", copy: 100_000, original: 101_000)
  private let large = ClientBench.Capture(name: "large", copy: 100_000, original: 2_000_000)

  /// `beyond` with a ceiling of 40 s, in which 2 MB pass at 50 KB/s and more.
  private var impatient: UploadPolicy {
    var policy = UploadPolicy.beyond
    policy.ceiling = .seconds(40)
    return policy
  }

  private func bench(_ captures: [ClientBench.Capture], rate: Double) throws -> ClientBench {
    let bench = try ClientBench(captures)
    bench.engine.setLink { $0.rate = .kilobytes(rate) }
    return bench
  }

  @Test func `a file that the ceiling has cut is held, and the pass goes on without it`() throws {
    let bench = try bench([large, small], rate: 25)
    try bench.run(
      impatient, stop: 600, [(0, .save(capture: "large")), (0, .save(capture: "small"))])
    #expect(bench.states("large") == [.kept, .waiting, .sending, .held])
    #expect(bench.states("small").last == .done)
    #expect(bench.seen("original").count == 2)
    #expect(
      bench.texts.contains(
        "large: kept, needs a faster link: 2.00 MB did not get through in 40 s "
          + "[Send now, Discard]"))
    // It stays so after a start, and nothing is sent by itself.
    let sent = bench.engine.seen.count
    bench.files.restart()
    try bench.run(impatient, stop: 900, [])
    #expect(bench.states("large").last == .held && bench.engine.seen.count == sent)
  }

  @Test func `after the ceiling the published client sends the same file again and again`() throws {
    let bench = try bench([large], rate: 25)
    var policy = UploadPolicy.after
    policy.ceiling = .seconds(40)
    try bench.run(policy, stop: 600, [(0, .save(capture: "large"))])
    #expect(bench.seen("original").count == 6)
  }

  @Test func `the user can send a held file all the same, and it is held again`() throws {
    let bench = try bench([large], rate: 25)
    try bench.run(impatient, stop: 400, [(0, .save(capture: "large")), (200, .sendNow("large"))])
    #expect(bench.seen("original").map(\.at.seconds).last == 200)
    #expect(bench.seen("original").count == 2)
    #expect(bench.states("large").suffix(4) == [.kept, .waiting, .sending, .held])
  }

  /// 2 MB in 40 s are 50 KB/s; a copy of 100 KB with its round trip of 0.2 s shows a little less
  /// than the link has.
  @Test(arguments: [(48.0, false), (50, false), (60, true), (500, true)])
  func `a body that comes through fast enough lets a held file go, a slower one does not`(
    rate: Double, isEnough: Bool
  ) throws {
    let bench = try bench([large, small], rate: 25)
    bench.time.at(Instant(seconds: 100)) {
      bench.engine.setLink { $0.rate = .kilobytes(rate) }
    }
    try bench.run(
      impatient, stop: 400, [(0, .save(capture: "large")), (150, .save(capture: "small"))])
    #expect(bench.states("small").last == .done)
    #expect(bench.seen("original").count == (isEnough ? 3 : 2))
    #expect(bench.states("large").last == (isEnough ? .done : .held))
    #expect(bench.engine.replays.isEmpty)
  }

  @Test func `a body too small to show a rate lets nothing go`() {
    var entry = photoEntry(copy: 100_000, original: 2_000_000)
    #expect(SlowFile(of: entry, under: impatient) == nil)
    entry.held = .original
    let slow = SlowFile(of: entry, under: impatient)
    #expect(slow?.passes(where: 99_999, tookOnly: .seconds(0.1)) == false)
    #expect(slow?.passes(where: 100_000, tookOnly: .seconds(2)) == true)
    #expect(slow?.passes(where: 100_000, tookOnly: .seconds(2.01)) == false)
  }

  @Test func `the rests double from the third whole body, up to 15 minutes`() {
    let rests = (0...8).map { BackOff.rest(after: $0)?.inSeconds ?? 0 }
    #expect(rests == [0, 0, 0, 120, 240, 480, 900, 900, 900])
    #expect(BackOff.rest(after: .max) == .seconds(900))
  }

  /// Copies of the first photo are answered 503 for good; the other's is the fourth, once that rests.
  private func refused(_ policy: UploadPolicy, stop: Double) throws -> ClientBench {
    let bench = try bench([large, small], rate: 200)
    let answer = HTTPAnswer(status: 503)
    bench.engine.setScript { $0 == "copy" && $1 != 4 ? answer : nil }
    try bench.run(
      policy, stop: stop, [(0, .save(capture: "large")), (0, .save(capture: "small"))])
    return bench
  }

  @Test func `a copy that is refused whole rests from the third time on, and the others go on`()
    throws
  {
    let bench = try refused(.beyond, stop: 1_000)
    #expect(bench.states("small").last == .done)
    let copies = bench.reports.values.compactMap { at, report -> Double? in
      if case .began("large", .copy, _) = report { at.seconds } else { nil }
    }
    let pauses = zip(copies.dropFirst(), copies).map { $0 - $1 }
    // Each attempt takes 0.7 s; the sync loop looks every 60 s whether a rest is over.
    #expect(pauses.count >= 4)
    for (pause, least) in zip(pauses, [60.0, 60, 120, 240, 480]) {
      #expect(pause >= least && pause <= least + 65, "\(pauses)")
    }
    #expect(
      bench.texts.contains(
        "large: kept, waits for the engine: HTTP 503; the whole file was refused 3 times, "
          + "next try after 120 s [Send now]"))
  }

  @Test func `without back-off the others starve behind it`() throws {
    let bench = try refused(.after, stop: 170)
    #expect(bench.steps == ["record", "copy", "copy", "copy"])
    #expect(!bench.states("small").contains(.sending))
  }

  @Test func `a rest begins again with the client, and the user can end it`() throws {
    let bench = try refused(.beyond, stop: 130)
    let sent = bench.seen("copy").count
    bench.files.restart()
    try bench.run(.beyond, stop: 210, [(200, .sendNow("large"))])
    let later = bench.seen("copy").dropFirst(sent)
    #expect(later.map(\.at.seconds).filter { $0 > 131 } == [200])
    #expect(
      bench.texts.contains(
        "large: kept, waits for the engine: the whole file was refused 3 times, "
          + "next try after 120 s [Send now]"))
  }

  @Test(arguments: [UploadPolicy.Strangers.park, .wait])
  func `a portal's 403 and 404 park where they are believed, and wait in beyond`(
    strangers: UploadPolicy.Strangers
  ) throws {
    for status in [404, 410] {
      let bench = try bench([small], rate: 200)
      bench.engine.setScript { step, attempt in
        step == "record" && attempt == 1
          ? HTTPAnswer(status: status, body: Array("<html>Log in</html>".utf8)) : nil
      }
      var policy = UploadPolicy.beyond
      policy.strangers = strangers
      try bench.run(policy, stop: 200, [(0, .save(capture: "small"))])
      #expect(bench.states("small").last == (strangers == .wait ? .done : .parked))
    }
  }
}

/// The settings that take something away, and what that costs.
struct AblationTests {
  private func bench(_ captures: [String] = ["photo-1"]) throws -> ClientBench {
    let bench = try ClientBench(captures.map { .init(name: $0) })
    bench.engine.setLink { $0.rate = .kilobytes(200) }
    return bench
  }

  private func policy(_ change: (inout UploadPolicy) -> Void) -> UploadPolicy {
    var policy = UploadPolicy.after
    change(&policy)
    return policy
  }

  @Test func `without the done set a retry starts from the record, as replays`() throws {
    let bench = try bench()
    bench.engine.setScript { $0 == "turn" && $1 == 1 ? HTTPAnswer(status: 503) : nil }
    try bench.run(
      policy { $0.doneSet = false }, stop: 200, [(0, .save(capture: "photo-1"))])
    #expect(
      bench.steps
        == ["record", "copy", "turn", "record", "copy", "turn", "original", "readback"])
    #expect(bench.engine.replays.count == 2 && bench.engine.storedPaths.count == 4)
    #expect(bench.states("photo-1").last == .done)
  }

  @Test(arguments: ["record", "copy", "turn", "original"])
  func `without stable ids a lost answer leaves it there twice`(step: String) throws {
    let bench = try bench()
    // Stored, and the answer is none.
    bench.engine.setCut(.init(step, .down, percent: 50, end: .reset))
    try bench.run(
      policy { $0.stableIDs = false }, stop: 200, [(0, .save(capture: "photo-1"))])
    #expect(bench.states("photo-1").last == .done)
    #expect(bench.engine.replays.isEmpty && bench.engine.storedPaths.count == 5)
    #expect(Set(bench.seen(step).map(\.path)).count == (step == "turn" ? 1 : 2))
    let renamed = bench.reports.values.count { if case .renamed = $1 { true } else { false } }
    #expect(renamed == (step == "record" ? 1 : 0))
    #expect(bench.outboxNames == ["lock"])
  }

  @Test func `the newest capture can go first, and an original before its copy`() throws {
    for order in UploadPolicy.Order.allCases {
      let bench = try bench(["a", "b"])
      bench.engine.setLink { $0.isOffline = true }
      bench.time.at(Instant(seconds: 50)) { bench.engine.setLink { $0.isOffline = false } }
      try bench.run(
        policy { $0.order = order }, stop: 200,
        [(0, .save(capture: "a")), (1, .save(capture: "b"))])
      let began = bench.reports.values.compactMap { _, report -> String? in
        guard case .began(let capture, let step, _) = report,
          ["copy", "original"].contains("\(step)")
        else { return nil }
        return "\(capture) \(step)"
      }
      switch order {
      case .capture: #expect(began == ["a copy", "a original", "b copy", "b original"])
      case .newestFirst: #expect(began == ["b copy", "b original", "a copy", "a original"])
      case .originalFirst: #expect(began == ["a original", "a copy", "b original", "b copy"])
      }
      #expect(bench.states("a").last == .done && bench.states("b").last == .done)
    }
  }
}
