import Foundation
import Quantities

/// A scenario drawn from a seed, over the whole range of links, sizes and accidents.
struct DrawnScenario {
  /// What goes wrong on the way; each has its turn.
  enum Accident: CaseIterable {
    case none, outage, unavailable, tooLarge, lostAnswer, steps, jitter, killed
  }

  let number: Int
  let accident: Accident
  /// In bytes per second, and from ``laterAt`` on.
  let rate: Double
  private let later: Double
  /// In bytes.
  let buffer: Double
  private let latency: Double
  private let size: Double
  private let isPhoto: Bool
  private let outage: (at: Double, lasts: Double)
  /// Of the link at its other rate, and of the client until its start.
  private let laterAt: Double
  private let jitter: Double
  private let policy: String

  /// A file crosses in these many seconds at most, so that twenty runs are done in minutes.
  private static let crossingMax = 120.0
  private static let horizon = 400
  /// Below this buffer the kernels of a client with the usual send buffer hold more than it.
  private static let smallBuffer = 100_000.0

  init(number: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed).fork("drawn scenario \(number)")
    self.number = number
    accident = Accident.allCases[number % Accident.allCases.count]
    rate = Self.draw(5_000, 500_000, &random)
    buffer = Self.draw(32_000, 4_000_000, &random)
    latency = Double.random(in: 0...600, using: &random)
    size = Self.draw(100_000, min(6_000_000, rate * Self.crossingMax), &random)
    isPhoto = Bool.random(using: &random)
    let crossing = size / rate
    outage = (
      Double.random(in: 0...crossing, using: &random), Double.random(in: 5...100, using: &random)
    )
    policy = Int.random(in: 0..<4, using: &random) == 0 ? "before" : "after"
    later = rate * Self.draw(30, 300, &random) / 100
    laterAt = Double.random(in: 0...crossing, using: &random)
    jitter = Double.random(in: 1...200, using: &random)
  }

  /// Evenly over the orders of magnitude, and in whole numbers.
  private static func draw(
    _ least: Double, _ most: Double, _ random: inout SeededRandom
  ) -> Double {
    exp(Double.random(in: log(least)...log(most), using: &random)).rounded()
  }

  /// The file; `pace` is a factor of the rate, and `shift` moves what happens at a time by so many
  /// seconds, to see whether the outcome hangs by a thread.
  func text(pace: Double = 1, shift: Double = 0) -> String {
    """
    name: Drawn, number \(number)
    seed: \(number + 1)
    horizon: \(Self.horizon) s
    link:
      up: \(up(pace, shift))
      down: \(Int(rate * pace * 10)) B/s
      latency: \(Int(latency)) ms
      buffer: \(Int(buffer)) B
      \(accident == .outage ? offline(shift) : "")
      \(accident == .jitter ? "jitter: \(Int(jitter)) ms" : "")
    captures:
      - \(capture)
        at: 0 s
    engine:
      turn: { takes: 5 s }
      \(script.map { "script: [\($0)]" } ?? "")
    \(accident == .killed ? acts(shift) : "")
    variants:
      drawn: { client: outbox, policy: \(policy), send-buffer: \(sendBuffer) }

    """
  }

  private var capture: String {
    isPhoto
      ? "photo: { original: \(Int(size)) B, copy: \(Int(size / 3)) B }"
      : "document: \(Int(size)) B"
  }

  private var sendBuffer: String { buffer < Self.smallBuffer ? "4.6 KB" : "16 KB" }

  private func offline(_ shift: Double) -> String {
    let start = max(0, outage.at + shift).rounded()
    return "offline: [{ at: \(start) s, for: \(outage.lasts.rounded()) s }]"
  }

  /// The highest of its rates.
  var rateMax: Double { accident == .steps ? max(rate, later) : rate }

  private func up(_ pace: Double, _ shift: Double) -> String {
    guard accident == .steps else { return "\(Int(rate * pace)) B/s" }
    let change = max(1, laterAt + shift).rounded()
    return "{ steps: [{ at: 0 s, rate: \(Int(rate * pace)) B/s }, "
      + "{ at: \(change) s, rate: \(Int(later * pace)) B/s }] }"
  }

  private func acts(_ shift: Double) -> String {
    let kill = max(1, outage.at + shift).rounded()
    return "acts: [{ at: \(kill) s, do: kill }, "
      + "{ at: \(kill + outage.lasts.rounded()) s, do: start }]"
  }

  private var script: String? {
    let file = isPhoto ? "original" : "document"
    return switch accident {
    case .none, .outage, .steps, .jitter, .killed: nil
    case .unavailable: "{ when: { step: \(file), attempt: 1 }, then: { answer: 503 } }"
    case .tooLarge: "{ when: { step: \(file) }, then: { at: head, answer: 413 } }"
    case .lostAnswer: "{ when: { step: \(file), attempt: 1 }, then: { at: stored, close: reset } }"
    }
  }
}
