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
  /// For good; `isFile` when it is a file of it that was refused.
  case refused(String, isFile: Bool)
  /// The ceiling cut a file of it.
  case held(SlowFile)
  case discarded

  /// What the user can do about it.
  package enum Offer: String, Hashable, Sendable {
    case sendNow = "Send now"
    case discard = "Discard"
  }

  /// Nothing is offered while all goes by itself; a file that was refused would only be refused again.
  package var offers: [Offer] {
    switch self {
    case .kept(_, .some), .waiting(_, .some): [.sendNow]
    case .refused(_, isFile: false), .held: [.sendNow, .discard]
    case .refused(_, isFile: true): [.discard]
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

  /// Nil where nothing is shown.
  package static func text(
    _ standing: EntryStanding, of capture: String, kind: OutboxEntry.Kind,
    style: UploadPolicy.LineStyle, now: Instant
  ) -> String? {
    switch style {
    case .labels: label(standing)?.rawValue
    case .live: "\(capture): \(live(standing, kind: kind, now: now))\(offered(standing))"
    }
  }

  /// A refused or held entry is still kept, and the old client has no word for more; one that was
  /// discarded is shown no longer.
  package static func label(_ standing: EntryStanding) -> Label? {
    switch standing {
    case .kept, .refused, .held: .kept
    case .waiting: .waiting
    case .sending: .sending
    case .done: .done
    case .discarded: nil
    }
  }

  private static func live(
    _ standing: EntryStanding, kind: OutboxEntry.Kind, now: Instant
  ) -> String {
    switch standing {
    case .kept(_, let failure?), .waiting(_, let failure?):
      "kept, waits for the engine: \(failure)"
    case .kept(let ahead, nil), .waiting(let ahead, nil):
      ahead <= 1 ? "kept, next in line" : "kept on this device"
    case .sending(let progress): sending(progress, now: now)
    case .done where kind == .document: "done, the document is kept by the engine"
    case .done: "done, the photo is kept by the engine in both sizes"
    case .refused(let reason, _): "Refused: \(reason)"
    case .held(let slow):
      "kept, needs a faster link: \(megabytes(slow.file.bytes)) MB did not get through in "
        + slow.ceiling.text
    case .discarded: "discarded, no longer kept on this device"
    }
  }

  /// In brackets, as buttons stand beside a line.
  private static func offered(_ standing: EntryStanding) -> String {
    let offers = standing.offers.map(\.rawValue)
    return offers.isEmpty ? "" : " [\(offers.joined(separator: ", "))]"
  }

  private static func sending(_ progress: RequestProgress, now: Instant) -> String {
    let seconds = "\(wholeSeconds(from: progress.began, to: now)) s"
    if progress.isConnecting(at: now) { return "connecting to the engine, \(seconds)" }
    let then = progress.follower.map { ", then \(name(of: $0))" } ?? ""
    return switch progress.step {
    case .record: "the engine is told of it, \(seconds)\(then)"
    case .file(let file):
      "\(title(of: file)): " + transfer(progress, seconds: seconds, now: now) + then
        + finding(progress, now: now)
    case .turn: "the smaller size has arrived, the engine reads it, \(seconds)\(then)"
    case .text: "the document has arrived, the engine reads its text, \(seconds)\(then)"
    case .readback: "everything has arrived, the record is read back, \(seconds)"
    }
  }

  /// Says which pass of the same photo a file is; never a count, since two passes are one photo.
  package static func title(of file: OutboxFile) -> String {
    switch file.step {
    case .copy: "smaller size first, so that reading can start"
    case .original: "the same photo at full size, to keep"
    default: "the document"
    }
  }

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

  private static func text(of rate: DataRate) -> String {
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

  private static func name(of step: PlannedStep) -> String {
    switch step {
    case .record: "its record"
    case .file(let file):
      switch file.step {
      case .copy: "a smaller size"
      case .original: "the same photo at full size"
      default: "the document"
      }
    case .turn: "reading"
    case .text: "reading its text"
    case .readback: "a check of the record"
    }
  }
}
