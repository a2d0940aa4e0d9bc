import Captures
import Foundation
import Quantities
import Reports
import Scenarios
import Testing

extension EndToEnd {
  /// The shipped 7 attempts and 9.93 MB follow from a formula; other figures have to follow it too.
  @Suite struct Formula {
    struct Case: CustomTestStringConvertible, Sendable {
      var testDescription: String
      var up = 20.0
      var buffer = 1_430_000
      var idle = 60
      var pause = 60
      var horizon: Double

      var formula: IdleCutFormula {
        IdleCutFormula(
          rate: up * 1_000, buffer: Double(buffer), idle: Double(idle), pause: Double(pause))
      }

      var scenario: ScenarioText {
        ScenarioText(
          up: up, buffer: buffer, horizon: horizon,
          variants: [
            .init(
              name: "before",
              settings: "policy: before, idle: \(idle) s, sync-pause: \(pause) s")
          ])
      }
    }

    /// Each horizon is one before which the last attempt has ended, and at which the shipped figures
    /// give another count or other bytes.
    ///
    /// One attempt is some packets of 1,460 bytes off, and at half the rate these weigh twice as
    /// much; so that case has twice as many attempts.
    ///
    /// With 1.2 MB the limit of 60 s would fire 0.2 s before the answer, so it has 45 s.
    static let cases = [
      Case(testDescription: "half the rate", up: 10, horizon: 800),
      Case(testDescription: "a buffer of 1.2 MB, 45 s", buffer: 1_200_000, idle: 45, horizon: 375),
      Case(testDescription: "a buffer of 1.6 MB", buffer: 1_600_000, horizon: 360),
      Case(testDescription: "an idle limit of 45 s", idle: 45, horizon: 523),
      Case(testDescription: "a pause of 30 s", pause: 30, horizon: 390),
    ]

    @Test(arguments: cases)
    func `attempts and bytes move as the formula and the fluid model predict`(
      _ theCase: Case
    ) async throws {
      let formula = theCase.formula
      let horizon = theCase.horizon
      #expect(formula.cuts)
      #expect(
        formula.attempts(before: horizon) != IdleCutFormula().attempts(before: horizon)
          || !formula.bytes(before: horizon).isWithin(
            3, of: IdleCutFormula().bytes(before: horizon)),
        "the shipped figures would give the same, so the case shows nothing")

      let scratch = try Scratch()
      let text = theCase.scenario.text
      try scratch.write(text, as: "moved.yaml")
      let ending = try await onebar("run", "moved.yaml", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.errors)")

      let variant = try #require(try scratch.result(of: "moved").variants.first)
      try Formula.expect(variant, fits: formula, before: horizon)
      try Formula.expect(variant, fits: try Formula.forecast(text))
    }

    @Test func `the shipped scenario moves as the formula and the fluid model predict`()
      async throws
    {
      let before = try await Shipped.slowCopy.value.variant("before")
      try Formula.expect(before, fits: IdleCutFormula(), before: 900)
      try Formula.expect(before, fits: try Formula.forecast(try Shipped.text(of: "slow-copy")))
    }

    private static func expect(
      _ variant: VariantRecord, fits formula: IdleCutFormula, before horizon: Double
    ) throws {
      let copy = try variant.file("copy")
      let bytes = formula.bytes(before: horizon)
      #expect(copy.attempts == formula.attempts(before: horizon))
      #expect(copy.wireBytes.isWithin(1, of: bytes), "\(copy.wireBytes) B; formula \(bytes) B")
    }

    private static func expect(_ variant: VariantRecord, fits forecast: FluidForecast) throws {
      let copy = try variant.file("copy")
      let bytes = forecast.wire(of: .copy).bytes
      #expect(copy.attempts == forecast.attempts(of: .copy))
      #expect(
        copy.wireBytes.isWithin(1, of: Double(bytes)), "\(copy.wireBytes) B; model \(bytes) B")
      #expect(copy.landed == (forecast.finished != nil))
      #expect(try variant.file("original").attempts == forecast.attempts(of: .original))
    }

    /// What the fluid model says of the variant `before` of a scenario.
    private static func forecast(_ text: String) throws -> FluidForecast {
      let scenario = try ScenarioDecoder(digest: { _ in "" }).decode(
        Array(text.utf8), file: "moved.yaml"
      ).get()
      let variant = try #require(scenario.variants.first { $0.name == "before" })
      return try FluidForecaster.forecast(scenario, variant).get()
    }
  }
}
