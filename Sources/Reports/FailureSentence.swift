import Quantities
import Scenarios

/// Why an expectation does not hold, for a reader who has seen nothing else.
///
/// Which variant, what was expected and measured, what happened, and the likely cause where the
/// record shows one.
struct FailureSentence {
  private let expectation: Expectation
  private let measured: String
  private let variant: VariantRecord

  init(_ expectation: Expectation, measured: String, variant: VariantRecord) {
    self.expectation = expectation
    self.measured = measured
    self.variant = variant
  }

  static func notMeasured(_ expectation: Expectation, _ reason: String) -> String {
    "\(expectation.variant): \(subject(expectation.measure)): expected \(expectation.text), "
      + "not measured: \(reason), and what was not measured is no pass."
  }

  var text: String {
    let head =
      "\(variant.name): \(FailureSentence.subject(expectation.measure)): "
      + "expected \(expectation.text), measured \(measured)"
    let parts = [head + ": " + consequence] + causes
    return parts.joined(separator: ". ") + "."
  }

  private static func subject(_ measure: Measure) -> String {
    switch measure {
    case .attempts(let step?): "attempts of the \(noun(ofStep: step))"
    case .attempts: "attempts of the files"
    case .wire(let step?): "bytes of the \(noun(ofStep: step)) on the wire"
    case .wire: "bytes of the files on the wire"
    case .landed: "files that landed"
    case .finished: "time of the last receipt"
    case .useful: "useful bytes"
    case .repeated: "repeated bytes"
    case .abandoned: "abandoned bytes"
    case .overhead: "overhead bytes"
    case .distinctLines: "distinct status lines"
    case .liveLines: "status lines with a new byte count"
    case .firstLiveLine: "first status line with a true byte count"
    case .longestSilence: "longest time without a new status line"
    case .falseLines: "status lines that were false"
    case .worstMegabytes: "bytes that a status line was ahead of the link"
    case .worstSeconds: "longest time for which a false status line stood"
    case .parked: "parked captures"
    case .held: "held captures"
    case .discarded: "discarded captures"
    case .notSaved: "captures that were not saved on the device"
    case .duplicates: "captures that the engine holds twice"
    case .lost: "lost captures"
    case .exit: "exit status of the client"
    }
  }

  private var consequence: String {
    let wire = variant.wire
    switch expectation.measure {
    case .attempts(let step): return attempts(files(step))
    case .wire(let step):
      let files = files(step)
      let size = files.reduce(0) { $0 + $1.bytes }
      return "\(attempts(files)); the \(files.count == 1 ? "file is" : "files are") "
        + "\(sizeText(size)), and sending that once is enough"
    case .landed:
      return variant.finishedAt == nil ? unfinished : "every file has its receipt"
    case .finished:
      guard let finished = variant.finishedAt else { return unfinished }
      return "\(difference(finished)); \(attempts(variant.files))"
    case .useful: return "these bytes were of the attempts that the engine stored first"
    case .repeated: return "these bytes sent again what the engine already held"
    case .abandoned:
      return "these bytes were of attempts that the engine never stored, so they were sent for"
        + " nothing"
    case .overhead:
      return "heads and small calls are \(share(wire.overhead, of: wire.up)) of all bytes sent"
    case .distinctLines:
      return "the user was shown this many different texts while the work went on"
    case .liveLines, .firstLiveLine:
      guard let first = variant.statusLines.firstLiveAt else {
        return "no line ever stated bytes that had left, so the user could not see it move"
      }
      return "the first line that stated bytes stood at \(secondsText(first))"
    case .longestSilence:
      return "for that long the user saw no new line while a capture was on its way"
    case .falseLines, .worstSeconds:
      let findings = variant.honesty?.findings ?? []
      return findings.isEmpty
        ? "no line was false" : findings.joined(separator: " ").dropLastStop
    case .worstMegabytes:
      return "so much of a body had not crossed when a line counted it"
    case .parked:
      return
        "that many captures were refused for good, or are not with the engine as they were sent, and"
        + " wait for the user"
    case .held:
      return "that many captures need a faster link than they met, or the user"
    case .discarded:
      return "that many captures were given up by the user"
    case .notSaved:
      let reasons = (variant.notSaved ?? []).map { "\($0.capture): \($0.reason)" }
      return reasons.isEmpty ? "every capture was kept" : limited(reasons, to: 2)
    case .duplicates:
      return "an id was not kept over a repeat, so that the engine took one capture for two"
    case .lost:
      return "a capture that the client said it kept is neither there nor on the engine"
    case .exit:
      return "the client's last process "
        + (variant.process?.ending.map { "ended \($0)" } ?? "was still running when the run ended")
    }
  }

  /// Causes are told where attempts can explain the failure, of each step that did not go well.
  private var causes: [String] {
    let step: String?
    switch expectation.measure {
    case .attempts(let named), .wire(let named): step = named
    case .landed, .finished, .abandoned, .repeated: step = nil
    default: return []
    }
    let files = files(step).filter { !$0.landed || $0.attempts > 1 }
    return files.map(\.step).distinct.compactMap { step in
      files.lazy.filter { $0.step == step }.compactMap { AttemptStory(of: $0, in: variant).cause }
        .first
    }
  }

  private func files(_ step: String?) -> [FileRecord] {
    variant.files.filter { step == nil || $0.step == step }
  }

  /// How often each file was begun, how the requests ended, and whether it landed.
  private func attempts(_ files: [FileRecord]) -> String {
    // A failed run of many captures would bury the reader; the rest stands in the tables.
    let told = files.filter { !$0.landed || $0.attempts != 1 }.prefix(4)
    guard !told.isEmpty else { return "each was begun once and landed" }
    let sentences = told.map { file in
      var sentence =
        "the \(file.label(among: variant.files)) was "
        + (file.attempts == 0 ? "never begun" : "begun \(counted(file.attempts, "time"))")
      if let endings = AttemptStory(of: file, in: variant).endings {
        sentence += " (\(endings))"
      }
      if let at = file.landedAt, file.landed {
        return sentence + " and landed at \(secondsText(at))"
      }
      return file.landed
        ? sentence + " and landed"
        : sentence + (file.attempts == 0 ? "" : " and did not land")
    }
    return sentences.joined(separator: "; ")
  }

  private var unfinished: String {
    let landed = variant.files.filter(\.landed).count
    let when =
      switch variant.outcome {
      case .clientEnded:
        "when the client's process ended \(variant.clientEnd ?? "by itself")"
      case .finished:
        variant.process?.ending.map { "when the client's process had ended \($0)" }
          ?? "when nothing was left to send"
      case .horizon, .interrupted:
        "when the run ended at \(secondsText(variant.horizon))"
      }
    let share = landed == 0 ? "nothing" : "\(landed) of \(counted(variant.files.count, "file"))"
    return "\(share) had landed \(when): \(attempts(variant.files))"
  }

  private func difference(_ finished: Double) -> String {
    guard case .number(_, let bound, _) = expectation.expected, bound > 0 else {
      return "the last receipt came at \(secondsText(finished))"
    }
    let late = finished - bound
    return "the last receipt came \(secondsText(abs(late))) "
      + "(\(trimmed(abs(late) / bound * 100, decimals: 1)) %) \(late > 0 ? "later" : "earlier")"
  }

  private func share(_ part: Int, of whole: Int) -> String {
    whole > 0 ? "\(trimmed(Double(part) / Double(whole) * 100, decimals: 1)) %" : "none"
  }
}

extension String {
  /// Without a full stop at its end, for one sentence within another.
  fileprivate var dropLastStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
