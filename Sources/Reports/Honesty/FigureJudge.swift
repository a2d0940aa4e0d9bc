import Captures
import Quantities
import Scenarios

/// Holds the figures in the lines of a client that is not ours against what engine and link knew.
///
/// Such a line does not say which attempt it is about, nor of what time its rate is: it is given the
/// benefit of every reading that could be meant.
struct FigureJudge {
  /// The stretches of time before a line over which programs take a rate, beside the whole attempt.
  private static let stretches: [Duration] = [1, 2, 3, 5, 10, 30].map { .seconds($0) }
  /// In the beginning buffers fill, and there is no rate.
  private static let rateAfter = Duration.seconds(2)

  /// Of what a line speaks: the request, by its place among all, and the file.
  struct Subject {
    var request: Int?
    var file: RunTruth.File?
    /// Another upload may be meant as well: one that seems to go on, or has ended just now.
    var isDoubtful = false
  }

  private let truth: RunTruth
  /// The requests that send files, by their places.
  private let uploads: [(index: Int, request: RunTruth.Request)]

  init(_ truth: RunTruth) {
    self.truth = truth
    uploads = truth.requests.enumerated().filter { $1.step?.step.sendsFile == true }
      .map { ($0, $1) }
  }

  /// The newest upload, as its client knows them: it speaks of one before the head has crossed, and
  /// hears of an end a latency later than the engine does.
  func subject(of claim: FigureClaim, at instant: Instant) -> Subject {
    let own = uploads.filter { claim.file == nil || $0.request.step?.step == claim.file }
    let begun = own.filter { $0.request.begunAt <= instant + truth.stampLag }
    guard let newest = begun.last ?? own.first else {
      let files = truth.files.filter { claim.file == nil || $0.step.step == claim.file }
      return Subject(file: files.count == 1 ? files[0] : nil)
    }
    let others = begun.dropLast().map(\.request).filter { other in
      other.endedAt.map { instant <= $0 + truth.latencyDown + truth.stampLag } ?? true
    }
    let isOfOne = others.allSatisfy {
      $0.capture == newest.request.capture && $0.step == newest.request.step
    }
    let file = truth.files.first {
      $0.capture == newest.request.capture && $0.step == newest.request.step
    }
    return Subject(
      request: newest.index, file: isOfOne ? file : nil, isDoubtful: !others.isEmpty)
  }

  /// Bytes that it claims of a body, all of one that is done; nil when it claims none, or a share of
  /// an unknown one.
  func claimed(_ claim: FigureClaim, of subject: Subject) -> Int? {
    claim.claimed?.wholeBytes(of: subject.file?.bytes)
      ?? (claim.isDone ? subject.file?.bytes : nil)
  }

  func carried(of subject: Subject, by instant: Instant) -> Int {
    Int(subject.request.map { truth.requests[$0].trail.bytes(at: instant) } ?? 0)
  }

  /// What is not so in a line, why; `shown` is the most that the same attempt has shown before, and
  /// `backed` the most of it that its sockets had taken for certain.
  func falsehood(
    in claim: FigureClaim, of subject: Subject, at instant: Instant, taken: Int, shown: Double,
    backed: Double
  ) -> (LineVerdict.Falsehood, why: String)? {
    if claim.isDone, !hasLanded(subject, by: instant) {
      let name = subject.file.map { "the \($0.step)" } ?? "a file"
      return (.done, "the engine's answer to \(name) had not arrived")
    }
    if let size = subject.file?.bytes {
      let total = claim.total
      if let above = total?.above(of: size), let below = total?.below(of: size),
        !(above < Double(size) && Double(size) < below)
      {
        return (.total, "the file has \(sizeText(size))")
      }
      if let above = claim.claimed?.above(of: size), above >= Double(size) {
        return (.total, "that is more than the whole file, which has \(sizeText(size))")
      }
    }
    if !subject.isDoubtful, let below = claim.claimed?.below(of: subject.file?.bytes),
      below <= shown
    {
      let most = Int(min(shown, Figure.bytesMax))
      return (.backwards, "the same attempt had shown \(sizeText(most)) before")
    }
    if let above = claim.claimed?.above(of: subject.file?.bytes), above > Double(taken),
      above > backed
    {
      return (.notTaken, "the client's sockets had not taken so much")
    }
    return claim.rate.flatMap { wrong($0, of: subject, at: instant) }.map { (.rate, $0) }
  }

  /// An answer that accepts the whole file has crossed the link.
  private func hasLanded(_ subject: Subject, by instant: Instant) -> Bool {
    let sent = instant.advanced(by: .zero - truth.latencyDown)
    if let file = subject.file {
      return uploads.contains {
        $0.request.capture == file.capture && $0.request.step == file.step
          && $0.request.storedSHA256 != nil && $0.request.isAccepted(by: sent)
      }
    }
    return subject.request.map { truth.requests[$0].isAccepted(by: sent) } ?? false
  }

  private func wrong(_ rate: Figure, of subject: Subject, at instant: Instant) -> String? {
    guard let request = subject.request.map({ truth.requests[$0] }),
      let above = rate.above(of: nil), let below = rate.below(of: nil)
    else { return nil }
    let whole = instant - request.startedAt + truth.latencyUp
    guard whole >= Self.rateAfter else { return nil }
    let carried = CarriedRate(request.trail, truth)
    var misses: [Double] = []
    // A line may be a second old, and so may its rate.
    for end in [instant, instant.advanced(by: .zero - truth.grace)] {
      for stretch in Self.stretches.filter({ $0 < whole }) + [whole] {
        let start = end.advanced(by: .zero - stretch)
        guard let miss = carried.miss(max(0, above)...below, from: start, to: end) else {
          return nil
        }
        misses.append(miss)
      }
    }
    let shown = (above + below) / 2
    let nearest = misses.min { abs($0 - shown) < abs($1 - shown) } ?? 0
    return "nothing like it was carried in any time up to then;"
      + " \(DataRate(bytesPerSecond: max(0, nearest))) comes nearest"
  }
}
