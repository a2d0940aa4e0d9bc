import Captures
import LinkModel
import Quantities
import Reports
import Scenarios
import ScratchEngine
import ThrottlingProxy
import UploadAdapters
import Uploads

/// What is seen of one variant while it runs, the same in either world: its client's reports, the
/// lines that it shows, and the bytes on the link.
struct VariantWatch {
  private let captures: [String]
  private(set) var diary = ClientDiary()
  private(set) var sampler = LinkSampler()
  private(set) var statusLines = StatusLineLog()
  private(set) var lines = LineClaims()
  private(set) var movement = Movement()
  /// What the client's sockets had taken at the last looks.
  private var looks: [(at: Instant, taken: TakenBytes)] = []
  private let grace: Duration
  /// The client's own send buffer is larger than the path's, whose size nothing shows then.
  private let hidesBuffer: Bool
  private(set) var newestLine = ""
  private var claimed: Int?
  /// Acts that are still to come.
  private var actsToCome: Int
  private(set) var startsToCome: Int
  /// What the client was told to do for its user, and has not said to have done.
  private var toBeObeyed = 0

  /// `grace` is how much older what a line is about may be than the moment at which it is read.
  init(_ scenario: Scenario, _ variant: Variant, grace: Duration) {
    self.grace = grace
    hidesBuffer = (variant.policy?.sendBuffer ?? 0) > scenario.link.buffer.bytes
    captures = scenario.captures.map(\.plan.name)
    actsToCome = scenario.acts.count
    startsToCome = scenario.acts.count { $0.deed == .start }
  }

  /// Nothing more will happen to any capture, neither by itself nor by an act.
  var isOver: Bool {
    actsToCome == 0 && toBeObeyed == 0 && captures.allSatisfy(diary.isSettled)
  }

  mutating func take(_ report: BenchReport, at now: Instant) {
    if report == .obeyed { toBeObeyed = max(0, toBeObeyed - 1) }
    diary.add(report, at: now)
    if case .shown(let text, let claim) = report { lines.expect(text, claim) }
  }

  /// What is reported and shown from now on is another process's.
  mutating func clientStarted(at now: Instant) {
    diary.clientStarted(at: now)
    lines.clientStarted()
  }

  /// An act is done to the client now.
  mutating func note(_ deed: Act.Deed) {
    actsToCome -= 1
    switch deed {
    case .sendNow, .discard: toBeObeyed += 1
    case .kill, .powerLoss: clientEnded()
    case .start: startsToCome -= 1
    case .refresh, .fillDisk, .freeDisk, .setClock: break
    }
  }

  /// Of a client that has ended nothing more is heard.
  mutating func clientEnded() {
    toBeObeyed = 0
    diary.clientEnded()
  }

  /// Judges lines that were shown together by what had been handed over then; `figures` reads those
  /// of a client that is not ours.
  mutating func show(
    _ texts: [String], link: LinkProxy.Reading, ledger: Ledger, at now: Instant,
    figures: (String) -> FigureClaim? = { _ in nil }
  ) {
    let taken = look(link, ledger, at: now)
    for text in texts { show(text, figures(text), taken, at: now) }
  }

  private mutating func show(
    _ text: String, _ figures: FigureClaim?, _ taken: TakenBytes, at now: Instant
  ) {
    newestLine = text
    let claim = ByteClaim(in: text)
    claimed = claim?.claimed
    var total = claim?.total
    if let figures {
      total = figures.total?.wholeBytes(of: nil)
      statusLines.add(text: text, count: figures.claimed?.key, at: now) {
        figures.claimed?.above(of: nil).map { $0 < Double(taken.bytes(ofTotal: total)) } ?? true
      }
    } else {
      statusLines.add(text: text, count: claim?.claimed, at: now) {
        claim.map { taken.back($0) } ?? true
      }
    }
    // A connection may be reset between a line's printing and its reading, and a lie is what no state
    // of the kernels can explain.
    let most = looks.map { look in
      look.taken.bytes(ofTotal: total, slack: ScenarioLimits.kernelPart.bytes)
    }
    lines.show(text, figures: figures, at: now, taken: most.max() ?? 0)
  }

  mutating func sample(_ link: LinkProxy.Reading, ledger: Ledger, at now: Instant) {
    var link = link
    if hidesBuffer { link.isFull = false }
    sampler.add(
      link, engineReceived: ledger.received, attempts: ledger.fileAttempts, claimed: claimed,
      at: now)
    _ = look(link, ledger, at: now)
  }

  /// Takes the last sample of a run.
  mutating func end() {
    sampler.endAttempt()
  }

  private mutating func look(
    _ link: LinkProxy.Reading, _ ledger: Ledger, at now: Instant
  ) -> TakenBytes {
    movement.note(link, ledger, at: now)
    let newest = ledger.requests.last(where: \.sendsFile)
    let taken = TakenBytes(
      onTheWay: link.held(received: ledger.received),
      newest: newest.map { .init(bodyBytes: $0.bodyBytes, isOpen: $0.end == .open) })
    looks.removeAll { now - $0.at > grace }
    looks.append((now, taken))
    return taken
  }
}

extension Ledger {
  /// Requests that began to send a file's body.
  var fileAttempts: Int { requests.count(where: \.sendsFile) }
}
