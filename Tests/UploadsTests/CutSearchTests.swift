import Bench
import Quantities
import TestSupport
import Testing
import Uploads

struct CutSearchTests {
  /// A capture and its steps, each of which is cut.
  struct Subject: Sendable, CustomTestStringConvertible {
    var capture: ClientBench.Capture
    var steps: [String]

    var testDescription: String { capture.name }
  }

  static let subjects = [
    Subject(
      capture: ClientBench.Capture(name: "photo-1", copy: 2_000, original: 5_000),
      steps: ["record", "copy", "turn", "original", "readback"]),
    Subject(
      capture: ClientBench.Capture(name: "paper-1", document: 3_000),
      steps: ["record", "document", "text", "readback"]),
  ]

  @Test(arguments: subjects, MemoryEngine.End.allCases)
  func `cut at every percent, a capture is done, once, within one attempt of the least bytes`(
    subject: Subject, end: MemoryEngine.End
  ) throws {
    let (faults, story) = try search(subject, end)
    #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
    print("cut search: \(subject.capture.name), \(end): \(story)")
  }

  @Test func `a client that mints its ids when it sends is caught`() throws {
    let (faults, _) = try search(Self.subjects[0], .close) { $0.forgetsIDs = true }
    print("cut search: forgetsIDs: \(faults.count) faults, the first \(faults.first ?? "")")
    #expect(faults.first?.contains("stored twice") == true)
  }

  /// Cuts each step in both directions at each percent; what was wrong, and the figures.
  private func search(
    _ subject: Subject, _ end: MemoryEngine.End,
    _ change: @Sendable (inout MemoryEngine.Link) -> Void = { _ in }
  ) throws -> (faults: [String], story: String) {
    // Without a cut: what has to be stored, and the bytes of it.
    let whole = try run(subject, cut: nil)
    let least = whole.engine.seen.map(\.carried).reduce(0, +)
    #expect(whole.steps == subject.steps)
    var faults: [String] = []
    var (cases, repeats, replays, worst) = (0, 0, 0, 0)
    for step in subject.steps {
      let body = try #require(whole.seen(step).first).bodyBytes
      for direction in MemoryEngine.Cut.Direction.allCases {
        for percent in 0...100 {
          let cut = MemoryEngine.Cut(step, direction, percent: percent, end: end)
          let bench = try run(subject, cut: cut, change)
          let surplus = bench.engine.seen.map(\.carried).reduce(0, +) - least
          let isAgain = bench.seen(step).count == 2
          let stored = bench.engine.storedPaths.count
          func hold(_ isTrue: Bool, _ fault: String) {
            if !isTrue { faults.append("\(step) \(direction) at \(percent) %: \(fault)") }
          }
          hold(bench.states(subject.capture.name).last == .done, "not done")
          hold(bench.outboxNames == ["lock"], "files are left")
          hold(stored >= whole.engine.storedPaths.count, "not stored")
          hold(stored <= whole.engine.storedPaths.count, "stored twice")
          hold((0...body).contains(surplus), "\(surplus) bytes more")
          // The step that was cut is repeated once at most, and no other.
          hold(bench.steps.count == whole.steps.count + (isAgain ? 1 : 0), "\(bench.steps)")
          hold(bench.engine.replays.count <= (isAgain ? 1 : 0), "replayed more than repeated")
          // Only an answer that arrived whole spares the repeat.
          hold(isAgain == (direction == .up || percent < 100), "repeated: \(isAgain)")
          cases += 1
          repeats += isAgain ? 1 : 0
          replays += bench.engine.replays.count
          worst = max(worst, surplus)
        }
      }
    }
    let story =
      "\(cases) cuts, \(repeats) repeats, \(replays) of what was stored, at most \(worst) bytes "
      + "more than \(least)"
    return (faults, story)
  }

  private func run(
    _ subject: Subject, cut: MemoryEngine.Cut?,
    _ change: @Sendable (inout MemoryEngine.Link) -> Void = { _ in }
  ) throws -> ClientBench {
    let bench = try ClientBench([subject.capture])
    bench.engine.setLink { $0.buffer = 1_000 }
    bench.engine.setLink(change)
    bench.engine.setCut(cut)
    var policy = UploadPolicy.after
    policy.idle = .fixed(.seconds(10))
    policy.syncPause = .seconds(2)
    try bench.run(policy, stop: 120, [(0, .save(capture: subject.capture.name))]) { report in
      if case .state(_, .done) = report { true } else { false }
    }
    return bench
  }
}
