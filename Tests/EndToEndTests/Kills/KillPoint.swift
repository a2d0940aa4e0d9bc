import Captures
import FoundationEssentials
import TestSupport
import Uploads

/// A call of the client by its meaning, such as `commit: record renamed` or `copy: head sent`.
struct KillPoint: Hashable, CustomStringConvertible, Sendable {
  var part: String
  var what: String

  var description: String { "\(part): \(what)" }

  /// Whether half of the call can be done.
  var hasHalf: Bool { what.hasSuffix(" written") || what.hasSuffix(" sent") }
}

/// Names the calls of one life, in their order.
struct KillPointNamer {
  private static let files = ["copy", "original", "document"]

  private let outbox: OutboxLook
  private let reports: String
  /// What the client is at on its disk: the calls of one part stand together.
  private(set) var part = "open"
  private var last = ""
  /// The step whose request was sent last, and the socket on which it was; the transport has others,
  /// by which its threads wake each other.
  private var step = ""
  private var socket = ""

  /// `reports` is what the descriptor that it reports on stands for, such as `pipe:[17]`.
  init(_ outbox: OutboxLook, reports: String) {
    self.outbox = outbox
    self.reports = reports
  }

  /// Nil for a call that is about neither the outbox, nor the engine, nor what the user is told.
  mutating func name(_ call: TracedCall) -> KillPoint? {
    switch call.kind {
    case .send: sent(call)
    case .receive:
      call.path == socket ? KillPoint(part: step, what: "answer read") : nil
    case .write where call.path == reports:
      call.start.starts(with: Array(#"{"saved""#.utf8))
        ? KillPoint(part: "commit", what: "told") : nil
    default: onDisk(call)
    }
  }

  private mutating func sent(_ call: TracedCall) -> KillPoint? {
    guard let head = SentStep(call.start) else {
      return call.path == socket ? KillPoint(part: step, what: "body sent") : nil
    }
    socket = call.path
    step = head.step.rawValue
    return KillPoint(part: step, what: "head sent")
  }

  private mutating func onDisk(_ call: TracedCall) -> KillPoint? {
    let name = call.path.split(separator: "/").last.map(String.init) ?? ""
    let isInside = call.path.hasPrefix(outbox.folder + "/")
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let subject = Self.files.contains(ending) ? ending : name == "lock" ? "lock" : "record"
    let what: String
    switch call.kind {
    case .sync where call.path == outbox.folder:
      what = "folder synced" + (last == "record renamed" ? " again" : "")
    case .sync where call.path.hasPrefix("/") && outbox.folder.hasPrefix(call.path):
      what = "folder above synced"
    case .makeFolder where call.path == outbox.folder: what = "folder made"
    case _ where !isInside: return nil
    case .makeFile:
      if Self.files.contains(ending) { part = "commit" }
      if ending == "new", let entry = outbox.entry(ofRecordAside: name) {
        part = "done set with \(entry.next(in: .capture)?.name.description ?? "nothing")"
      }
      what = "\(subject) made" + (ending == "new" ? " aside" : "")
    case .write, .copyRange: what = "\(subject) written"
    case .sync: what = "\(subject) synced"
    case .rename: what = "\(subject) renamed"
    case .remove:
      if part == "open" { part = "recovery" }
      if ending == "json" { part = "retire" }
      what = "\(subject) removed"
    case .lock: what = "locked"
    case .makeFolder, .send, .receive: return nil
    }
    last = what
    return KillPoint(part: part, what: what)
  }
}
