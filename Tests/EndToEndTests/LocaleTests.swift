import FoundationEssentials
import JSON
import Reports
import Testing

/// The language and the wall clock of a device reach what it shows, and nothing that is measured.
@Suite(.serialized) struct LocaleTests {
  private static let locales = ["en_US", "de_DE", "fr_CA", "ar_EG", "hi_IN"]

  private static func scenario(acts: String = "[]") -> String {
    var text = ScenarioText(
      up: 50, buffer: 64_000, copy: 200_000, original: 500_000, horizon: 60,
      variants: locales.map {
        .init(
          name: $0.lowercased().replacing("_", with: "-"), settings: "policy: after, locale: \($0)")
      })
    text.more = "acts: \(acts)"
    return text.text
  }

  private func run(
    _ scenario: String, _ time: String, environment: [String] = []
  ) async throws -> RunRecord {
    let scratch = try Scratch()
    try scratch.write(scenario, as: "a.yaml")
    let process = try OnebarProcess(
      ["run", "a.yaml", "--time", time, "--out", "out", "--quiet"], in: scratch,
      environment: environment)
    _ = try await process.end()
    return try ResultFile.record(from: scratch.text(of: "out/a/result.json"))
  }

  /// A variant without its name and without what the separator is in.
  private func plain(_ variant: VariantRecord) -> VariantRecord {
    var variant = variant
    variant.name = ""
    for index in variant.statusLines.lines.indices {
      variant.statusLines.lines[index].text.replace(",", with: ".")
    }
    return variant
  }

  @Test func `five locales give equal results, apart from the separator in their lines`()
    async throws
  {
    let record = try await run(Self.scenario(), "virtual")
    #expect(record.variants.count == 5)
    for (variant, locale) in zip(record.variants, Self.locales) {
      #expect(plain(variant) == plain(record.variants[0]))
      let texts = variant.statusLines.lines.map(\.text)
      let hasComma = ["de_DE", "fr_CA"].contains(locale)
      #expect(texts.contains { $0.contains(hasComma ? " of 0,20 MB" : " of 0.20 MB") })
      #expect(!texts.contains { $0.contains(hasComma ? " of 0.20 MB" : " of 0,20 MB") })
      #expect(variant.honesty?.falseClaims == 0 && variant.statusLines.live > 5)
    }
  }

  @Test func `a wall clock that is set changes nothing, nor does the locale of this machine`()
    async throws
  {
    let plainRun = try await run(Self.scenario(), "virtual")
    let acts = """
      [{ at: 3 s, do: set-clock, by: -24 h }, { at: 8 s, do: set-clock, by: 8760 h }]
      """
    let jumped = try await run(
      Self.scenario(acts: acts), "virtual", environment: ["LC_ALL=de_DE.UTF-8", "LANG=ar_EG"])
    // Byte for byte, but for the time that the run waits until its last act.
    for (one, other) in zip(plainRun.variants, jumped.variants) { #expect(one == other) }
  }

  @Test func `real clients under five locales do the same work and tell the truth`() async throws {
    let record = try await run(
      Self.scenario(
        acts: "[{ at: 5 s, do: set-clock, by: 1 h }, { at: 9 s, do: set-clock, by: -2 h }]"),
      "20x", environment: ["LC_ALL=hi_IN.UTF-8"])
    for (variant, locale) in zip(record.variants, Self.locales) {
      #expect(variant.files.map(\.attempts) == [1, 1])
      #expect(variant.files.allSatisfy { $0.landed && $0.sha256Matches == true })
      #expect(variant.wire.useful == 700_000)
      let hasComma = ["de_DE", "fr_CA"].contains(locale)
      #expect(
        variant.statusLines.lines.contains {
          $0.text.contains(hasComma ? " of 0,50 MB" : " of 0.50 MB")
        })
      // How far a machine that is busy is behind is its own affair; that lines are judged is not.
      #expect(variant.honesty?.claims ?? 0 > 5)
    }
  }
}
