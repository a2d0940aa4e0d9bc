import Quantities

/// The lines of a variant with their verdicts, as reports have them.
package struct HonestyReport {
  private let lines: [ShownLine]
  private let verdicts: [LineVerdict]

  package init(_ lines: [ShownLine], truth: RunTruth) {
    self.lines = lines
    verdicts = LineJudge(truth).verdicts(of: lines)
  }

  /// Nil when no line could be judged.
  package var record: HonestyRecord? {
    let judged = verdicts.count { $0.truth != .notJudged }
    guard judged > 0 else { return nil }
    return HonestyRecord(
      claims: judged, falseClaims: verdicts.count { $0.isFalse },
      worstMegabytes: verdicts.compactMap(\.ahead).max().map { Double($0) / 1e6 },
      worstSeconds: verdicts.map(\.falseFor).max()?.inSeconds ?? 0, findings: findings)
  }

  /// Enters in each distinct line whether it was true each time that it was shown.
  package func judge(_ record: inout StatusLinesRecord) {
    // Only looked up.
    var found: [String: (isTrue: Bool, why: String?)] = [:]
    for (line, verdict) in zip(lines, verdicts) {
      switch verdict.truth {
      case .notJudged: break
      case .isTrue: if found[line.text] == nil { found[line.text] = (true, nil) }
      case .isFalse(_, let why, _):
        if found[line.text]?.isTrue != false { found[line.text] = (false, why) }
      }
    }
    for index in record.lines.indices {
      let verdict = found[record.lines[index].text]
      record.lines[index].isTrue = verdict?.isTrue
      record.lines[index].why = verdict?.why
    }
  }

  /// Enters at each time what the figures of the line that stood then come to.
  package func enter(in timeline: inout [TimelinePoint]) {
    var newest = -1
    for index in timeline.indices {
      // As finely as the times of points are.
      while newest + 1 < lines.count,
        toMilliseconds(lines[newest + 1].at.seconds) <= timeline[index].at
      { newest += 1 }
      guard newest >= 0, case .figures = lines[newest].claim else { continue }
      timeline[index].claimed = verdicts[newest].claimed
    }
  }

  private var findings: [String] {
    LineVerdict.Falsehood.allCases.compactMap { kind in
      let those = zip(lines, verdicts).filter { $0.1.kind == kind }
      guard let (line, verdict) = those.first, case .isFalse(_, let why, _) = verdict.truth else {
        return nil
      }
      let more = those.count > 1 ? "; so were \(those.count - 1) more" : ""
      let stood = verdict.falseFor > .zero ? ", for \(secondsText(verdict.falseFor.inSeconds))" : ""
      return "\"\(shortened(line.text, to: 160))\", shown at \(secondsText(line.at.seconds)), was"
        + " false\(stood): \(why)\(more)."
    }
  }
}

extension LineVerdict {
  fileprivate var kind: Falsehood? {
    if case .isFalse(let kind, _, _) = truth { kind } else { nil }
  }

  fileprivate var isFalse: Bool { kind != nil }
}
