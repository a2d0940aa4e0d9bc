import Captures
import Foundation
import TestSupport
import Uploads

/// Ways in which a client could be wrong, made by standing between it and the kernel: to the search
/// it looks like a client that writes so.
enum DeliberateMistake: String, CaseIterable, Sendable {
  case recordNeverNamed, recordEmpty, recordInPlace
  case doneSetNotSaved, notedBeforeItLanded
  case recordKeptAtRetire, filesRemovedBeforeRecord, filesKeptAtRetire
  case leftoversNotSwept, idsMintedAtStart

  /// Does what the mistake does there; true when the call itself is left out.
  func isMade(at point: KillPoint, in outbox: OutboxLook, life: Int) -> Bool {
    let isDoneSet = point.part.hasPrefix("done set")
    switch self {
    case .recordNeverNamed:
      return point.part == "commit" && point.what == "record renamed"
    case .recordEmpty: return point.part == "commit" && point.what == "record written"
    case .recordInPlace:
      // It is being written where it stands, and whole again once it is renamed.
      if isDoneSet, point.what == "record written" {
        for name in records(of: outbox) { truncate(name, in: outbox) }
      }
      return false
    case .doneSetNotSaved: return isDoneSet && point.what == "record renamed"
    case .notedBeforeItLanded:
      if point == KillPoint(part: "copy", what: "head sent") {
        rewrite(outbox) { $0.done = [.record, .copy] }
      }
      return false
    case .recordKeptAtRetire: return point.part == "retire" && point.what == "record removed"
    case .filesRemovedBeforeRecord:
      if point.part == "retire", point.what == "record removed" {
        for name in outbox.names where name.hasSuffix(".copy") { remove(name, in: outbox) }
      }
      return false
    case .filesKeptAtRetire:
      return point.part == "retire" && point.what.hasSuffix(" removed")
        && point.what != "record removed"
    case .leftoversNotSwept: return point.part == "recovery" && point.what.hasSuffix(" removed")
    case .idsMintedAtStart:
      if point == KillPoint(part: "open", what: "locked"), life > 0 {
        rewrite(outbox) { $0.moment = String($0.moment.dropLast(4)) + "000\(life)" }
      }
      return false
    }
  }

  /// What the search finds first.
  var consequence: Violation.Kind {
    switch self {
    case .recordNeverNamed: .lost
    case .recordEmpty, .recordInPlace: .unreadableRecord
    case .doneSetNotSaved: .sentAgain
    case .notedBeforeItLanded: .unfinished
    case .recordKeptAtRetire, .filesRemovedBeforeRecord: .recordWithoutFile
    case .filesKeptAtRetire, .leftoversNotSwept: .orphan
    case .idsMintedAtStart: .twice
    }
  }

  /// Where the client is killed, case by case: at every point of the part in which the mistake is.
  var kills: [[KillAim]] {
    func at(_ part: String, _ points: String...) -> [[KillAim]] {
      points.map { [.point(KillPoint(part: part, what: $0), occurrence: 1, .after)] }
    }
    let record = ["record made aside", "record written", "record synced"]
    return switch self {
    case .recordNeverNamed, .recordEmpty:
      at("commit", record[0], record[1], record[2], "folder synced", "record renamed", "told")
    case .recordInPlace, .doneSetNotSaved:
      at("done set with copy", record[0], record[1], record[2], "record renamed")
        + at("turn", "head sent")
    case .notedBeforeItLanded: at("copy", "head sent", "answer read")
    case .recordKeptAtRetire, .filesRemovedBeforeRecord, .filesKeptAtRetire:
      at("retire", "record removed", "folder synced", "copy removed", "original removed")
    case .leftoversNotSwept:
      at("commit", "copy made", "copy written", "record written", "folder synced")
    case .idsMintedAtStart: at("commit", "told") + at("record", "head sent", "answer read")
    }
  }

  private func records(of outbox: OutboxLook) -> [String] {
    outbox.names.filter { $0.hasSuffix(".json") }
  }

  private func truncate(_ name: String, in outbox: OutboxLook) {
    try? Data().write(to: URL(filePath: "\(outbox.folder)/\(name)"))
  }

  private func remove(_ name: String, in outbox: OutboxLook) {
    try? FileManager.default.removeItem(atPath: "\(outbox.folder)/\(name)")
  }

  private func rewrite(_ outbox: OutboxLook, _ change: (inout OutboxEntry) -> Void) {
    for name in records(of: outbox) {
      guard var entry = outbox.entry(ofRecord: name) else { continue }
      change(&entry)
      try? JSONEncoder().encode(entry).write(to: URL(filePath: "\(outbox.folder)/\(name)"))
    }
  }
}
