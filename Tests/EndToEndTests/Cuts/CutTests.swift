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
    static let sample = 40
    static let isWhole = getenv("ONEBAR_CUTS").map { String(cString: $0) } == "all"
    /// Over real sockets.
    static let real = isWhole ? 100 : 8
    static let factor = 30.0

    @Test(arguments: CutMatrix.Subject.allCases, ["after", "before"])
    func `cut anywhere, a capture is done, once, within one attempt of the least bytes`(
      subject: CutMatrix.Subject, policy: String
    ) throws {
      let scratch = try Scratch()
      let matrix = try CutMatrix(subject, policy: policy, in: "\(scratch.path)/captures")
      #expect(matrix.cuts.count == subject.steps.count * 2 * 101 * 3)
      let cuts = drawn(
        matrix.cuts, Self.isWhole ? matrix.cuts.count : matrix.cuts.count / Self.sample)
      let began = monotonicSeconds()
      let work = try OrderedWork(pieces: cuts.count, threads: Self.cores) { piece in
        { Result { try matrix.faults(of: cuts[piece]) } }
      }
      let faults = try cuts.flatMap { _ in try work.next {}.get() }
      #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
      print("cuts: \(subject), \(policy): \(cuts.count) in \(monotonicSeconds() - began) s")
    }

    @Test(arguments: CutMatrix.Mistake.allCases)
    func `a mistake of client or engine is caught by a cut`(mistake: CutMatrix.Mistake) throws {
      let scratch = try Scratch()
      let matrix = try CutMatrix(
        .photo, policy: "after", mistake: mistake, in: "\(scratch.path)/captures")
      var cases = 0
      for cut in drawn(matrix.cuts, 200) {
        cases += 1
        guard let fault = try matrix.faults(of: cut).first else { continue }
        print("cuts: \(mistake): caught by case \(cases): \(fault)")
        return
      }
      Issue.record("not caught in \(cases) cases")
    }

    @Test func `drawn cuts do the same to real sockets`() throws {
      let scratch = try Scratch()
      let executable = try OnebarProcess.executable
      var cases = 0
      var faults: [String] = []
      for subject in CutMatrix.Subject.allCases {
        let captures = "\(scratch.path)/\(subject)"
        let matrix = try CutMatrix(subject, policy: "after", in: captures)
        for cut in drawn(matrix.cuts, Self.real / 2) {
          let outbox = try scratch.folder("outbox-\(cases)")
          let setup = VariantRun.Setup(
            scenario: matrix.scenario(with: cut), variant: matrix.scenario(with: cut).variants[0],
            captures: matrix.captures, capturesFolder: captures, outboxFolder: outbox,
            executable: executable, factor: Self.factor)
          // On a thread of its own: it blocks the signals that it watches for.
          let record = inBackground {
            Result {
              let run = try VariantRun(setup, interruption: Interruption()) { _ in }
              try run.run()
              return run.evidence(isFinal: true).record()
            }
          }.wait()
          faults += matrix.faults(of: cut, try #require(record).get())
          if scratch.names(in: "outbox-\(cases)") != ["lock"] { faults.append("\(cut): left over") }
          cases += 1
        }
      }
      #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
      print("cuts: \(cases) over real sockets")
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private func drawn(_ cuts: [CutMatrix.Cut], _ count: Int) -> [CutMatrix.Cut] {
      var random = SeededRandom(seed: Self.seed).fork("cuts")
      return Array(cuts.shuffled(using: &random).prefix(count))
    }
  }
}
