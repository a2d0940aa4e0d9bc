import Captures
package import Quantities

/// What is true of an entry, as far as a status line tells it.
package enum EntryStanding: Hashable, Sendable {
  /// Not being sent; `ahead` counts the entries that will be sent before it.
  case kept(ahead: Int, failure: String?)
  /// In a running pass, behind another.
  case waiting(ahead: Int, failure: String?)
  case sending(RequestProgress)
  case done
  /// For good; `isFile` when it is for a file of it.
  case parked(String, isFile: Bool, as: Parking = .refused)
  /// The ceiling cut a file of it.
  case held(SlowFile)
  case discarded

  /// Nothing goes on by itself from there, or not for a while.
  package var isLasting: Bool {
    switch self {
    case .kept(_, .some), .done, .parked, .held, .discarded: true
    case .kept, .waiting, .sending: false
    }
  }

  /// What the user can do about it.
  package enum Offer: String, Hashable, Sendable {
    case sendNow = "Send now"
    case discard = "Discard"
  }

  /// Nothing is offered while all goes by itself; with the same file another try would end as this one.
  package var offers: [Offer] {
    switch self {
    case .kept(_, .some), .waiting(_, .some): [.sendNow]
    case .parked(_, isFile: false, _), .held: [.sendNow, .discard]
    case .parked(_, isFile: true, _): [.discard]
    case .kept, .waiting, .sending, .done, .discarded: []
    }
  }
}

