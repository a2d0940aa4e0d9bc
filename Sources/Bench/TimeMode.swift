package import Quantities
package import Scenarios

/// How time runs: with real sockets and processes, by the monotonic clock, or in the virtual world.
package struct TimeMode: Hashable, Sendable {
  /// Link seconds in one second of the monotonic clock; 1 where time is virtual.
  package var factor: Double
  /// Everything is simulated on one thread, and time jumps to what happens next.
  package private(set) var isVirtual = false

  package static let real = TimeMode(factor: 1)
  package static let dilated = TimeMode(factor: 60)
  package static let virtual = TimeMode(factor: 1, isVirtual: true)

  /// Above this rate of real bytes the machine, and not the model, would set the pace.
  package static let realRateMax = DataRate(bytesPerSecond: 500_000_000)

  package var isDilated: Bool { factor > 1 }

  /// As it is written: `virtual`, `1x`, `60x`.
  package var text: String { isVirtual ? "virtual" : "\(trimmed(factor, decimals: 3))x" }

  /// Reads `virtual`, `1x` or `60x`: a number from 1 to 1,000 before an x.
  package init(parsing text: String) throws(QuantityError) {
    if text == "virtual" {
      self = .virtual
      return
    }
    // Double also reads hexadecimal digits and exponents.
    let number = text.dropLast()
    guard text.hasSuffix("x"), number.allSatisfy({ $0 == "." || ("0"..."9").contains($0) }),
      let factor = Double(number), (1...1_000).contains(factor)
    else {
      throw QuantityError("\"\(text)\" is not a time scale; write it as 1x, 60x or virtual")
    }
    self.init(factor: factor)
  }

  package init(factor: Double) {
    self.init(factor: factor, isVirtual: false)
  }

  private init(factor: Double, isVirtual: Bool) {
    self.factor = factor
    self.isVirtual = isVirtual
  }

  /// Time runs half as fast, but never slower than it does.
  package var halved: TimeMode { isVirtual ? self : TimeMode(factor: max(1, factor / 2)) }

  /// The largest scale up to this one at which a rate stays within ``realRateMax``.
  package func lowered(for rate: DataRate) -> TimeMode {
    if isVirtual { return self }
    let most = (Self.realRateMax.bytesPerSecond / rate.bytesPerSecond).rounded(.down)
    return TimeMode(factor: min(factor, max(1, most)))
  }

  /// What variants are run in when nothing else is said: a command's own times do not run faster.
  package static func usual(for variants: [Variant]) -> TimeMode {
    variants.allSatisfy { $0.command == nil } ? .dilated : .real
  }
}

extension Scenario {
  /// Why these of its variants cannot be run in this mode, an error for each reason; nil when they
  /// can.
  package func refusal(of variants: [Variant], in mode: TimeMode) -> ScenarioErrors? {
    if mode.isVirtual { return refusalOfAVirtualRun(of: variants) }
    return refusalOfARealRun ?? (mode.isDilated ? refusalOfADilatedRun(of: variants) : nil)
  }
}
