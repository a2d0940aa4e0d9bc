import Captures
import LinkModel
import Quantities
import Reports
import ScratchEngine

/// What a client that tells nothing has done with the files of the captures, as far as the engine's
/// ledger and the link show it.
///
/// A request is about a file when its whole body was that file; or when another request of the same
/// name was (the path of a PUT, the ids of the engine's contract); or when its path ends with the
/// file's name; or when it declares the size of exactly one file, or that and a form around it; or
/// when it says of which step it is and only one capture has that. A form with several files is one
/// request for each of them.
struct ForeignAccount {
  /// What a form of one file adds to it, in bytes: heads of its parts, and a few short fields.
  static let formMax = 4_096
  /// An end that comes so little too soon is in time.
  private static let endMargin = Duration.milliseconds(10)

  /// The capture's file that each request was for, in the order of the ledger; empty of one that was
  /// for none.
  private(set) var files: [[ClientDiary.StepKey]] = []
  /// When the answer had come to a client that was there for it.
  private(set) var landedAt: [ClientDiary.StepKey: Instant] = [:]
  /// Requests with a body that is no file of a capture, as far as can be told.
  private(set) var unassigned = 0

  /// `captures` are the files that could be sent; `lives` when there was a client.
  init(
    _ ledger: Ledger, captures: CaptureSet, lives: [ProcessTally.Life], link: LinkConditions,
    until end: Instant
  ) {
    let known = captures.captures.flatMap { capture in
      capture.files.map { KnownFile(capture: capture.name, step: $0.step, file: $0.file) }
    }
    // Only looked up.
    var byName: [String: [ClientDiary.StepKey]] = [:]
    for request in ledger.requests {
      guard let name = request.fileName, byName[name] == nil else { continue }
      let whole = Self.whole(request, among: known)
      if !whole.isEmpty { byName[name] = whole }
    }
    for request in ledger.requests {
      let own = Self.files(of: request, among: known, byName)
      files.append(own)
      if own.isEmpty, request.bringsUnknown { unassigned += 1 }
      guard let arrival = Self.arrival(of: request, over: link.down),
        lives.contains(where: { $0.saw(request.startedAt, arrival) }), arrival <= end,
        !Self.isGivenUp(request, before: arrival, in: ledger, over: link)
      else { continue }
      for key in Self.whole(request, among: known) where landedAt[key] == nil {
        landedAt[key] = arrival
      }
    }
  }

  /// What the engine saw of each file that is to be sent, and when it landed.
  func records(
    of captures: CaptureSet, _ ledger: Ledger, sends: (StepName) -> Bool
  ) -> [FileRecord] {
    captures.captures.flatMap { capture in
      capture.files.filter { sends($0.step) }.map { step, file in
        let key = ClientDiary.StepKey(capture: capture.name, step: step)
        let own = zip(ledger.requests, files).filter { $0.1.contains(key) }
        let stored = own.map(\.0).filter { $0.stored || $0.replay }
        return FileRecord(
          capture: capture.name, step: step.step.rawValue, photo: step.photo, bytes: file.bytes,
          attempts: own.count,
          // Of a form with several files each has its own.
          wireBytes: own.reduce(0) { $0 + ($1.1.count > 1 ? file.bytes : $1.0.bodyBytes) },
          landed: landedAt[key] != nil, landedAt: landedAt[key]?.seconds,
          replays: stored.count(where: \.replay),
          sha256Matches: stored.isEmpty
            ? nil : stored.contains { $0.fileDigests.contains(file.sha256) })
      }
    }
  }

  private struct KnownFile {
    var key: ClientDiary.StepKey
    var name: String
    var bytes: Int
    var sha256: String

    init(capture: String, step: StepName, file: CaptureFile) {
      key = .init(capture: capture, step: step)
      name = file.file
      bytes = file.bytes
      sha256 = file.sha256
    }
  }

  private static func files(
    of request: LedgerRequest, among known: [KnownFile], _ byName: [String: [ClientDiary.StepKey]]
  ) -> [ClientDiary.StepKey] {
    guard request.sendsFile else { return [] }
    let whole = whole(request, among: known)
    if !whole.isEmpty { return whole }
    // Other content than a capture's, under whatever name.
    if request.sha256 != nil, request.step == nil { return [] }
    if let named = request.fileName.flatMap({ byName[$0] }) { return named }
    let last = request.path.split(separator: "/").last.map(String.init)
    if let named = known.first(where: { $0.name == last }) { return [named.key] }
    let ofStep = request.step.map { step in known.filter { $0.key.step.step == step } } ?? known
    if let declared = request.declaredBytes {
      let exact = ofStep.filter { $0.bytes == declared }
      if exact.count == 1 { return [exact[0].key] }
      let inForm = ofStep.filter { ($0.bytes...$0.bytes + formMax).contains(declared) }
      if exact.isEmpty, inForm.count == 1 { return [inForm[0].key] }
    }
    return request.step != nil && ofStep.count == 1 ? [ofStep[0].key] : []
  }

  /// The files that a body was that came whole.
  private static func whole(
    _ request: LedgerRequest, among known: [KnownFile]
  ) -> [ClientDiary.StepKey] {
    let digests = request.fileDigests
    return known.filter { digests.contains($0.sha256) }.map(\.key)
  }

  /// When the last byte of a success came out of the link; nil of any other end.
  private static func arrival(
    of request: LedgerRequest, over down: DirectionConditions
  ) -> Instant? {
    guard request.stored || request.replay, let status = request.status,
      (200..<300).contains(status), let ended = request.endedAt
    else { return nil }
    let schedule = down.schedule
    var point = schedule.begin(at: ended)
    return schedule.departure(ofByte: request.sent, after: &point).map { $0 + down.latency }
  }

  /// Its client had closed the connection by then, as one does that waits no longer: the path goes on
  /// to deliver the body, and the end comes to the engine right behind it, before a client that has
  /// the answer could have sent one.
  private static func isGivenUp(
    _ request: LedgerRequest, before arrival: Instant, in ledger: Ledger,
    over link: LinkConditions
  ) -> Bool {
    // What a script or the keep-alive time ends is not the client's doing.
    guard request.rule == nil, let connection = ledger.connection(of: request),
      !connection.timedOut, let end = connection.endedAt
    else { return false }
    let jitter = link.up.jitter + link.down.jitter
    return end + jitter + endMargin < arrival + link.up.latency
  }
}

extension ProcessTally.Life {
  /// It asked, and was there when the answer came.
  fileprivate func saw(_ asked: Instant, _ answered: Instant) -> Bool {
    from <= asked && to.map { answered <= $0 } ?? true
  }
}

extension LedgerRequest {
  /// What means one file, whoever sends it again: a PUT's path, or the contract's own ids.
  fileprivate var fileName: String? {
    if let upload { return upload.isID ? upload.name : nil }
    return media.map { "\(moment ?? "")/\($0)" }
  }

  /// It brought a file, or something to a place where nobody takes anything, or not so, or to another
  /// host.
  fileprivate var bringsUnknown: Bool {
    sendsFile || (bodyBytes > 0 && [404, 405, 421].contains(decidedStatus))
  }
}
