import Quantities

/// What the bench measured of itself, one column for each variant.
enum InstrumentTable {
  static func table(_ record: RunRecord) -> ReportTable {
    let link = record.link
    let isVirtual = record.time.mode == .virtual
    func row(_ title: String, _ answer: (VariantRecord) -> String) -> [String] {
      [title] + record.variants.map(answer)
    }
    return ReportTable(
      header: ["the instrument"] + record.variants.map(\.name),
      rows: [
        row("rate up, asked \(rateText(link.up))") {
          rate(link.up, asked: $0.instrument.upAsked, measured: $0.instrument.upRate)
        },
        row("rate down, asked \(rateText(link.down))") {
          rate(link.down, asked: $0.instrument.downAsked, measured: $0.instrument.downRate)
        },
        row("buffer, declared \(ByteCount(link.buffer.declared))") {
          buffer(declared: link.buffer.declared, $0.instrument.buffers)
        },
        row("taken in = carried + discarded + queued") { balance($0.instrument) },
        row("carried = received by the engine") { variant in
          let instrument = variant.instrument
          return gap(instrument.carried, instrument.engineReceived)
        },
        row("timers late, p50 / p99, link seconds") { variant in
          isVirtual ? "never" : lateness(variant.instrument.lateness ?? record.time.lateness)
        },
        row("the client's timers late, worst, link seconds") { variant in
          if isVirtual { return "never" }
          return variant.instrument.clientLateness.map { trimmed($0, decimals: 3) }
            ?? "not measured"
        },
        row("retransmissions / zero-window probes") {
          isVirtual
            ? "no kernel takes part"
            : "\($0.instrument.retransmissions) / \($0.instrument.zeroWindowProbes)"
        },
      ])
  }

  static func rateText(_ direction: RunRecord.Direction) -> String {
    direction.course
      ?? direction.asked.map { DataRate(bytesPerSecond: $0).description } ?? "no limit, or offline"
  }

  /// `own` is what was asked over the time measured, of a rate that changes.
  private static func rate(
    _ direction: RunRecord.Direction, asked own: Double?, measured: Double?
  ) -> String {
    guard let measured else { return "not measured" }
    let text = DataRate(bytesPerSecond: measured).description
    if let own {
      let mean = DataRate(bytesPerSecond: own)
      return
        "\(text), on the mean \(mean) asked (\(signedPercent((measured - own) / own * 100, decimals: 2)))"
    }
    guard direction.course == nil, let asked = direction.asked else { return text }
    return "\(text) (\(signedPercent((measured - asked) / asked * 100, decimals: 2)))"
  }

  private static func buffer(declared: Int, _ buffers: [Double]) -> String {
    guard let measured = mean(buffers) else { return "not measured: never full" }
    let error = (measured - Double(declared)) / Double(declared) * 100
    return "\(ByteCount(Int(measured.rounded()))) (\(signedPercent(error, decimals: 2))), mean of "
      + counted(buffers.count, "attempt")
  }

  private static func balance(_ instrument: InstrumentRecord) -> String {
    gap(instrument.takenIn, instrument.carried + instrument.discarded + instrument.queued)
  }

  private static func gap(_ left: Int, _ right: Int) -> String {
    left == right ? "yes, \(sizeText(left))" : "NO, off by \(left - right) B"
  }

  static func lateness(_ lateness: RunRecord.Lateness?) -> String {
    guard let lateness else { return "not measured" }
    return "\(trimmed(lateness.p50, decimals: 4)) / \(trimmed(lateness.p99, decimals: 4))"
  }
}
