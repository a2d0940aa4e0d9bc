import Captures
import Quantities
import Scenarios
import Uploads

/// Holds the lines of a run against what link and engine knew.
///
/// False is what was not so when the line was read, and what stood for longer than the grace after
/// it had ceased to be so. Nothing is held against a line that the client cannot have known: how far
/// its bytes are ahead of the link is measured, and not judged.
package struct LineJudge {
  /// A rate whose newest byte is older is shown in a silence.
  package static let rateAgeMax = Duration.seconds(5)
  /// A longer stretch says nothing about now.
  package static let rateStretchMax = Duration.seconds(30)
  /// A check of the engine has ended within this time.
  static let checkMax = Duration.seconds(30)

  let truth: RunTruth
  /// By capture, in order; only looked up.
  private let requests: [String: [RunTruth.Request]]
  private let attempts: [String: [RunTruth.Attempt]]
  private let healthChecks: [RunTruth.Request]
  private let figures: FigureJudge

  package init(_ truth: RunTruth) {
    self.truth = truth
    figures = FigureJudge(truth)
    requests = Dictionary(grouping: truth.requests.filter { $0.capture != nil }) {
      $0.capture ?? ""
    }
    attempts = Dictionary(grouping: truth.attempts, by: \.capture)
    healthChecks = truth.requests.filter(\.isHealthCheck)
  }

  /// A verdict for each line.
  package func verdicts(of lines: [ShownLine]) -> [LineVerdict] {
    let ends = ends(of: lines)
    // Only looked up.
    var earlier: [Attempt: Earlier] = [:]
    return zip(lines, ends).map { line, until in
      switch line.claim {
      case .own(let claim): verdict(of: line, claim, until: until, after: &earlier)
      case .figures(let claim): verdict(of: line, claim, until: until, after: &earlier)
      case nil: LineVerdict(truth: .notJudged, until: until)
      }
    }
  }

  private func verdict(
    of line: ShownLine, _ claim: LineClaim, until: Instant, after earlier: inout [Attempt: Earlier]
  ) -> LineVerdict {
    let attempt = Attempt.own(
      life: line.life, capture: claim.capture, step: claim.step, number: claim.attempt)
    let before = earlier[attempt] ?? Earlier()
    if let transfer = claim.transfer {
      earlier[attempt] = before.adding(Double(transfer.bytes), line.isBacked)
    }
    return LineVerdict(
      truth: falsehood(of: line, claim, until: until, after: before) ?? .isTrue, until: until,
      ahead: ahead(line, claim))
  }

  private func verdict(
    of line: ShownLine, _ claim: FigureClaim, until: Instant,
    after earlier: inout [Attempt: Earlier]
  ) -> LineVerdict {
    let subject = figures.subject(of: claim, at: line.at)
    let attempt = Attempt.seen(life: line.life, request: subject.request)
    let before = earlier[attempt] ?? Earlier()
    var verdict = LineVerdict(truth: .isTrue, until: until)
    verdict.claimed = figures.claimed(claim, of: subject)
    verdict.ahead = verdict.claimed.map { $0 - figures.carried(of: subject, by: line.at) }
    if let (kind, why) = figures.falsehood(
      in: claim, of: subject, at: line.at, taken: line.taken, shown: before.shown,
      backed: before.backed)
    {
      verdict.truth = .isFalse(kind, why: why, from: line.at)
    }
    let size = subject.file?.bytes
    if !subject.isDoubtful, let shown = claim.claimed?.bytes(of: size),
      let least = claim.claimed?.above(of: size)
    {
      earlier[attempt] = before.adding(shown, least <= Double(line.taken))
    }
    return verdict
  }

  /// What a byte count may not go back within.
  private enum Attempt: Hashable {
    /// As the client tells it.
    case own(life: Int, capture: String, step: StepName?, number: Int?)
    /// As the engine saw it.
    case seen(life: Int, request: Int?)
  }

  /// What the lines of an attempt have shown so far.
  private struct Earlier {
    var shown = 0.0
    /// The most that its sockets had taken for certain: an engine that gives a request up has the rest
    /// of it thrown away, and the client goes on without knowing.
    var backed = 0.0

    func adding(_ bytes: Double, _ isBacked: Bool) -> Earlier {
      Earlier(shown: bytes, backed: isBacked ? max(backed, bytes) : backed)
    }
  }

  /// When each line is replaced by the next one about its capture, or its screen or the run ends.
  ///
  /// Lines in which figures are read are of one meter.
  private func ends(of lines: [ShownLine]) -> [Instant] {
    // Only looked up; nil stands for the meter.
    var next: [String?: Instant] = [:]
    var ends: [Instant] = []
    for line in lines.reversed() {
      let death = truth.deaths.first { $0 > line.at } ?? truth.endedAt
      var end = min(death, truth.endedAt)
      if let claim = line.claim {
        let place: String? = if case .own(let own) = claim { own.capture } else { nil }
        end = min(end, next[place] ?? end)
        next[place] = line.at
      }
      ends.append(max(end, line.at))
    }
    return ends.reversed()
  }

  private func falsehood(
    of line: ShownLine, _ claim: LineClaim, until: Instant, after before: Earlier
  ) -> LineVerdict.Truth? {
    if let why = misquoted(line.text, claim) {
      return .isFalse(.figures, why: why, from: line.at)
    }
    if let found = falseState(claim, at: line.at, until: until) { return found }
    guard let transfer = claim.transfer else { return nil }
    func isFalse(_ what: LineVerdict.Falsehood, _ why: String) -> LineVerdict.Truth {
      .isFalse(what, why: why, from: line.at)
    }
    let size = truth.files.first { $0.capture == claim.capture && $0.step == claim.step }?.bytes
    if let size, transfer.total != size {
      return isFalse(.total, "the file has \(sizeText(size))")
    }
    if transfer.bytes > transfer.total {
      return isFalse(.total, "that is more than the whole file")
    }
    if Double(transfer.bytes) < before.shown {
      return isFalse(
        .backwards, "the same attempt had shown \(sizeText(Int(before.shown))) before")
    }
    if !line.isBacked, Double(transfer.bytes) > before.backed {
      return isFalse(.notTaken, "the client's sockets had not taken so much")
    }
    if let rate = transfer.rate, let why = wrong(rate, claim, at: line.at) {
      return isFalse(.rate, why)
    }
    return claim.finding.flatMap { falseFinding($0, at: line.at) }
  }

  // MARK: What it says

  /// Where a text and the claim behind it part.
  private func misquoted(_ text: String, _ claim: LineClaim) -> String? {
    let shown = ByteClaim(in: text)
    // A reason that an engine or a system gave may hold any figures.
    if claim.state == .sending, shown != claim.transfer.map(ByteClaim.init) {
      let counted = claim.transfer.map { "\($0.bytes) of \($0.total) B" } ?? "nothing"
      return "its figures are not what the client counts: \(counted)"
    }
    if claim.state == .sending, let rate = ByteClaim.rate(in: text),
      rate != claim.transfer?.rate.map(StatusLine.text)
    {
      return "its rate is not what the client found: "
        + (claim.transfer?.rate.map(StatusLine.text) ?? "none")
    }
    if claim.state != .done, claim.state != .parked, text.hasSuffix("ept by the engine") {
      return "the client does not take it for done"
    }
    if claim.state == .sending, claim.finding?.link != .down, text.contains(" down") {
      return "nothing that the client found was down"
    }
    return claim.state == .sending ? miscounted(text, claim) : nil
  }

  /// What is counted are the photos of a plate: the passes of one photo are one photo.
  private func miscounted(_ text: String, _ claim: LineClaim) -> String? {
    let photos = truth.files.count { $0.capture == claim.capture && $0.step.photo != nil }
    let wrong = ItemCount.all(in: text).first { count in
      count.total != photos || count.number < 1 || count.number > photos
    }
    return wrong.map {
      "it counts \($0.number) of \($0.total), and there is"
        + (photos > 0 ? " a plate of \(photos)" : " one photo or document")
    }
  }

  // MARK: States

  private func falseState(
    _ claim: LineClaim, at instant: Instant, until: Instant
  ) -> LineVerdict.Truth? {
    let own = requests[claim.capture] ?? []
    switch claim.state {
    case .done:
      let sent = instant.advanced(by: .zero - truth.latencyDown)
      let missing = truth.files.first { file in
        file.capture == claim.capture
          && !truth.requests.contains {
            $0.storedSHA256 == file.sha256 && $0.isAccepted(by: sent)
          }
      }
      return missing.map {
        .isFalse(
          .done, why: "the engine's receipt of the \($0.step) had not arrived",
          from: instant)
      }
    case .parked:
      return misparked(claim, at: instant).map { .isFalse(.parked, why: $0, from: instant) }
    case .sending where claim.isConnecting: return nil
    case .sending:
      let covered = truth.moving + own.map { $0.startedAt..<max($0.startedAt, $0.endedAt ?? until) }
      return gap(in: instant..<until, between: covered).map {
        .isFalse(.sending, why: "no request was in flight", from: $0)
      }
    case .kept, .waiting, .held, .discarded:
      return overlap(own, attempts[claim.capture] ?? [], in: instant..<until).map {
        .isFalse(.kept, why: "a request of it was in flight", from: $0)
      }
    }
  }

  /// Why nothing that the engine answered can have parked it; what a device finds about its own files
  /// is not judged.
  private func misparked(_ claim: LineClaim, at instant: Instant) -> String? {
    switch claim.parking ?? .refused {
    case .refused:
      return (requests[claim.capture] ?? []).contains { $0.isRefused(by: instant) }
        ? nil : "the engine had refused nothing of it"
    case .unconfirmed:
      // The list in which a plate is looked up is of no capture.
      return truth.requests.contains {
        $0.step == .readback && $0.capture ?? claim.capture == claim.capture
          && $0.isAccepted(by: instant)
      } ? nil : "the engine had not said what it holds of it"
    case .unsendable: return nil
    }
  }

  /// Where the first stretch begins that is covered by nothing and is longer than the grace.
  private func gap(in span: Range<Instant>, between covered: [Range<Instant>]) -> Instant? {
    var cursor = span.lowerBound
    let inside = covered.filter { $0.upperBound > cursor && $0.lowerBound < span.upperBound }
    for part in inside.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if part.lowerBound - cursor > truth.grace { return cursor }
      cursor = max(cursor, part.upperBound)
    }
    return span.upperBound - cursor > truth.grace ? cursor : nil
  }

  /// Where, for longer than the grace, a request is under way by the engine's account and by the
  /// client's: a path may go on delivering what a client has given up, and the engine sees no
  /// difference.
  private func overlap(
    _ requests: [RunTruth.Request], _ attempts: [RunTruth.Attempt], in span: Range<Instant>
  ) -> Instant? {
    for request in requests {
      for attempt in attempts where attempt.step == request.step {
        let start = max(span.lowerBound, max(request.startedAt, attempt.began))
        let end = min(
          span.upperBound, min(request.endedAt ?? .distantFuture, attempt.ended ?? .distantFuture))
        if end > start, end - start > truth.grace { return start }
      }
    }
    return nil
  }

  // MARK: Bytes and rates

  /// The request that carries the body that a line is about; nil when its head has not arrived.
  ///
  /// It was not over when the attempt began. It may have arrived before the client's word of that was
  /// read.
  private func carrier(_ claim: LineClaim, at instant: Instant) -> RunTruth.Request? {
    guard
      let attempt = attempts[claim.capture]?.last(where: {
        $0.step == claim.step && $0.began <= instant
      })
    else { return nil }
    return requests[claim.capture]?.last {
      $0.step == claim.step && $0.startedAt <= instant
        && $0.endedAt.map { $0 >= attempt.began } ?? true
    }
  }

  private func ahead(_ line: ShownLine, _ claim: LineClaim) -> Int? {
    guard let transfer = claim.transfer else { return nil }
    let carried = carrier(claim, at: line.at)?.trail.bytes(at: line.at) ?? 0
    return ByteClaim(transfer).claimed - Int(carried)
  }

  private func wrong(_ rate: RateStretch, _ claim: LineClaim, at instant: Instant) -> String? {
    let length = rate.to - rate.from
    guard length > .zero, length <= Self.rateStretchMax, rate.to <= instant + truth.grace,
      instant - rate.to <= Self.rateAgeMax + truth.grace
    else { return "no byte had moved lately, and so there was no rate" }
    let shown = rate.bytesPerSecond...rate.bytesPerSecond
    return CarriedRate(carrier(claim, at: instant)?.trail, truth)
      .miss(shown, from: rate.from, to: rate.to).map {
        "the link carried \(DataRate(bytesPerSecond: max(0, $0))) in that time"
      }
  }

  // MARK: Findings

  private func falseFinding(_ finding: QuietFinding, at instant: Instant) -> LineVerdict.Truth? {
    let isDown = truth.down.contains { $0.contains(finding.at) }
    let isNear = truth.down.contains { span in
      [span.lowerBound, span.upperBound].contains {
        abs(($0 - finding.at).nanoseconds) <= truth.grace.nanoseconds
      }
    }
    if !isNear, finding.link == .down && !isDown || finding.link == .up && isDown {
      return .isFalse(
        .link, why: "the link was \(isDown ? "down" : "up") when it was checked", from: instant)
    }
    let since = finding.at.advanced(by: .zero - Self.checkMax)
    let answers = healthChecks.filter { $0.status != nil && $0.startedAt >= since }
    let why: String? =
      switch finding.engine {
      case .notAsked: nil
      case .answered:
        answers.contains { $0.isAccepted(by: finding.at) } ? nil : "the engine had not answered"
      case .stranger(let status):
        answers.contains { $0.status == status } ? nil : "nobody had answered so"
      case .asked:
        hasArrived(answers, after: finding.at, by: instant) ? "the engine had answered since" : nil
      case .silent(let time):
        hasArrived(answers, after: finding.at.advanced(by: .zero - time), by: finding.at)
          ? "the engine had answered in that time" : nil
      case .unreachable:
        hasArrived(answers, after: finding.at.advanced(by: .zero - truth.grace), by: finding.at)
          ? "the engine had answered just then" : nil
      }
    return why.map { .isFalse(.engine, why: $0, from: instant) }
  }

  /// An answer to a check that was asked in a time has reached the client for certain: it was sent,
  /// and since then there was a time in which no answer was on its way.
  private func hasArrived(
    _ answers: [RunTruth.Request], after start: Instant, by end: Instant
  ) -> Bool {
    answers.contains { answer in
      guard let sent = answer.endedAt, answer.startedAt >= start, sent < end else { return false }
      return gap(in: sent..<end, between: truth.answering + truth.down) != nil
    }
  }
}
