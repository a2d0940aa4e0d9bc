import Captures
import Quantities
import Scenarios
import Testing

@Suite struct FigureTests {
  private func bytes(_ text: String, _ unit: FigureUnit = .bytes, of size: Int? = nil) -> Double? {
    Figure(text, unit: unit)?.bytes(of: size)
  }

  @Test(arguments: [
    ("0.45", FigureUnit.megabytes, 450_000.0), ("0,45", .megabytes, 450_000),
    ("1", .mebibytes, 1_048_576), ("1.5", .gibibytes, 1_610_612_736), ("12", .kilobytes, 12_000),
    ("12", .kibibytes, 12_288), ("1", .gigabytes, 1e9),
    // As curl writes them: bytes, then powers of 1,024.
    ("99823", .bytes, 99_823), ("390k", .bytes, 399_360), ("10.5M", .bytes, 11_010_048),
    // A unit of its own comes before the one that is said.
    ("1.65 MB", .mebibytes, 1_650_000), ("20.0 KB/s", .megabytes, 20_000), ("7 B ", .percent, 7),
    // Thousands may be parted.
    ("1,650,000", .bytes, 1_650_000), ("1.650", .bytes, 1_650), ("1,650.5", .kilobytes, 1_650_500),
    ("1.650,5", .kilobytes, 1_650_500), ("1.650", .megabytes, 1_650_000),
  ])
  func `a figure is read with its unit`(text: String, unit: FigureUnit, expected: Double) {
    #expect(bytes(text, unit) == expected)
  }

  @Test(arguments: ["", "MB", "-1", ".5", "1 parsec", "1e3", "1234567890123456", "1..2x", "١"])
  func `what is no figure is none`(text: String) {
    #expect(Figure(text, unit: .bytes) == nil)
  }

  @Test func `a share is one of the file's size, and unknown without it`() {
    #expect(bytes("45.5", .percent, of: 400_000) == 182_000)
    #expect(bytes("100 %", of: 399_999) == 399_999)
    #expect(bytes("45.5", .percent) == nil)
  }

  @Test func `a size that no file has is cut off where it is counted in whole bytes`() {
    let most = "999999999999999"
    #expect(Figure(most, unit: .bytes)?.wholeBytes(of: nil) == 999_999_999_999_999)
    #expect(Figure(most, unit: .gibibytes)?.wholeBytes(of: nil) == 1_000_000_000_000_000)
    #expect(Figure(most, unit: .percent)?.wholeBytes(of: 4_000_000) == 1_000_000_000_000_000)
  }

  @Test func `a figure stands for what is less than its last digit away`() throws {
    let figure = try #require(Figure("1.2", unit: .megabytes))
    #expect(figure.above(of: nil) == 1_100_000)
    #expect(figure.below(of: nil) == 1_300_000)
    let share = try #require(Figure("101", unit: .percent))
    #expect(share.above(of: 777_777) == 777_777)
  }
}

@Suite struct FigureReaderTests {
  /// curl's progress meter, in its three kinds of lines.
  private let meter = [
    "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current",
    "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0",
    "100  390k    0     0   65  255k      0  79868  0:00:05  0:00:05 --:--:--     0",
  ]
  private let meterPattern = FigurePattern(
    #"^ *\d+ +(?<total>\S+) +\d+ +\S+ +\d+ +(?<claimed>\S+) +\S+ +(?<rate>\S+) "#)

  @Test func `curl's meter is read, and its head is not`() {
    let reader = FigureReader([meterPattern])
    #expect(
      meter.map { reader.claim(in: $0) } == [
        nil,
        // It knows no total yet.
        FigureClaim(claimed: Figure("0", unit: .bytes), rate: Figure("0", unit: .bytes)),
        FigureClaim(
          claimed: Figure("255k", unit: .bytes), total: Figure("390k", unit: .bytes),
          rate: Figure("79868", unit: .bytes)),
      ])
  }

