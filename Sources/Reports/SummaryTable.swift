import Quantities

/// The table that tells a run: one column for each variant, one row for each question.
enum SummaryTable {
  /// A question, and how a variant answers it.
  private struct Row {
    var title: String
    var answer: (VariantRecord) -> String
  }

  static func table(_ record: RunRecord) -> ReportTable {
    let variants = record.variants
    return ReportTable(
      header: [conditions(record)] + variants.map(\.name),
      rows: rows(variants).map { row in [row.title] + variants.map(row.answer) })
  }

  /// The link, the captures and the time that all variants had.
  static func conditions(_ record: RunRecord) -> String {
    let up = record.link.up
    let rate = up.course ?? up.asked.map { DataRate(bytesPerSecond: $0).description }
    guard let horizon = record.variants.first?.horizon else { return rate ?? "" }
    // Not every client sends all files.
    let files = record.variants.map(\.files).max { $0.count < $1.count } ?? []
    let parts = [rate ?? "no limit up", captures(files), secondsText(horizon)]
    return parts.joined(separator: ", ")
  }

  /// `1 capture (copy 1.65 MB, original 4.31 MB)`; the sum where captures differ in their sizes.
  private static func captures(_ files: [FileRecord]) -> String {
    let count = Set(files.map(\.capture)).count
    let sizes = files.map(\.step).distinct.map { step in
      let sizes = files.filter { $0.step == step }.map(\.bytes)
      return Set(sizes).count == 1 ? "\(step) \(sizeText(sizes[0]))" : nil
    }
    let known = sizes.compactMap { $0 }
    let inside =
      known.count == sizes.count && !known.isEmpty
      ? known.joined(separator: ", ") : sizeText(files.reduce(0) { $0 + $1.bytes })
    return "\(counted(count, "capture")) (\(inside))"
  }

  private static func rows(_ variants: [VariantRecord]) -> [Row] {
    let steps = variants.flatMap(\.files).map(\.step).distinct
    var rows = steps.map { step in
      Row(title: "attempts of the \(noun(ofStep: step))") {
        perFile($0, step, \.attempts) { String($0) }
      }
    }
    rows += steps.map { step in
      Row(title: "bytes of the \(noun(ofStep: step)) on the wire") { variant in
        let files = variant.files.filter { $0.step == step }
        return files.isEmpty ? "–" : sizeText(files.reduce(0) { $0 + $1.wireBytes })
      }
    }
    rows += [
      Row(title: "landed", answer: landed),
      Row(title: "sent twice") { $0.wire.repeated == 0 ? "nothing" : sizeText($0.wire.repeated) },
      Row(title: "sent for nothing") {
        $0.wire.abandoned == 0 ? "nothing" : sizeText($0.wire.abandoned)
      },
      Row(title: "useful bytes") { sizeText($0.wire.useful) },
      Row(title: "heads and small calls") { sizeText($0.wire.overhead) },
      Row(title: "distinct status lines") { variant in
        let lines = variant.statusLines
        return lines.live == 0
          ? "\(lines.distinct), never a byte count"
          : "\(lines.distinct), \(lines.live) with a new byte count"
      },
      Row(title: "first line with live figures") {
        $0.statusLines.firstLiveAt.map { "at \(secondsText($0))" } ?? "never"
      },
      Row(title: "longest time without a new line") {
        $0.statusLines.longestSilence.map(secondsText) ?? "not measured"
      },
    ]
    if variants.contains(where: { $0.honesty != nil }) {
      rows += [
        Row(title: "lines that were false", answer: falseLines),
        Row(title: "ahead of the link, at most") {
          $0.honesty?.worstMegabytes.map { sizeText(Int($0 * 1e6)) } ?? "no byte count"
        },
      ]
    }
    rows.append(Row(title: "lost, or twice on the engine", answer: exactlyOnce))
    if variants.contains(where: { ($0.parked ?? 0) > 0 }) {
      rows.append(
        Row(title: "parked: refused for good") { $0.parked.map(String.init) ?? "not measured" })
    }
    if variants.contains(where: { ($0.held ?? 0) > 0 }) {
      rows.append(
        Row(title: "held: needs a faster link") { $0.held.map(String.init) ?? "not measured" })
    }
    if variants.contains(where: { ($0.discarded ?? 0) > 0 }) {
      rows.append(
        Row(title: "discarded by the user") { $0.discarded.map(String.init) ?? "not measured" })
    }
    if variants.contains(where: { $0.notSaved?.isEmpty == false }) {
      rows.append(Row(title: "not saved on the device", answer: notSaved))
    }
    if variants.contains(where: { $0.process != nil }) {
      rows.append(Row(title: "its processes", answer: processes))
    }
    if variants.contains(where: { ($0.process?.unassigned ?? 0) > 0 }) {
      rows.append(
        Row(title: "requests with no capture's file") {
          $0.process.map { String($0.unassigned) } ?? "–"
        })
    }
    return rows
  }

