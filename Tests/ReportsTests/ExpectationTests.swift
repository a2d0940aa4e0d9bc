import Reports
import Scenarios
import Testing

@Suite struct ExpectationTests {
  private func check(
    _ measure: Measure, _ expected: Expected, _ variant: VariantRecord = SlowCopy.after
  ) -> ExpectationCheck {
    ExpectationCheck(
      Expectation(
        variant: variant.name, name: "name", measure: measure, text: "text", expected: expected,
        line: 1),
      of: variant)
  }

  private func equal(_ number: Double, percent: Double = 0) -> Expected {
    .number(.equal, number, tolerancePercent: percent)
  }

  /// One expectation, whether it holds, and the words for what was measured.
  struct Case: Sendable {
    var variant: VariantRecord
    var measure: Measure
    var expected: Expected
    var pass: Bool
    var measured: String?

    init(
      _ variant: VariantRecord, _ measure: Measure, _ expected: Expected, _ pass: Bool,
      _ measured: String?
    ) {
      self.variant = variant
      self.measure = measure
      self.expected = expected
      self.pass = pass
      self.measured = measured
    }
  }

  private static let before = SlowCopy.before
  private static let after = SlowCopy.after

  @Test(arguments: [
    Case(before, .attempts(step: "copy"), .number(.equal, 7, tolerancePercent: 0), true, "7"),
    Case(before, .attempts(step: "copy"), .number(.equal, 1, tolerancePercent: 0), false, "7"),
    Case(before, .attempts(step: nil), .number(.atMost, 7, tolerancePercent: 0), true, "7"),
    Case(before, .attempts(step: nil), .each(1), false, "copy 7, original 0"),
    Case(after, .attempts(step: nil), .each(1), true, "each 1"),
    Case(after, .attempts(step: "document"), .each(1), false, nil),
    Case(
      before, .wire(step: "copy"), .number(.equal, 9_930_000, tolerancePercent: 1), true,
      "9.926 MB"),
    Case(
      before, .wire(step: "copy"), .number(.equal, 10_440_000, tolerancePercent: 1), false,
      "9.926 MB"),
    Case(after, .wire(step: nil), .number(.equal, 5_960_000, tolerancePercent: 0), true, "5.96 MB"),
    Case(after, .landed, .all, true, "all"), Case(after, .landed, .none, false, "all"),
    Case(before, .landed, .none, true, "none"), Case(before, .landed, .all, false, "none"),
    Case(after, .finished, .number(.equal, 305.9, tolerancePercent: 2), true, "305.9 s"),
    Case(after, .finished, .number(.atMost, 300, tolerancePercent: 2), true, "305.9 s"),
    Case(after, .finished, .number(.atMost, 300, tolerancePercent: 1), false, "305.9 s"),
    Case(after, .finished, .never, false, "305.9 s"),
    Case(before, .finished, .number(.atMost, 900, tolerancePercent: 0), false, "never"),
    Case(before, .finished, .never, true, "never"),
    Case(after, .useful, .number(.atLeast, 5_960_000, tolerancePercent: 0), true, "5.96 MB"),
    Case(after, .repeated, .number(.equal, 0, tolerancePercent: 0), true, "0 B"),
    Case(before, .abandoned, .number(.equal, 0, tolerancePercent: 0), false, "9.926 MB"),
    Case(after, .overhead, .number(.atMost, 4_000, tolerancePercent: 0), true, "4 KB"),
    Case(after, .distinctLines, .number(.atLeast, 299, tolerancePercent: 0), false, "3"),
    Case(after, .liveLines, .number(.equal, 2, tolerancePercent: 0), true, "2"),
    Case(after, .firstLiveLine, .number(.atMost, 3.5, tolerancePercent: 0), true, "0.9 s"),
    Case(after, .firstLiveLine, .never, false, "0.9 s"),
    Case(before, .firstLiveLine, .never, true, "never"),
    Case(before, .firstLiveLine, .number(.atMost, 3.5, tolerancePercent: 0), false, "never"),
    Case(after, .longestSilence, .number(.atMost, 1, tolerancePercent: 2), true, "1.02 s"),
    Case(before, .falseLines, .number(.equal, 0, tolerancePercent: 0), false, "1"),
    Case(after, .falseLines, .number(.equal, 0, tolerancePercent: 0), true, "0"),
    Case(after, .worstMegabytes, .number(.atMost, 1_500_000, tolerancePercent: 0), true, "1.43 MB"),
    Case(before, .worstSeconds, .number(.atMost, 1, tolerancePercent: 0), false, "60.1 s"),
    Case(after, .parked, .number(.equal, 0, tolerancePercent: 0), true, "0"),
    Case(after, .notSaved, .number(.equal, 1, tolerancePercent: 0), false, "0"),
    Case(after, .duplicates, .number(.equal, 0, tolerancePercent: 0), true, "0"),
    Case(after, .lost, .never, true, "0"),
    // Pairs that make no sense are no pass either.
    Case(after, .finished, .all, false, "305.9 s"), Case(after, .landed, .never, false, "all"),
  ])
  func `each measure is checked and told in its own unit`(row: Case) {
    let check = check(row.measure, row.expected, row.variant)
    #expect(check.pass == row.pass)
    #expect(check.measured == row.measured)
    #expect((check.why == nil) == row.pass)
  }

