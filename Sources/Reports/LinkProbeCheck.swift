import Quantities

/// Holds what a probe found at the two ends of a link against what was asked of it.
package struct LinkProbeCheck: Hashable, Sendable {
  /// Of the rate that was asked: a probe counts some thirty packets.
  package static let rateTolerancePercent = 1.0
  /// Of the latency that was asked, beside ``wakingSeconds``.
  package static let latencyTolerancePercent = 1.0
  /// Of the monotonic clock: a byte goes through three processes' worth of waking up.
  package static let wakingSeconds = 0.002

  /// Bytes per second, link seconds and bytes; nil where nothing is asked for, or was measured.
  package struct Values: Hashable, Sendable {
    package var rate: Double?
    package var latencyUp: Double?
    package var latencyDown: Double?
    package var buffer: Double?

    package init(
      rate: Double? = nil, latencyUp: Double? = nil, latencyDown: Double? = nil,
      buffer: Double? = nil
    ) {
      self.rate = rate.map { rounded($0, decimals: 2) }
      self.latencyUp = latencyUp.map { rounded($0, decimals: 6) }
      self.latencyDown = latencyDown.map { rounded($0, decimals: 6) }
      self.buffer = buffer.map { rounded($0, decimals: 1) }
    }
  }

  package enum Measure: String, Hashable, Sendable {
    case rate = "rate up"
    case latencyUp = "latency up"
    case latencyDown = "latency down"
    case buffer
  }

  package struct Row: Hashable, Sendable {
    package var measure: Measure
    package var asked: String
    package var measured: String
    package var allowed: String
    /// Nil when it was not measured: that is no pass.
    package var isWithin: Bool?
  }

  package private(set) var rows: [Row] = []

  /// `factor` is the scale of time at which the probe ran.
  package init(asked: Values, measured: Values, factor: Double) {
    func add(
      _ measure: Measure, _ value: KeyPath<Values, Double?>, tolerance: (Double) -> Double,
      _ text: (Double) -> String
    ) {
      guard let wanted = asked[keyPath: value] else { return }
      let found = measured[keyPath: value]
      rows.append(
        Row(
          measure: measure, asked: text(wanted), measured: found.map(text) ?? "not measured",
          allowed: "+- \(text(tolerance(wanted)))",
          isWithin: found.map { abs($0 - wanted) <= tolerance(wanted) }))
    }
    let latency = { $0 * Self.latencyTolerancePercent / 100 + Self.wakingSeconds * factor }
    add(.rate, \.rate, tolerance: { $0 * Self.rateTolerancePercent / 100 }) {
      DataRate(bytesPerSecond: $0).description
    }
    let milliseconds = { (seconds: Double) in "\(trimmed(seconds * 1e3, decimals: 2)) ms" }
    add(.latencyUp, \.latencyUp, tolerance: latency, milliseconds)
    add(.latencyDown, \.latencyDown, tolerance: latency, milliseconds)
    // What crosses while a sender wakes up to fill the buffer again.
    let crossing = (asked.rate ?? 0) * Self.wakingSeconds * factor
    let buffer = { (declared: Double) in
      InstrumentCheck.bufferTolerance(declared: Int(declared)) + crossing
    }
    add(.buffer, \.buffer, tolerance: buffer) {
      ByteCount(Int($0.rounded())).description
    }
  }

  package var isWithin: Bool { rows.allSatisfy { $0.isWithin == true } }

  /// Each value with what was asked for.
  var sentence: String {
    listed(rows.map { "\($0.measure.rawValue) \($0.measured) (asked \($0.asked))" }) + "."
  }

  /// In columns, for a terminal.
  package var text: String {
    ReportTable(
      header: ["", "asked", "measured", "allowed", ""],
      rows: rows.map { row in
        let standing = row.isWithin.map { $0 ? "ok" : "OUT OF TOLERANCE" } ?? "not measured"
        return [row.measure.rawValue, row.asked, row.measured, row.allowed, standing]
      }
    ).plain(width: TerminalSummary.width)
  }
}