  /// `none of 431`, or how many, and how long the worst of them stood.
  private static func falseLines(_ variant: VariantRecord) -> String {
    guard let honesty = variant.honesty else { return "not measured" }
    let of = "of \(honesty.claims)"
    guard honesty.falseClaims > 0 else { return "none \(of)" }
    return "\(honesty.falseClaims) \(of), for \(secondsText(honesty.worstSeconds)) at most"
  }

  /// `photo-2 (/outbox/x.copy: the disk is full)`.
  private static func notSaved(_ variant: VariantRecord) -> String {
    guard let captures = variant.notSaved else { return "not measured" }
    if captures.isEmpty { return "none" }
    return limited(captures.map { "\($0.capture) (\($0.reason))" }, to: 2)
  }

  /// `1 start, ended with exit status 0, 4.1 s, CPU 0.05 s, 12.3 MB`.
  private static func processes(_ variant: VariantRecord) -> String {
    guard let process = variant.process else { return "–" }
    let parts = [
      counted(process.starts, "start"),
      process.ending.map { "ended \($0)" } ?? "ended by the bench",
      secondsText(process.seconds),
      "CPU \(secondsText(process.userSeconds + process.systemSeconds))",
      process.memoryPeak.map(sizeText),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// `7`, `1 each`, or the sum with its parts where files differ.
  private static func perFile(
    _ variant: VariantRecord, _ step: String, _ value: (FileRecord) -> Int,
    _ text: (Int) -> String
  ) -> String {
    let files = variant.files.filter { $0.step == step }
    let values = files.map(value)
    guard let first = values.first else { return "–" }
    if values.count == 1 { return text(first) }
    if values.allSatisfy({ $0 == first }) { return "\(text(first)) each" }
    let parts = files.map { file in
      "\(file.photo.map { "\(file.capture) photo \($0):" } ?? file.capture) \(text(value(file)))"
    }
    return "\(text(values.reduce(0, +))) (\(limited(parts, to: 4)))"
  }

  private static func landed(_ variant: VariantRecord) -> String {
    let files = variant.files
    guard !files.isEmpty else { return "–" }
    let missing = files.filter { !$0.landed }
    guard missing.isEmpty else {
      let end =
        switch variant.outcome {
        case .interrupted: "when interrupted"
        case .clientEnded: "the client ended \(variant.clientEnd ?? "by itself")"
        case .finished:
          variant.process?.ending.map { "the client ended \($0)" }
            ?? "though nothing was left to send"
        case .horizon: "after \(secondsText(variant.horizon))"
        }
      guard missing.count < files.count else { return "no, \(end)" }
      let labels = missing.map { $0.label(among: files) }
      return "\(files.count - missing.count) of \(files.count), \(end); "
        + "not: \(limited(labels, to: 4))"
    }
    let captures = Set(files.map(\.capture)).count
    let what =
      captures == 1
      ? listed(files.map { $0.label(among: files) })
      : "all \(files.count) files of \(captures) captures"
    let attempts = files.reduce(0) { $0 + $1.attempts }
    let how =
      files.allSatisfy { $0.attempts == 1 }
      ? (files.count == 1 ? "sent once" : "each sent once") : "in \(attempts) attempts"
    let when = variant.finishedAt.map { ", all done at \(secondsText($0))" } ?? ""
    return "\(what), \(how)\(when)"
  }

  private static func exactlyOnce(_ variant: VariantRecord) -> String {
    let counts = variant.exactlyOnce
    let lost = counts.lost ?? 0
    let parts =
      (lost > 0 ? ["\(lost) lost"] : [])
      + (counts.duplicates > 0 ? ["\(counts.duplicates) twice"] : [])
    if parts.isEmpty { return counts.lost == nil ? "none twice" : "none" }
    return parts.joined(separator: ", ")
  }
}
