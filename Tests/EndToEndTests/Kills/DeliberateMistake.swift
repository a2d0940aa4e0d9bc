import Captures
import Foundation
import TestSupport
import Uploads

/// Ways in which a client could be wrong, and the kill that has to find each.
///
/// Most are made by standing between it and the kernel: to the search it looks like a client that
/// writes so.
enum DeliberateMistake: String, CaseIterable, Sendable {
  case recordNeverNamed, recordEmpty, recordInPlace
  case doneSetNotSaved, notedBeforeItLanded
  case recordKeptAtRetire, filesRemovedBeforeRecord, filesKeptAtRetire
  case leftoversNotSwept, idsMintedPerTry

  /// Does what the mistake does there; true when the call itself is left out.
  func isMade(at point: KillPoint, in outbox: OutboxLook, life: Int) -> Bool {
    let isDoneSet = point.part.hasPrefix("done set")
    switch self {
    case .leftoversNotSwept: return point.part == "recovery" && point.what.hasSuffix(" removed")
    case .filesKeptAtRetire:
      return point.part == "retire" && point.what.hasSuffix(" removed")
        && point.what != "record removed"
    case .idsMintedPerTry: return false
    // What follows a first life may be as it should be.
    case _ where life > 0: return false
    case .recordNeverNamed: return point == KillPoint(part: "commit", what: "record renamed")
    case .recordEmpty: return point == KillPoint(part: "commit", what: "record written")
    case .recordInPlace:
      // It is being written where it stands, and whole again once it is renamed.
      if isDoneSet, point.what == "record written" {
        for name in records(of: outbox) { truncate(name, in: outbox) }
      }
      return false
    case .doneSetNotSaved: return isDoneSet && point.what == "record renamed"
    case .notedBeforeItLanded:
      if point == KillPoint(part: "copy", what: "head sent") {
        rewrite(outbox) { if $0.done == [.record] { $0.done.append(.copy) } }
      }
      return false
    case .recordKeptAtRetire: return point == KillPoint(part: "retire", what: "record removed")
    case .filesRemovedBeforeRecord:
      if point == KillPoint(part: "retire", what: "record removed") {
        for file in outbox.entries.filter({ $0.next(in: .capture) == nil }).flatMap(\.files) {
          try? FileManager.default.removeItem(atPath: "\(outbox.folder)/\(file.name)")
        }
      }
      return false
    }
  }

  /// A client that is told to be wrong.
  var policy: UploadPolicy {
    var policy = UploadPolicy.after
    policy.stableIDs = self != .idsMintedPerTry
    return policy
  }

  /// What the search finds.
  var consequence: Violation.Kind {
    switch self {
    case .recordNeverNamed: .lost
    case .recordEmpty, .recordInPlace: .unreadableRecord
    case .doneSetNotSaved: .sentAgain
    // The engine refuses a turn without its copy.
    case .notedBeforeItLanded: .unfinished
    case .idsMintedPerTry: .twice
    case .recordKeptAtRetire, .filesRemovedBeforeRecord: .recordWithoutFile
    case .filesKeptAtRetire, .leftoversNotSwept: .orphan
    }
  }

  /// Where the client is killed.
  var kill: KillAim {
    let (part, what, moment): (String, String, TracedProcess.Moment) =
      switch self {
      case .recordNeverNamed: ("commit", "told", .after)
      case .recordEmpty: ("commit", "record renamed", .after)
      case .recordInPlace: ("done set with copy", "record synced", .after)
      case .doneSetNotSaved: ("turn", "head sent", .before)
      case .notedBeforeItLanded: ("copy", "head sent", .before)
      case .recordKeptAtRetire: ("retire", "copy removed", .after)
      case .filesRemovedBeforeRecord: ("retire", "record removed", .before)
      case .filesKeptAtRetire: ("open", "locked", .before)
      case .leftoversNotSwept: ("commit", "copy written", .after)
      case .idsMintedPerTry: ("record", "answer read", .after)
      }
    return .point(KillPoint(part: part, what: what), occurrence: 1, moment)
  }

  private func records(of outbox: OutboxLook) -> [String] {
    outbox.names.filter { $0.hasSuffix(".json") }
  }

  private func truncate(_ name: String, in outbox: OutboxLook) {
    try? Data().write(to: URL(filePath: "\(outbox.folder)/\(name)"))
  }

  private func rewrite(_ outbox: OutboxLook, _ change: (inout OutboxEntry) -> Void) {
    for name in records(of: outbox) {
      guard var entry = outbox.entry(ofRecord: name) else { continue }
      change(&entry)
      try? JSONEncoder().encode(entry).write(to: URL(filePath: "\(outbox.folder)/\(name)"))
    }
  }
}
