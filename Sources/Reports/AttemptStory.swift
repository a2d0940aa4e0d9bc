import Quantities
import Uploads

/// What became of the requests for one file, told from the engine's ledger, the timeline, and what the
/// user was told of it.
struct AttemptStory {
  /// A link on which nothing moved before a cut for less is no sign that it stood still.
  static let quietMinimum = 5.0

  /// No client lets a body stand still for less: a shorter pause before a cut, behind a full buffer, is
  /// no sign of an idle limit.
  static let idleMinimum = 15.0

  /// A line follows what it is about by less, in either direction of a busy machine.
  static let lineDelay = 2.0

  /// What small calls may add to the bytes of a body, as a part of it.
  static let smallCallShare = 0.01

  private let file: FileRecord
  private let variant: VariantRecord
  private let requests: [RequestRecord]

  init(of file: FileRecord, in variant: VariantRecord) {
    self.file = file
    self.variant = variant
    requests = variant.requests.filter {
      $0.step == file.step && $0.photo == file.photo
        && $0.capture.map { $0 == file.capture } ?? true
    }
  }

  /// `6 were reset after 70.9 s, 1 was open when the run ended`; nil when no request is known.
  var endings: String? {
    guard !requests.isEmpty else { return nil }
    return listed(
      requests.map(kind).distinct.map { kind in
        let these = requests.filter { self.kind($0) == kind }
        let ages = these.map(\.seconds)
        guard let least = ages.min(), let most = ages.max() else { return kind }
        let age =
          most - least <= max(0.5, most * 0.02)
          ? secondsText(most) : "\(secondsText(least)) to \(secondsText(most))"
        return "\(these.count) \(these.count == 1 ? "was" : "were") \(kind) after \(age)"
      })
  }

  private func kind(_ request: RequestRecord) -> String {
    if let status = request.status { return "answered \(status)" }
    return request.end == "open" ? "still open when the run ended" : request.ending
  }

  /// The most likely cause of a first request that was cut; nil when none was, or nothing tells.
  var cause: String? {
    guard let cut = requests.first(where: { $0.status == nil && $0.end != "open" }) else {
      return refusal
    }
    if cut.isScripted { return "The scenario scripts it: \(cut.ending)" }
    let end = cut.at + cut.seconds
    let window = variant.timeline.filter { $0.at >= cut.at && $0.at <= end }
    guard let final = window.last else { return nil }
    // Small calls beside the body, such as those that ask after the engine, are handed over too.
    let heads = Int(Double(file.bytes) * AttemptStory.smallCallShare)
    let handed = window.first { $0.handedOver >= final.handedOver - heads } ?? final
    let moved = window.first { $0.carried == final.carried } ?? final
    let crossed = "\(sizeText(cut.bodyBytes))\(ofBody) had reached the engine"
    let silent = end - handed.at
    if end - moved.at >= AttemptStory.quietMinimum {
      return "No byte crossed the link for \(about(end - moved.at)) before the cut"
        + " (\(crossed)). Likely cause: the link or the engine stood still"
    }
    let isCeiling = saysCeiling(at: end)
    if !isCeiling, silent >= AttemptStory.idleMinimum, final.carried > handed.carried {
      return "The client's socket took its last byte \(about(silent)) before the cut, and the link"
        + " was still carrying (\(crossed)). Likely cause: a limit of the client on the time without"
        + " a counted byte is shorter than the buffer takes to drain, and cut a healthy upload"
    }
    return "Bytes were moving until the cut (\(crossed)). Likely cause: a ceiling on the whole"
      + " request" + (isCeiling ? ", as the client says" : ", or a fault that the scenario scripts")
  }

  /// The user was told that it took too long as a whole, when it ended.
  private func saysCeiling(at end: Double) -> Bool {
    variant.statusLines.lines.contains { line in
      abs(line.first - end) <= AttemptStory.lineDelay && line.text.hasPrefix("\(file.capture):")
        && [StatusLine.unfinished, StatusLine.tooSlow].contains(where: line.text.contains)
    }
  }

  private var refusal: String? {
    guard let request = requests.first(where: { ($0.status ?? 0) >= 400 }),
      let status = request.status
    else { return nil }
    return "The engine refused with \(status)"
  }

  private var ofBody: String {
    file.bytes > 0 ? " of \(sizeText(file.bytes))" : ""
  }

  /// The timeline is thinned, so the time between two of its points is not known better than this.
  private func about(_ seconds: Double) -> String { "about \(fixed(seconds, decimals: 0)) s" }
}
