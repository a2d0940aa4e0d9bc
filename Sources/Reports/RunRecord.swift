/// What one run of a scenario measured: the source of every report.
///
/// Times are link seconds, sizes are bytes. What was not measured is nil, and never a pass.
package struct RunRecord: Hashable, Sendable {
  package struct Tool: Hashable, Sendable {
    package var name: String
    package var version: String

    package init(name: String = "onebar", version: String) {
      self.name = name
      self.version = version
    }
  }

  package struct ScenarioReference: Hashable, Sendable {
    package var name: String
    package var file: String
    package var sha256: String

    package init(name: String, file: String, sha256: String) {
      self.name = name
      self.file = file
      self.sha256 = sha256
    }
  }

  /// How time ran, and how late the timers were, in link seconds.
  package struct Time: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
      case real, dilated, virtual
    }

    package var mode: Mode
    package var factor: Double
    package var lateness: Lateness?

    package init(mode: Mode, factor: Double = 1, lateness: Lateness? = nil) {
      self.mode = mode
      self.factor = factor
      self.lateness = lateness
    }
  }

  /// The rate that was asked for from a link time on.
  package struct RatePoint: Hashable, Sendable {
    package var at: Double
    /// Bytes per second, 0 while offline; nil where everything crosses at once.
    package var rate: Double?

    package init(at: Double, rate: Double?) {
      self.at = toMilliseconds(at)
      self.rate = rate.map { rounded($0, decimals: 2) }
    }
  }

  /// Asked against measured, in bytes per second.
  package struct Direction: Hashable, Sendable {
    /// Where it changes over time, the mean over the time measured; nil when there is no such number.
    package var asked: Double?
    /// From departure to departure of packets, while the direction was busy; nil when it never was.
    package var measured: Double?
    package var errorPercent: Double?
    /// How the rate changes over time, in words; nil when it does not.
    package var course: String?
    /// What was asked for over time, each until the next; nil in a result that does not say it.
    package var rates: [RatePoint]?

    /// Keeps, of the rates that the variants measured, the one furthest from what was asked.
    ///
    /// A variant's own `asked` is that over the time in which it was measured.
    package init(
      asked: Double?, course: String? = nil, measured rates: [(asked: Double?, rate: Double)]
    ) {
      let known = rates.compactMap { rate in
        (rate.asked ?? asked).map { (asked: $0, rate: rate.rate) }
      }
      let worst = known.max { abs($0.rate / $0.asked - 1) < abs($1.rate / $1.asked - 1) }
      self.asked = worst?.asked ?? asked
      self.course = course
      measured = worst.map { rounded($0.rate, decimals: 2) }
      if let asked = self.asked, let measured {
        errorPercent = rounded((measured - asked) / asked * 100, decimals: 4)
      }
    }
  }

  package struct Buffer: Hashable, Sendable {
    package var declared: Int
    /// Mean over the attempts whose buffer was full, kernel bytes included; nil when none was.
    package var measured: Double?

    package init(declared: Int, measured means: [Double]) {
      self.declared = declared
      measured = mean(means).map { rounded($0, decimals: 1) }
    }
  }

  /// What a client and a server at the two ends of the link measured before the run.
  package struct Probe: Hashable, Sendable {
    package var asked: LinkProbeCheck.Values
    package var measured: LinkProbeCheck.Values

    package init(asked: LinkProbeCheck.Values, measured: LinkProbeCheck.Values) {
      self.asked = asked
      self.measured = measured
    }
  }

  package struct Link: Hashable, Sendable {
    package var up: Direction
    package var down: Direction
    package var buffer: Buffer
    /// Nil where nothing is to be probed: in the virtual world, and of a link that changes.
    package var probe: Probe?

    package init(up: Direction, down: Direction, buffer: Buffer) {
      self.up = up
      self.down = down
      self.buffer = buffer
    }

    /// What was asked, beside what the instrument measured over all variants.
    ///
    /// The courses say how rates change over time that do.
    package init(
      upAsked: Double?, downAsked: Double?, upCourse: String? = nil, downCourse: String? = nil,
      bufferDeclared: Int, measuredBy: [InstrumentRecord]
    ) {
      up = Direction(
        asked: upAsked, course: upCourse,
        measured: measuredBy.compactMap { own in own.upRate.map { (own.upAsked, $0) } })
      down = Direction(
        asked: downAsked, course: downCourse,
        measured: measuredBy.compactMap { own in own.downRate.map { (own.downAsked, $0) } })
      buffer = Buffer(declared: bufferDeclared, measured: measuredBy.flatMap(\.buffers))
    }
  }

  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case passed, failed, inconclusive, interrupted
  }

  package var tool: Tool
  package var scenario: ScenarioReference
  package var seed: UInt64
  package var time: Time
  package var link: Link
  package var verdict: Verdict
  /// Why the run is inconclusive, a sentence each.
  package var doubts: [String]
  package var expectations: [ExpectationRecord]
  package var variants: [VariantRecord]

  /// A run that is not judged yet is inconclusive; ``judge(by:interrupted:doubts:)`` judges it.
  package init(
    tool: Tool, scenario: ScenarioReference, seed: UInt64, time: Time, link: Link,
    verdict: Verdict = .inconclusive, doubts: [String] = [], expectations: [ExpectationRecord] = [],
    variants: [VariantRecord]
  ) {
    self.tool = tool
    self.scenario = scenario
    self.seed = seed
    self.time = time
    self.link = link
    self.verdict = verdict
    self.doubts = doubts
    self.expectations = expectations
    self.variants = variants
  }
}

/// The arithmetic mean; nil of nothing.
func mean(_ values: [Double]) -> Double? {
  values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}