/// The words of the status line: a claim about the world, so each says only what is known.
package enum StatusLine {
  /// The old client's whole vocabulary.
  package enum Label: String, Hashable, Sendable, CaseIterable {
    case kept = "Kept on this device"
    case waiting = "Waiting its turn"
    case sending = "Sending"
    case done = "Kept by the engine"
  }

  /// Of a request, and of a file, that a ceiling has cut; their lines say after what time.
  package static let unfinished = "not finished after"
  package static let tooSlow = "did not get through in"

  /// Nil where nothing is shown.
  ///
  /// `sizes` is 1 of a photo that goes without a smaller copy; `inPage` when a web page keeps it, and
  /// sends it as it was picked.
  package static func text(
    _ standing: EntryStanding, of capture: String, kind: OutboxEntry.Kind, sizes: Int = 2,
    style: UploadPolicy.LineStyle, inPage: Bool = false, numbers: NumberStyle = .point,
    now: Instant
  ) -> String? {
    switch style {
    case .labels: label(standing)?.rawValue
    case .live:
      "\(capture): "
        + live(standing, kind: kind, sizes: sizes, inPage: inPage, numbers: numbers, now: now)
        + offered(standing)
    }
  }

  /// A parked or held entry is still kept, and the old client has no word for more; one that was
  /// discarded is shown no longer.
  package static func label(_ standing: EntryStanding) -> Label? {
    switch standing {
    case .kept, .parked, .held: .kept
    case .waiting: .waiting
    case .sending: .sending
    case .done: .done
    case .discarded: nil
    }
  }

  private static func live(
    _ standing: EntryStanding, kind: OutboxEntry.Kind, sizes: Int, inPage: Bool,
    numbers: NumberStyle, now: Instant
  ) -> String {
    let place = inPage ? "in this page" : "on this device"
    let kept = inPage ? "kept \(place)" : "kept"
    return switch standing {
    case .kept(_, let failure?), .waiting(_, let failure?):
      "\(kept), waits for the engine: \(failure)"
    case .kept(let ahead, nil), .waiting(let ahead, nil):
      ahead <= 1 ? "\(kept), next in line" : "kept \(place)"
    case .sending(let progress): sending(progress, inPage: inPage, numbers: numbers, now: now)
    case .done where kind == .document: "done, the document is kept by the engine"
    case .done where kind == .plate: "done, the plate is kept by the engine with all its photos"
    case .done where inPage: "done, the photo is kept by the engine as it was picked"
    case .done where sizes == 1: "done, the photo is kept by the engine"
    case .done: "done, the photo is kept by the engine in both sizes"
    case .parked(let reason, _, let parking): "\(parking.word): \(reason)"
    case .held(let slow):
      "\(kept), needs a faster link: \(numbers.text(megabytes(slow.file.bytes))) MB \(tooSlow) "
        + slow.ceiling.text
    case .discarded: "discarded, no longer kept \(place)"
    }
  }

  /// In brackets, as buttons stand beside a line.
  private static func offered(_ standing: EntryStanding) -> String {
    let offers = standing.offers.map(\.rawValue)
    return offers.isEmpty ? "" : " [\(offers.joined(separator: ", "))]"
  }

  private static func sending(
    _ progress: RequestProgress, inPage: Bool, numbers: NumberStyle, now: Instant
  ) -> String {
    let seconds = "\(wholeSeconds(from: progress.began, to: now)) s"
    if progress.isConnecting(at: now) { return "connecting to the engine, \(seconds)" }
    let follower = progress.follower.map {
      name(of: $0, photos: progress.photos, inPage: inPage)
    }
    let then = follower.map { ", then \($0)" } ?? ""
    return switch progress.step {
    case .record: "the engine is told of it, \(seconds)\(then)"
    case .file(let file):
      "\(title(of: file, photos: progress.photos, inPage: inPage)): "
        + numbers.text(transfer(progress, seconds: seconds, now: now)) + then
        + finding(progress, now: now)
    case .turn where inPage: "the photo has arrived, the engine reads it, \(seconds)\(then)"
    case .turn: "the smaller size has arrived, the engine reads it, \(seconds)\(then)"
    case .text: "the document has arrived, the engine reads its text, \(seconds)\(then)"
    case .encounter:
      "all \(progress.photos) photos have arrived, the plate is put together, \(seconds)\(then)"
    case .readback: "everything has arrived, the record is read back, \(seconds)"
    }
  }

  /// Says which pass of the same photo a file is; never a count, since two passes are one photo.
  ///
  /// What is counted are the `photos` of a plate.
  package static func title(
    of file: OutboxFile, photos: Int = 0, inPage: Bool = false
  ) -> String {
    switch file.step.step {
    case .original where inPage: "the photo as it was picked"
    case .copy: "smaller size first, so that reading can start"
    case .original: "the same photo at full size, to keep"
    case .staged: "photo \(file.step.photo ?? 0) of \(photos) of this plate"
    default: "the document"
    }
  }

  /// The figures, with points; no word of it has one.
  private static func transfer(
    _ progress: RequestProgress, seconds: String, now: Instant
  ) -> String {
    let total = megabytes(progress.total)
    if let handedOver = progress.handedOver {
      let waited = ticked(since: handedOver, of: progress, now: now)
      return "\(total) of \(total) MB handed over, \(seconds), "
        + "waiting for the engine's receipt for \(waited) s"
    }
    // Cut off, not rounded: a part is never shown as more than it is.
    let sent = fixed(Double(progress.sent / 10_000) / 100, decimals: 2)
    let rate = progress.rate(at: now).map { "\(text(of: $0)), " } ?? ""
    return "\(sent) of \(total) MB, \(rate)\(seconds)"
  }

  private static func megabytes(_ bytes: Int) -> String {
    fixed(Double(bytes) / 1e6, decimals: 2)
  }

  /// Whole seconds since a moment of a request, counted on the ticks of the request's own clock, so
  /// that all figures of a line change together.
  private static func ticked(
    since moment: Instant, of progress: RequestProgress, now: Instant
  ) -> Int {
    wholeSeconds(from: progress.began, to: now) - wholeSeconds(from: progress.began, to: moment)
  }

  /// With a point.
  package static func text(of rate: RateStretch) -> String {
    rate.bytesPerSecond < 1e6
      ? "\(fixed(rate.bytesPerSecond / 1e3, decimals: 1)) KB/s"
      : "\(fixed(rate.bytesPerSecond / 1e6, decimals: 1)) MB/s"
  }

  private static func finding(_ progress: RequestProgress, now: Instant) -> String {
    guard progress.isQuiet(at: now), let finding = progress.finding else { return "" }
    let text = finding.text(age: ticked(since: finding.at, of: progress, now: now))
    // The wait for a receipt has been counted already.
    if progress.handedOver != nil { return "; \(text)" }
    return "; no byte for \(ticked(since: progress.moved, of: progress, now: now)) s: \(text)"
  }

  private static func name(of step: PlannedStep, photos: Int, inPage: Bool) -> String {
    switch step {
    case .record: "its record"
    case .file(let file):
      switch file.step.step {
      case .original where inPage: "the photo as it was picked"
      case .copy: "a smaller size"
      case .original: "the same photo at full size"
      case .staged: "photo \(file.step.photo ?? 0) of \(photos)"
      default: "the document"
      }
    case .turn: "reading"
    case .text: "reading its text"
    case .encounter: "the plate itself"
    case .readback: "a check of the record"
    }
  }
}
