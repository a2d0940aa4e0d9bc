import Quantities

/// Holds what the bench measured of itself against what was asked of it.
///
/// A bench that is out of tolerance cannot judge a client: each doubt makes the run inconclusive.
package struct InstrumentCheck: Hashable, Sendable {
  /// Of the rate that was asked, per direction; or what the lateness of timers explains, if more.
  package static let rateTolerancePercent = 0.5
  /// Of the declared buffer; or ``bufferTolerancePackets``, whichever is larger.
  package static let bufferTolerancePercent = 1.0
  package static let bufferTolerancePackets = 3
  package static let packetBytes = 1_460
  /// A machine that is busy for a moment sees a segment repeated after some milliseconds although
  /// nothing was lost (a tail loss probe, RFC 8985); so few change nothing behind a buffer.
  package static let retransmissionsMax = 3
  /// Of all timers of the bench, 99 in 100 are to fire within this many link seconds.
  package static let latenessMax = 0.5
  /// And the worst of the client's within this many: later, and a limit that fires has let another
  /// second's worth of bytes cross.
  package static let clientLatenessMax = 1.0
  /// A direction that carried less than this time's worth of its rate was hardly busy: no rate of it
  /// is asked for.
  package static let busySeconds = 10.0
  /// A factor at which a machine that is busy at 60x mostly keeps up.
  package static let gentleFactor = 20.0

  /// A sentence each; none means that the instrument was in tolerance.
  package var doubts: [String] = []
  /// What could not be measured and need not be, a sentence each.
  package var notes: [String] = []
  private let time: RunRecord.Time

  package init(link: RunRecord.Link, time: RunRecord.Time, variants: [VariantRecord]) {
    self.time = time
    for variant in variants {
      let instrument = variant.instrument
      checkBalance(variant.name, instrument)
      let late = (instrument.lateness ?? time.lateness)?.p99 ?? 0
      checkRate(
        variant.name, "up", direction: link.up, asked: instrument.upAsked,
        measured: instrument.upRate,
        carried: instrument.carried, uncertain: late * Double(instrument.upPeriods ?? 0))
      checkRate(
        variant.name, "down", direction: link.down, asked: instrument.downAsked,
        measured: instrument.downRate,
        carried: variant.wire.down, uncertain: late * Double(instrument.downPeriods ?? 0))
      if variant.process == nil {
        checkBuffer(variant.name, declared: link.buffer.declared, instrument.buffers)
      } else {
        tellBuffer(variant.name, instrument.buffers)
      }
      if time.mode == .dilated {
        checkKernel(variant.name, instrument)
        checkLateness(variant.name, instrument)
      }
    }
    if let probe = link.probe { checkProbe(probe, variants) }
  }

  /// What the run has measured itself it knows better than the probe.
  private mutating func checkProbe(
    _ probe: RunRecord.Probe, _ variants: [VariantRecord]
  ) {
    var asked = probe.asked
    if variants.contains(where: { $0.instrument.upRate != nil }) { asked.rate = nil }
    if variants.contains(where: { $0.process == nil && !$0.instrument.buffers.isEmpty }) {
      asked.buffer = nil
    }
    let check = LinkProbeCheck(asked: asked, measured: probe.measured, factor: time.factor)
    for row in check.rows where row.isWithin != true {
      let found = "the probe of the link before the run: \(row.measure.rawValue) \(row.measured)"
      if row.isWithin == nil {
        notes.append("\(found).")
      } else {
        doubts.append("\(found) instead of \(row.asked) (\(row.allowed) is allowed). \(wayOut)")
      }
    }
  }

  private mutating func checkBalance(_ name: String, _ instrument: InstrumentRecord) {
    let accounted = instrument.carried + instrument.discarded + instrument.queued
    if instrument.takenIn != accounted {
      doubts.append(
        "\(name): the proxy took in \(instrument.takenIn) B, but carried, discarded and queued bytes"
          + " are \(accounted) B together: \(abs(instrument.takenIn - accounted)) B are not"
          + " accounted for.")
    }
    if instrument.carried != instrument.engineReceived {
      doubts.append(
        "\(name): the proxy carried \(instrument.carried) B, but the engine received"
          + " \(instrument.engineReceived) B.")
    }
  }

  /// Percent by which a rate may differ that was measured over `busy` seconds, `uncertain` of them.
  ///
  /// The link itself is exact in the long run. But each busy period is measured from and to the
  /// moments at which the loop got round to it, and of a short one that is a noticeable part.
  package static func rateTolerance(busy: Double, uncertain: Double) -> Double {
    max(rateTolerancePercent, uncertain / busy * 100)
  }

  private mutating func checkRate(
    _ name: String, _ title: String, direction: RunRecord.Direction, asked own: Double?,
    measured: Double?, carried: Int, uncertain: Double
  ) {
    if direction.course != nil, own == nil {
      notes.append(
        "\(name): what the \(title) link was asked for over the time measured is no one number,"
          + " so its rate is not judged.")
      return
    }
    guard let asked = own ?? direction.asked else { return }
    let busy = Double(carried) / asked
    guard busy >= InstrumentCheck.busySeconds else {
      notes.append(
        "\(name): the \(title) link was hardly busy (\(sizeText(carried))), so its rate is"
          + " not judged.")
      return
    }
    guard let measured else {
      doubts.append(
        "\(name): the \(title) link carried \(sizeText(carried)), \(secondsText(busy)) at"
          + " the rate asked, and its rate was not measured.")
      return
    }
    let error = (measured - asked) / asked * 100
    let tolerance = InstrumentCheck.rateTolerance(busy: busy, uncertain: uncertain)
    if abs(error) > tolerance {
      doubts.append(
        "\(name): the \(title) link ran at \(DataRate(bytesPerSecond: measured)) instead of"
          + " \(DataRate(bytesPerSecond: asked)) (\(signedPercent(error, decimals: 2));"
          + " \(trimmed(tolerance, decimals: 2)) % is allowed). \(wayOut)")
    }
  }

  /// What to do about a machine that does not keep up.
  var wayOut: String {
    switch time.mode {
    case .virtual: return "This machine takes no part in virtual time: the bench itself is wrong."
    case .real: return "Run it again with less beside it."
    case .dilated: break
    }
    return time.factor > InstrumentCheck.gentleFactor
      ? "Use a smaller factor, such as --time \(trimmed(InstrumentCheck.gentleFactor, decimals: 0))x."
      : "Use a smaller factor, or --time 1x."
  }

  /// Bytes that the measured buffer may differ from the declared one.
  package static func bufferTolerance(declared: Int) -> Double {
    max(
      Double(declared) * bufferTolerancePercent / 100,
      Double(bufferTolerancePackets * packetBytes))
  }

  private mutating func checkBuffer(_ name: String, declared: Int, _ buffers: [Double]) {
    guard let measured = mean(buffers) else {
      notes.append("\(name): no attempt filled the buffer, so it was not measured.")
      return
    }
    let tolerance = InstrumentCheck.bufferTolerance(declared: declared)
    if abs(measured - Double(declared)) > tolerance {
      doubts.append(
        "\(name): the buffer held \(ByteCount(Int(measured.rounded()))) on the mean of"
          + " \(counted(buffers.count, "attempt")) instead of \(ByteCount(declared))"
          + " (\(ByteCount(Int(tolerance))) either way is allowed). \(wayOut)")
    }
  }

  /// The sockets of a command are its own, and hold what its system gives them.
  private mutating func tellBuffer(_ name: String, _ buffers: [Double]) {
    guard let measured = mean(buffers) else { return }
    notes.append(
      "\(name): path and the client's own sockets held \(ByteCount(Int(measured.rounded()))) on the"
        + " mean of \(counted(buffers.count, "attempt")); of a command that is not judged.")
  }

  /// On a machine that is too busy, dilated time runs ahead of the processes that live in it.
  private mutating func checkLateness(_ name: String, _ instrument: InstrumentRecord) {
    if let late = instrument.lateness?.p99, late > InstrumentCheck.latenessMax {
      doubts.append(
        "\(name): one timer of the bench in a hundred fired \(secondsText(late)) late or more;"
          + " the machine is too busy for this factor. \(wayOut)")
    }
    if let late = instrument.clientLateness, late > InstrumentCheck.clientLatenessMax {
      doubts.append(
        "\(name): a timer of the client fired \(secondsText(late)) late, and so may its limits"
          + " have; the machine is too busy for this factor. \(wayOut)")
    }
  }

  /// The kernel's own timers do not run in dilated time, so they must not have decided anything.
  private mutating func checkKernel(_ name: String, _ instrument: InstrumentRecord) {
    for (count, most, what) in [
      (
        instrument.retransmissions, InstrumentCheck.retransmissionsMax, "retransmission"
      ),
      (instrument.zeroWindowProbes, 0, "zero-window probe"),
    ] where count > most {
      doubts.append(
        "\(name): the kernel made \(counted(count, what)); its timers do not run in dilated time."
          + " \(wayOut)")
    }
  }
}
