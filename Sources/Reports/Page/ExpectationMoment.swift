/// When the thing happened, or began to, that an expectation is about.
enum ExpectationMoment {
  /// Link seconds; nil when it has no moment, as a size of the whole run.
  static func of(_ expectation: ExpectationRecord, in variant: VariantRecord) -> Double? {
    let words = expectation.name.split(separator: ".").map(String.init)
    let step = words.count > 1 ? words[1] : nil
    switch words.first {
    case "attempts", "wire", "repeated", "replays", "sent":
      // What was too much begins with the second request.
      let sends = variant.requests.filter { $0.step != nil && (step == nil || $0.step == step) }
      return sends.first { $0.attempt > 1 }?.at ?? sends.first?.at
    case "abandoned":
      return variant.requests.first { $0.step != nil && $0.end != "answered" }?.at
    case "landed", "finished", "lost", "parked", "duplicates":
      let missing = variant.files.contains { !$0.landed }
      return missing ? variant.horizon : variant.finishedAt
    case "lines":
      if step == "false" { return variant.statusLines.lines.first { $0.isTrue == false }?.first }
      return step == "first-live" ? variant.statusLines.firstLiveAt : nil
    default:
      return nil
    }
  }
}
