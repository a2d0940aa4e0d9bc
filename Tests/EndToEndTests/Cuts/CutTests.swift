import FoundationEssentials
import Glibc
import Quantities
import Scenarios
import TestSupport
import Testing

@testable import Bench

extension EndToEnd {
  /// The first connection of a capture, cut at every place.
  @Suite struct Cuts {
    static let seed: UInt64 = 7
    /// One in so many of the whole matrix, or all of it when `ONEBAR_CUTS` is `all`.
    static let oneIn = 80
    static let isWhole = environment("ONEBAR_CUTS") == "all"
    /// Over real sockets.
    static let real = isWhole ? 100 : 4
    static let factor = 30.0

    @Test(arguments: CutMatrix.Subject.allCases)
    func `cut anywhere, a capture is done, once, within one attempt of the least bytes`(
      subject: CutMatrix.Subject
    ) throws {
      let scratch = try Scratch()
      let folder = "\(scratch.path)/captures"
      let captures = try CutMatrix.makeCaptures(of: subject, in: folder)
      var report = ""
      for policy in ["after", "before"] {
        let matrix = try CutMatrix(subject, policy: policy, captures, in: folder)
        #expect(matrix.cuts.count == subject.steps.count * 2 * 101 * 3)
        let cuts = drawn(matrix.cuts, Self.isWhole ? .max : matrix.cuts.count / Self.oneIn)
        let began = monotonicSeconds()
        let work = try OrderedWork(pieces: cuts.count, threads: Self.cores) { piece in
          { Result { try matrix.outcome(of: cuts[piece]) } }
        }
        let results = try cuts.compactMap { _ in try work.next {}?.get() }
        let faults = results.flatMap(\.faults)
        #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
        let most = results.map(\.surplus).max() ?? 0
        report +=
          "| \(subject), `\(policy)`, virtual | \(cuts.count) | \(faults.count) | \(most) B |\n"
        print("\(report)\(monotonicSeconds() - began) s")
      }
      try SearchReport.write(report, as: "cuts-\(subject)")
    }

    @Test func `each mistake of client or engine is caught by a cut`() throws {
      let scratch = try Scratch()
      let folder = "\(scratch.path)/captures"
      let captures = try CutMatrix.makeCaptures(of: .photo, in: folder)
      for mistake in CutMatrix.Mistake.allCases {
        let matrix = try CutMatrix(
          .photo, policy: "after", mistake: mistake, captures, in: folder)
        var caught: String?
        for cut in drawn(matrix.cuts, 200) where caught == nil {
          caught = try matrix.outcome(of: cut).faults.first
        }
        print("cuts: \(mistake): \(caught ?? "not caught")")
        #expect(caught != nil, "\(mistake)")
      }
    }

    @Test func `drawn cuts do the same to real sockets`() throws {
      let scratch = try Scratch()
      let executable = try OnebarProcess.executable
      var (cases, most) = (0, 0)
      var faults: [String] = []
      for subject in CutMatrix.Subject.allCases {
        let folder = "\(scratch.path)/\(subject)"
        let captures = try CutMatrix.makeCaptures(of: subject, in: folder)
        let matrix = try CutMatrix(subject, policy: "after", captures, in: folder)
        for cut in drawn(matrix.cuts, Self.real / 2) {
          let scenario = matrix.scenario(with: cut)
          let setup = VariantRun.Setup(
            scenario: scenario, variant: scenario.variants[0], captures: captures,
            capturesFolder: folder, clientFolder: try scratch.folder("outbox-\(cases)"),
            executable: executable, factor: Self.factor)
          // On a thread of its own: it blocks the signals that it watches for.
          let record = inBackground {
            Result {
              let run = try VariantRun(setup, interruption: Interruption()) { _ in }
              try run.run()
              return run.evidence(isFinal: true).record()
            }
          }.wait()
          let outcome = matrix.outcome(of: cut, try #require(record).get())
          faults += outcome.faults
          most = max(most, outcome.surplus)
          let left = scratch.names(in: "outbox-\(cases)")
          if !matrix.isClean(left) { faults.append("\(cut): \(left) are left") }
          cases += 1
        }
      }
      #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
      try SearchReport.write(
        "| both, `after`, real sockets | \(cases) | \(faults.count) | \(most) B |\n",
        as: "cuts-real")
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private func drawn(_ cuts: [CutMatrix.Cut], _ count: Int) -> [CutMatrix.Cut] {
      var random = SeededRandom(seed: Self.seed).fork("cuts")
      return Array(cuts.shuffled(using: &random).prefix(count))
    }
  }
}