  @Test func `the first pattern that fits reads a line, and says of which file it is`() {
    let reader = FigureReader([
      FigurePattern(#"(?<claimed>\d+) of (?<total>\d+) MB"#, unit: .megabytes, file: .original),
      FigurePattern(#"(?<claimed>\d+)%"#, unit: .percent, file: .copy, done: "^uploaded"),
    ])
    let first = reader.claim(in: "1 of 4 MB (25%)")
    #expect(first?.file == .original && first?.claimed == Figure("1", unit: .megabytes))
    #expect(reader.claim(in: "25%")?.claimed == Figure("25", unit: .percent))
    #expect(reader.claim(in: "uploaded") == FigureClaim(isDone: true, file: .copy))
    #expect(reader.claim(in: "uploaded, 100%")?.claimed == Figure("100", unit: .percent))
    #expect(reader.claim(in: "hello") == nil)
  }

  @Test func `a rate beside percent is in bytes unless it says its own unit`() {
    let reader = FigureReader([
      FigurePattern(#"(?<claimed>\d+)% at (?<rate>\S+)"#, unit: .percent)
    ])
    #expect(reader.claim(in: "5% at 12k")?.rate == Figure("12k", unit: .bytes))
    #expect(reader.claim(in: "5% at 1200")?.rate == Figure("1200", unit: .bytes))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a pattern that could try for ever is given up, and that is counted`() {
    let reader = FigureReader([FigurePattern(#"(?<claimed>(a+)+)$"#)])
    let line = String(repeating: "a", count: 4_095) + "!"
    for _ in 0..<99 { #expect(reader.claim(in: line) == nil) }
    #expect(reader.givenUp == 99)
    #expect(reader.claim(in: "a") == nil)
    #expect(reader.claim(in: "bbb") == nil)
    #expect(reader.givenUp == 99)
    #expect(reader.claim(in: line) == nil)
    // What is read no more is counted, too.
    #expect(reader.claim(in: "a") == nil)
    #expect(reader.givenUp == 101)
  }
}

@Suite struct FigureKeysTests {
  /// The errors of the value of `figures` of a command, by their columns in it.
  private func errorsOf(_ figures: String) -> [String] {
    let variant = "before: { command: [curl, \"{capture}\"], figures: "
    return errors(
      in: sound.replacing(
        once: "before: { client: outbox, policy: before }", with: "\(variant)\(figures) }"
      )
    ).map { error in
      let parts = error.split(separator: ":", maxSplits: 3)
      let column = (Int(parts[2]) ?? 0) - variant.count - 2
      return "\(column):\(parts[3])"
    }
  }

  @Test func `figures are one item or a list of them`() throws {
    let one = "{ pattern: '(?<claimed>[0-9.]+)%', unit: percent, file: original, done: done }"
    #expect(errorsOf(one) == [])
    #expect(errorsOf("[\(one), { done: uploaded }]") == [])
    let text = sound.replacing(
      once: "client: outbox, policy: before",
      with: "command: [curl, \"{capture}\"], figures: [{ done: uploaded }, \(one)]")
    guard case .command(let client) = try decode(text).get().variants[0].client else {
      Issue.record("it is no command")
      return
    }
    #expect(
      client.figures == [
        FigurePattern(nil, done: "uploaded"),
        FigurePattern("(?<claimed>[0-9.]+)%", unit: .percent, file: .original, done: "done"),
      ])
  }

  @Test(arguments: [
    (
      "{ pattern: '(?<claimed>[0-9.]+ MB' }",
      "12: error: \"(?<claimed>[0-9.]+ MB\" is no pattern of PCRE2: missing closing parenthesis, "
        + "at its character 22"
    ),
    (
      "{ pattern: '(?<claimed>[z-a])' }",
      "12: error: \"(?<claimed>[z-a])\" is no pattern of PCRE2: range out of order in character "
        + "class, at its character 15"
    ),
    (
      "{ pattern: '([0-9.]+) MB' }",
      "12: error: the pattern has no group \"claimed\", so it reads nothing; write "
        + "(?<claimed>[0-9.]+) where the figure stands"
    ),
    (
      "{ pattern: '(?<claimd>[0-9.]+) MB' }",
      "12: error: no figure is called \"claimd\"; did you mean \"claimed\"? For brackets that read "
        + "nothing write (?: )"
    ),
    (
      "{ pattern: '(?<claimed>1)', unit: Mb }",
      "35: error: \"Mb\" is not known here; did you mean \"MB\"?"
    ),
    ("{ pattern: '(?<claimed>1)', file: record }", "35: error: \"record\" is not known here"),
    ("{ unit: MB }", "3: error: \"unit\" belongs to \"pattern\", which is not here"),
    (
      "{ file: copy }",
      "1: error: the key \"pattern\" is missing; add pattern: '(?<claimed>[0-9.]+) MB'"
    ),
    (
      "{ done: '(?<claimed>1)' }",
      "9: error: no figure is read by \"done\"; move the group \"claimed\" to a pattern"
    ),
    ("[]", "1: error: expected at least 1, found 0"),
    ("yes", "1: error: expected keys with values, found a value"),
  ])
  func `a mistake in figures gives one error with its place`(figures: String, error: String) throws
  {
    let errors = errorsOf(figures)
    #expect(errors.count == 1)
    #expect(try #require(errors.first).hasPrefix(error))
  }

  @Test func `a pattern has a limit of its length, and a list of its items`() {
    let long =
      "(?<claimed>1)" + String(repeating: "a", count: ScenarioLimits.patternCharacters - 13)
    #expect(errorsOf("{ pattern: '\(long)' }") == [])
    #expect(
      errorsOf("{ pattern: '\(long)a' }") == [
        "12: error: the text has 501 characters; it can have 500"
      ])
    let items = Array(repeating: "{ done: a }", count: ScenarioLimits.figurePatterns)
    #expect(errorsOf("[\(items.joined(separator: ", "))]") == [])
    #expect(errorsOf("[\((items + ["{ done: a }"]).joined(separator: ", "))]").count == 1)
  }

  @Test func `figures are of a file that a capture has, and lines are judged by them alone`() {
    let command = "command: [curl, \"{capture}\"]"
    func errorsOf(_ keys: String, expecting measure: String) -> [String] {
      errors(
        in: sound.replacing(once: "client: outbox, policy: before", with: command + keys)
          .replacing(once: "attempts: 1", with: measure))
    }
    #expect(errorsOf(", figures: { done: a }", expecting: "lines.false: 0") == [])
    #expect(
      errorsOf(", figures: { done: a, file: staged }", expecting: "exit: 0").map {
        $0.split(separator: ": ", maxSplits: 2).last
      } == ["no capture here has a file of the step \"staged\""])
    for measure in ["lines.false: 0", "lines.worst-seconds: 0 s", "lines.worst-megabytes: 1 MB"] {
      let found = errorsOf("", expecting: measure)
      #expect(found.count == 1)
      #expect(found.first?.contains("and before is a command without figures; say where") == true)
    }
  }

  @Test func `figures belong to a command`() {
    let text = sound.replacing(
      once: "client: outbox, policy: before",
      with: "client: outbox, policy: before, figures: { done: uploaded }")
    #expect(errors(in: text).count == 1)
  }
}
