import Quantities

/// What an answer, or the lack of one, means for a step.
package enum Judgement: Hashable, Sendable {
  case landed
  /// It is over for good: the entry is parked, with the reason for the user; `ofFile` when no
  /// other try with the same file would fare better.
  case permanent(String, ofFile: Bool = false, as: Parking = .refused)
  /// It may work later: the entry is put back. `retryAfter` is what the engine asked for, capped.
  case transient(String, retryAfter: Duration? = nil)

  /// The longest wait that an engine can ask for.
  package static let retryAfterMax = Duration.seconds(900)
  /// Characters of an engine's own words that are kept.
  private static let wordsMax = 200
  /// The refusals that a later try may overcome; every other 4xx is for good.
  private static let passing = [401, 403, 408, 425, 429]
  /// The refusals that mean the file itself: too large, of a wrong type, or not what it has to be.
  private static let fileRefusals = [413, 415, 422]

  /// Judges how a request for `step` of `entry` ended.
  package init(
    _ result: SendResult, for step: PlannedStep, of entry: OutboxEntry,
    strangers: UploadPolicy.Strangers = .park
  ) {
    switch result {
    case .answered(let answer):
      self.init(answer, for: step, of: entry, strangers)
    case .expired(let limit):
      self = .transient(limit.sentence)
    case .failed(.file(let words)):
      // It is this device's own file: no later try would find another one.
      self = .permanent("a file of it cannot be read: \(words)", ofFile: true, as: .unsendable)
    case .failed(let failure):
      self = .transient(failure.sentence)
    }
  }

  private init(
    _ answer: HTTPAnswer, for step: PlannedStep, of entry: OutboxEntry,
    _ strangers: UploadPolicy.Strangers
  ) {
    switch answer.status {
    case 409 where Self.isReceipt(answer, for: step, of: entry):
      // What it conflicts with is this very step, from a try whose answer was lost.
      self = .landed
    case 200..<300 where step == .readback:
      self = Self.readBack(answer, of: entry)
    case 200..<300:
      self =
        Self.isReceipt(answer, for: step, of: entry)
        ? .landed
        : .transient("HTTP \(answer.status) without the engine's receipt")
    case 401..<500 where strangers == .wait && readJSON(Refusal.self, answer.body) == nil:
      self = .transient(
        "something else than the engine answered with HTTP \(answer.status)",
        retryAfter: Self.wait(in: answer))
    case 400..<500 where !Self.passing.contains(answer.status):
      self = .permanent(
        Self.reason(of: answer),
        ofFile: step.isFile && Self.fileRefusals.contains(answer.status))
    default:
      var words = Self.reason(of: answer)
      let wait = Self.wait(in: answer)
      if let wait { words += ", to be tried again after \(wait.text)" }
      self = .transient(words, retryAfter: wait)
    }
  }

  private static func wait(in answer: HTTPAnswer) -> Duration? {
    RetryAfter.delay(in: answer).map { min($0, retryAfterMax) }
  }

  /// Whether an answer says what this engine says, of exactly this step.
  private static func isReceipt(
    _ answer: HTTPAnswer, for step: PlannedStep, of entry: OutboxEntry
  ) -> Bool {
    switch step {
    case .record:
      return readJSON(MomentAnswer.self, answer.body)?.id == entry.moment
    case .file(let file):
      let receipt = readJSON(Receipt.self, answer.body)
      return receipt == Receipt(id: file.media, bytes: file.bytes, sha256: file.sha256)
    case .turn:
      return readJSON(RequestAnswer.self, answer.body)?.request_id == entry.turn
    case .text:
      return readJSON(RequestAnswer.self, answer.body)?.request_id == entry.text
    case .encounter:
      return readJSON(RequestAnswer.self, answer.body)?.request_id == entry.requestID
    case .readback:
      return readBack(answer, of: entry) == .landed
    }
  }

  /// A record that is not as it was sent parks its entry, with the word for it: no further reading
  /// would change it, and what is behind it need not wait.
  private static func readBack(_ answer: HTTPAnswer, of entry: OutboxEntry) -> Judgement {
    let record: ReadRecord?
    if entry.kind == .plate {
      let list = readJSON(EncounterList.self, answer.body)?.encounters
      if list?.isEmpty == true {
        return .permanent("the engine has no record of this plate", as: .unconfirmed)
      }
      record = list?.first
    } else {
      record = readJSON(ReadRecord.self, answer.body).flatMap { $0.id == entry.moment ? $0 : nil }
    }
    guard let record else {
      return .transient("HTTP \(answer.status) without the engine's record")
    }
    return record.difference(from: entry).map {
      .permanent(
        "the record that was read back differs from what was sent in \($0)", as: .unconfirmed)
    } ?? .landed
  }

  /// The engine's own words where there are any, and the status always.
  private static func reason(of answer: HTTPAnswer) -> String {
    guard let refusal = readJSON(Refusal.self, answer.body) else { return "HTTP \(answer.status)" }
    return "\(refusal.error.message.prefix(wordsMax)) (HTTP \(answer.status))"
  }
}

extension TransportFailure {
  /// What happened, as a sentence without its full stop.
  package var sentence: String {
    switch self {
    case .notConnected(let words): "no connection: \(words)"
    case .broken(let words): "the connection broke: \(words)"
    case .answerTooLarge: "the answer was too large"
    case .file(let words): "the file cannot be read: \(words)"
    case .cut: "the request was cut"
    }
  }
}

/// The wait that an engine asks for in `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// Nil when there is none, or none that can be understood.
  ///
  /// A date is read against the answer's own `Date`, since this client has no wall clock.
  package static func delay(in answer: HTTPAnswer) -> Duration? {
    guard let text = answer.header("Retry-After") else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than fit are more seconds than the cap.
      return text.isEmpty ? nil : .seconds(min(Int64(text) ?? .max, 1_000_000_000))
    }
    guard let then = CivilTime.seconds(httpDate: text),
      let now = answer.header("Date").flatMap(CivilTime.seconds(httpDate:))
    else { return nil }
    return .seconds(max(0, then - now))
  }
}

// The names of these properties are the contract's own.

private struct MomentAnswer: Decodable {
  var id: String
}

private struct Receipt: Decodable, Hashable {
  var id: String
  var bytes: Int
  var sha256: String
}

private struct EncounterList: Decodable {
  var encounters: [ReadRecord]
}

private struct RequestAnswer: Decodable {
  var request_id: String
}

private struct Refusal: Decodable {
  struct Detail: Decodable {
    var message: String
  }
  var error: Detail
}
