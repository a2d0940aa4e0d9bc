import Captures
import Quantities
import Reports
import Scenarios
import ScratchEngine
import ThrottlingProxy
import Uploads

/// What is seen of one variant while it runs, the same in either world: its client's reports, the
/// lines that it shows, and the bytes on the link.
struct VariantWatch {
  private let captures: [String]
  private(set) var diary = ClientDiary()
  private(set) var sampler = LinkSampler()
  private(set) var statusLines = StatusLineLog()
  private(set) var newestLine = ""
  private var claimed: Int?
  /// Acts that are still to come.
  private var actsToCome: Int
  /// What the client was told to do for its user, and has not said to have done.
  private var toBeObeyed = 0

  init(_ scenario: Scenario) {
    captures = scenario.captures.map(\.plan.name)
    actsToCome = scenario.acts.count
  }

  /// Nothing more will happen to any capture, neither by itself nor by an act.
  var isOver: Bool {
    actsToCome == 0 && toBeObeyed == 0 && captures.allSatisfy(diary.isSettled)
  }

  mutating func take(_ report: BenchReport, at now: Instant) {
    if report == .obeyed { toBeObeyed = max(0, toBeObeyed - 1) }
    diary.add(report, at: now)
  }

  /// An act is done to the client now.
  mutating func note(_ deed: Act.Deed) {
    actsToCome -= 1
    switch deed {
    case .sendNow, .discard: toBeObeyed += 1
    // Of a client that has ended nothing more is heard.
    case .kill, .powerLoss: toBeObeyed = 0
    case .start, .refresh, .fillDisk, .freeDisk, .setClock: break
    }
  }

  /// Judges a line by what had been handed over when it was shown.
  mutating func show(_ text: String, link: LinkProxy.Reading, ledger: Ledger, at now: Instant) {
    let taken = Self.taken(link, ledger)
    newestLine = text
    let claim = ByteClaim(in: text)
    claimed = claim?.claimed
    statusLines.add(text: text, claim: claim, at: now, taken: taken.back)
  }

  mutating func sample(_ link: LinkProxy.Reading, ledger: Ledger, at now: Instant) {
    sampler.add(
      link, engineReceived: ledger.received, attempts: ledger.fileAttempts, claimed: claimed,
      at: now)
  }

  /// Takes the last sample of a run.
  mutating func end() {
    sampler.endAttempt()
  }

  private static func taken(_ link: LinkProxy.Reading, _ ledger: Ledger) -> TakenBytes {
    let newest = ledger.requests.last { $0.step?.isFileBody == true }
    return TakenBytes(
      onTheWay: link.held(received: ledger.received),
      newest: newest.map { .init(bodyBytes: $0.bodyBytes, isOpen: $0.end == .open) })
  }
}

extension Ledger {
  /// Requests that began to send a file's body.
  var fileAttempts: Int { requests.count { $0.step?.isFileBody == true } }
}