  @Test func `attempts are summed over captures, and each file is looked at by itself`() {
    var variant = SlowCopy.after
    var second = variant.files
    for index in second.indices { second[index].capture = "photo-2" }
    second[0].attempts = 3
    variant.files += second
    #expect(check(.attempts(step: "copy"), equal(4), variant).pass)
    let each = check(.attempts(step: "copy"), .each(1), variant)
    #expect(!each.pass)
    #expect(each.measured == "photo-1 copy 1, photo-2 copy 3")
    variant.files[3].landed = false
    #expect(check(.landed, .all, variant).measured == "3 of 4")
    #expect(!check(.landed, .none, variant).pass)
  }

  @Test func `the photos of a plate are told apart by their numbers`() {
    var variant = SlowCopy.after
    variant.files = (1...3).map {
      FileRecord(
        capture: "plate-1", step: "staged", photo: $0, bytes: 9, attempts: $0, wireBytes: 9,
        landed: $0 < 3)
    }
    #expect(check(.attempts(step: "staged"), equal(6), variant).pass)
    let each = check(.attempts(step: "staged"), .each(1), variant)
    #expect(each.measured == "staged-1 1, staged-2 2, staged-3 3")
    #expect(check(.landed, .all, variant).measured == "2 of 3")
  }

  @Test func `what was not measured is no pass`() {
    var variant = SlowCopy.after
    variant.parked = nil
    variant.notSaved = nil
    variant.statusLines.longestSilence = nil
    variant.honesty = nil
    variant.files = []
    for (measure, expected) in [
      (Measure.falseLines, equal(0)), (.worstMegabytes, equal(0)), (.worstSeconds, equal(0)),
      (.parked, equal(0)), (.notSaved, equal(0)),
      (.longestSilence, .number(.atMost, 9, tolerancePercent: 0)),
      (.landed, .all), (.landed, Expected.none), (.attempts(step: nil), .each(1)),
    ] {
      let check = check(measure, expected, variant)
      #expect(check.measured == nil && !check.pass)
    }
    variant = SlowCopy.before
    variant.outcome = .interrupted
    let interrupted = check(.landed, .none, variant)
    #expect(interrupted.measured == nil && !interrupted.pass)
    #expect(
      interrupted.why
        == "before: files that landed: expected text, not measured: the run was interrupted before"
        + " its end, and what was not measured is no pass.")
  }

  @Test func `an expectation of a variant that did not run is no pass`() {
    let expectation = Expectation(
      variant: "mine", name: "landed", measure: .landed, text: "all", expected: .all, line: 4)
    let records = ExpectationCheck.records([expectation], [SlowCopy.after])
    #expect(records.map(\.pass) == [false])
    #expect(records[0].why?.contains("this variant did not run") == true)
  }

  @Test func `the old idle limit in the new client is explained to a stranger`() {
    var variant = SlowCopy.before
    variant.name = "after"
    let expectation = Expectation(
      variant: "after", name: "attempts.copy", measure: .attempts(step: "copy"), text: "1",
      expected: equal(1), line: 9)
    #expect(
      ExpectationCheck(expectation, of: variant).why == """
        after: attempts of the copy: expected 1, measured 7: the copy was begun 7 times (7 were \
        reset after 70.9 s) and did not land. The client's socket took its last byte about 60 s \
        before the cut, and the link was still carrying (1.42 MB of 1.65 MB had reached the \
        engine). Likely cause: a limit of the client on the time without a counted byte is \
        shorter than the buffer takes to drain, and cut a healthy upload.
        """)
  }

  /// A body that was handed over whole some time before its request was cut.
  private func cut(at end: Double, handed: Double, says line: String) -> String? {
    var variant = SlowCopy.before
    variant.requests = [
      .init(
        at: 0, method: "PUT", path: "/", capture: "photo-1", step: "copy", status: nil,
        bodyBytes: 1_400_000, seconds: end, end: "reset")
    ]
    variant.timeline = [
      .init(at: 0, handedOver: 0, carried: 0),
      .init(at: handed, handedOver: 1_650_000, carried: 1_000_000),
      .init(at: end, handedOver: 1_650_000, carried: 1_400_000),
    ]
    variant.statusLines.lines = [.init(text: line, first: end + 0.2, last: end + 0.2, times: 1)]
    return check(.landed, .all, variant).why
  }

  @Test func `a ceiling is not taken for an idle limit when the body had gone before it`() {
    let said = "photo-1: kept, waits for the engine: not finished after 90 s [Send now]"
    let held = "photo-1: kept, needs a faster link: 1.65 MB did not get through in 90 s"
    for line in [said, held] {
      #expect(
        cut(at: 90, handed: 40, says: line)?.contains(
          "a ceiling on the whole request, as the client says")
          == true)
    }
    // Without a word of the client's, a short pause is no sign of a limit on pauses.
    #expect(
      cut(at: 90, handed: 83, says: "Sending")?.contains(
        "a ceiling on the whole request, or a fault")
        == true)
    let idle = "photo-1: kept, waits for the engine: no byte moved for 50 s [Send now]"
    for line in [idle, "Sending", said.replacing("photo-1", with: "photo-2")] {
      #expect(cut(at: 90, handed: 40, says: line)?.contains("time without a counted byte") == true)
    }
  }

  @Test func `each photo of a plate has its own story`() {
    var variant = SlowCopy.before
    variant.files = (1...2).map { photo in
      .init(
        capture: "plate-1", step: "staged", photo: photo, bytes: 900_000, attempts: 3 - photo,
        wireBytes: 900_000, landed: false)
    }
    variant.requests = [(1, 500, 4.0), (1, 503, 5.0), (2, 429, 6.0)].map { photo, status, seconds in
      .init(
        at: 1, method: "POST", path: "/", capture: "plate-1", step: "staged", photo: photo,
        status: status, seconds: seconds, end: "answered")
    }
    let why = check(.attempts(step: "staged"), .each(1), variant).why ?? "none"
    for part in [
      "the staged-1 was begun 2 times (1 was answered 500 after 4 s",
      "1 was answered 503 after 5 s) and did not land",
      "the staged-2 was begun 1 time (1 was answered 429 after 6 s) and did not land",
    ] {
      #expect(why.contains(part), "\(why)")
    }
  }

  @Test func `a link that stood still, and a refusal, are told apart from a limit`() {
    var variant = SlowCopy.before
    variant.timeline = [
      .init(at: 0, handedOver: 0, carried: 0), .init(at: 4, handedOver: 190_000, carried: 90_000),
      .init(at: 5, handedOver: 200_000, carried: 100_000),
      .init(at: 70, handedOver: 200_000, carried: 100_000),
    ]
    let still = check(.landed, .all, variant).why
    #expect(still?.contains("No byte crossed the link for about 66 s") == true)
    #expect(
      still?.contains("nothing had landed when the run ended at 900 s: the copy was begun 7 times")
        == true)
    #expect(still?.contains("the original was never begun") == true)

    variant.requests = [
      .init(
        at: 1, method: "PUT", path: "/", step: "copy", status: 503, seconds: 4, end: "answered")
    ]
    let refused = check(.landed, .all, variant).why
    #expect(refused?.contains("1 was answered 503 after 4 s") == true)
    #expect(refused?.hasSuffix("The engine refused with 503.") == true)
  }

  @Test func `a late finish says how late`() {
    #expect(
      check(.finished, .number(.atMost, 250, tolerancePercent: 0)).why == """
        after: time of the last receipt: expected text, measured 305.9 s: the last receipt came \
        55.9 s (22.4 %) later; each was begun once and landed.
        """)
  }
}
