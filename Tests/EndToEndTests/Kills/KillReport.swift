import Foundation
import TestSupport

extension KillSearch.Tally {
  /// What was done and found, as a section of Markdown.
  func report(seconds: Double) -> String {
    var lines = [
      "## Kills of the real process", "",
      "\(kills) kills (SIGKILL) of `onebar client` in \(lives) lives of \(stories) outboxes, on a disk"
        + " and in memory in turn, half of them behind a link. Two photos, one right after the"
        + " other, and a document; \(Int(seconds)) s.", "",
      "| found | times |", "| -- | -- |",
    ]
    for (words, kinds) in Self.findings {
      lines.append("| \(words) | \(violations.count { kinds.contains($0.kind) }) |")
    }
    lines += ["", "| killed at | times, by call |", "| -- | -- |"]
    var parts: [String] = []
    for point in points where !parts.contains(point.part) { parts.append(point.part) }
    for part in parts {
      let calls = points.filter { $0.part == part }.map { "\($0.what) \(hits[$0, default: 0])" }
      lines.append("| \(part) | \(calls.joined(separator: ", ")) |")
    }
    lines.append("| a random time | \(timed) |")
    return lines.joined(separator: "\n") + "\n"
  }

  private static let findings: [(String, [Violation.Kind])] = [
    ("captures lost", [.lost]),
    ("captures or files held twice, or with other bytes", [.twice, .wrongBytes]),
    (
      "records without their files, or that cannot be read",
      [.recordWithoutFile, .unreadableRecord]
    ),
    ("files without a record", [.orphan]),
    ("steps sent again after they had landed", [.sentAgain]),
    ("outboxes that did not come to an end", [.unfinished]),
  ]
}

/// A folder for what the searches found, which `ONEBAR_SEARCH` names; nil when nobody asks.
enum SearchReport {
  static func write(_ text: String, as name: String) throws {
    guard let folder = environment("ONEBAR_SEARCH") else { return }
    try text.write(toFile: "\(folder)/\(name).md", atomically: true, encoding: .utf8)
  }
}
