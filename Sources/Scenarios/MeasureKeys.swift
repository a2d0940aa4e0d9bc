import Captures
import Quantities

struct ExpectationDraft {
  var key: MeasureKey
  var expected: Expected
  var text: String
  var mark: Mark
}

/// One measure that an expectation can name.
struct MeasureKey: Sendable {
  /// In what a measure is counted.
  enum Unit: Sendable {
    case count, bytes, seconds
  }

  let name: String
  let measure: Measure
  let unit: Unit
  let summary: String
  /// The step whose files it is about.
  var step: UploadStep?

  /// The words that this measure takes beside numbers.
  var words: [String] {
    switch measure {
    case .landed: ["all", "none"]
    case .finished, .firstLiveLine, .exit: ["never"]
    default: []
    }
  }

  /// The client itself has to tell it.
  var needsBuiltIn: Bool {
    switch measure {
    case .parked, .held, .discarded, .notSaved, .lost: true
    default: false
    }
  }

  /// Its lines have to be judged.
  var needsClaims: Bool {
    switch measure {
    case .falseLines, .worstMegabytes, .worstSeconds: true
    default: false
    }
  }

  /// Whether `each` counts single things of it.
  var countsEach: Bool {
    if case .attempts = measure { return true }
    return false
  }
}

/// The keys of one variant in `expect`.
enum MeasureKeys {
  static let all: [MeasureKey] =
    [
      MeasureKey(
        name: "attempts", measure: .attempts(step: nil), unit: .count,
        summary: "Requests that began to send a file's body, all files together, or each.")
    ]
    + UploadStep.files.map {
      MeasureKey(
        name: "attempts.\($0.rawValue)", measure: .attempts(step: $0.rawValue), unit: .count,
        summary: "Attempts of this step, all captures together, or each.", step: $0)
    } + [
      MeasureKey(
        name: "wire", measure: .wire(step: nil), unit: .bytes,
        summary: "Body bytes of all files on the wire, over all attempts.")
    ]
    + UploadStep.files.map {
      MeasureKey(
        name: "wire.\($0.rawValue)", measure: .wire(step: $0.rawValue), unit: .bytes,
        summary: "Body bytes of this step on the wire, over all attempts.", step: $0)
    } + [
      MeasureKey(
        name: "landed", measure: .landed, unit: .count,
        summary: "Files whose receipt the client has: all, none, or a number."),
      MeasureKey(
        name: "finished", measure: .finished, unit: .seconds,
        summary: "When the last file's receipt has arrived, in link seconds."),
      MeasureKey(
        name: "useful", measure: .useful, unit: .bytes,
        summary: "Body bytes of the attempts that were stored first."),
      MeasureKey(
        name: "repeated", measure: .repeated, unit: .bytes,
        summary: "Body bytes of later attempts at what was stored."),
      MeasureKey(
        name: "abandoned", measure: .abandoned, unit: .bytes,
        summary: "Body bytes of attempts that were never stored."),
      MeasureKey(
        name: "overhead", measure: .overhead, unit: .bytes,
        summary: "Everything else on the wire: heads and small calls."),
      MeasureKey(
        name: "lines.distinct", measure: .distinctLines, unit: .count,
        summary: "Different texts of the status line."),
      MeasureKey(
        name: "lines.live", measure: .liveLines, unit: .count,
        summary: "Lines with a byte count that no earlier line had."),
      MeasureKey(
        name: "lines.first-live", measure: .firstLiveLine, unit: .seconds,
        summary: "When the first line with live figures was shown."),
      MeasureKey(
        name: "lines.longest-silence", measure: .longestSilence, unit: .seconds,
        summary: "The longest time without a new line while a capture was not done."),
      MeasureKey(
        name: "lines.false", measure: .falseLines, unit: .count,
        summary: "Lines that were not so, by what link and engine knew."),
      MeasureKey(
        name: "lines.worst-megabytes", measure: .worstMegabytes, unit: .bytes,
        summary: "The most that a line's byte count was ahead of what had crossed the link."),
      MeasureKey(
        name: "lines.worst-seconds", measure: .worstSeconds, unit: .seconds,
        summary: "The longest time for which a line stood that was not so."),
      MeasureKey(
        name: "parked", measure: .parked, unit: .count,
        summary: "Captures that the engine refused for good."),
      MeasureKey(
        name: "held", measure: .held, unit: .count,
        summary: "Captures that need a faster link, or the user."),
      MeasureKey(
        name: "discarded", measure: .discarded, unit: .count,
        summary: "Captures that the user gave up."),
      MeasureKey(
        name: "not-saved", measure: .notSaved, unit: .count,
        summary: "Captures that the client could not keep, and said so."),
      MeasureKey(
        name: "duplicates", measure: .duplicates, unit: .count,
        summary: "Captures that the engine holds more than once."),
      MeasureKey(
        name: "lost", measure: .lost, unit: .count,
        summary: "Captures that neither engine nor client holds."),
      MeasureKey(
        name: "exit", measure: .exit, unit: .count,
        summary: "The exit status of a command's last process; never when it did not exit itself."),
    ]

  private static let fields = all.map { key in
    (key: key, field: Field(key.name, Reading<Expected>.expected(of: key).placed, key.summary))
  }

  static let reading = Reading<[ExpectationDraft]>.record(fields.map(\.field.known)) { record in
    var drafts: [ExpectationDraft] = []
    // In the order of the file, which is the order of the reports.
    for entry in record.entries {
      guard let (key, field) = fields.first(where: { $0.key.name == entry.key }),
        let expected = record.take(field), case .scalar(let text) = entry.value.content
      else { continue }
      drafts.append(
        ExpectationDraft(key: key, expected: expected.value, text: text, mark: entry.mark))
    }
    return drafts
  }
}
