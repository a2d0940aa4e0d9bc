import Bench
import Quantities
import Reports
import Testing

/// Faults that were met in the field, each as a small scenario of its own in the virtual world.
struct FieldCaseTests {
  /// One photo behind a small path; nothing changes but what a case says.
  struct Case: CustomTestStringConvertible {
    var title: String
    var up = "20 KB/s"
    var link = ""
    var captures = "{ photo: { original: 1650 KB, copy: 100 KB }, at: 0 s }"
    var script = ""
    var acts = ""
    var policy = "after"
    var horizon = 900
    var check: @Sendable (VariantRecord) throws -> Void

    var testDescription: String { title }

    func run() throws -> VariantRecord {
      try SmallWorld(
        """
        seed: 7
        horizon: \(horizon) s
        link: { up: \(up), down: 200 KB/s, latency: 100 ms, buffer: 64 KB\(link) }
        captures: [\(captures)]
        engine: { turn: { takes: 1 s }, script: [\(script)] }
        acts: [\(acts)]
        variants:
          only: { client: outbox, policy: \(policy) }
        """
      ).run("only")
    }
  }

  @Test(arguments: moving + answers + ids + portals)
  func `a fault of the field ends as it should`(_ row: Case) throws {
    let record = try row.run()
    try row.check(record)
    #expect(record.exactlyOnce.duplicates == 0 && record.exactlyOnce.lost == 0)
    #expect(record.files.allSatisfy { !$0.landed || $0.sha256Matches == true })
    let instrument = record.instrument
    #expect(instrument.carried == instrument.engineReceived)
    #expect(
      instrument.takenIn == instrument.carried + instrument.discarded + instrument.queued)
    #expect(record.claimsStayInBounds)
  }

  // MARK: Bodies that move, or do not

  static let moving: [Case] =
    [2_000, 65_279, 65_280, 65_535, 65_536, 65_537, 200_000].map { size in
      Case(
        title: "a body of \(size) B around the sizes of buffers", up: "61.4 KB/s",
        captures: "{ document: \(size) B, at: 0 s }", horizon: 60
      ) { record in
        #expect(record.landedOnce)
        let finished = try #require(record.finishedAt)
        #expect(finished <= Double(size) / 61_400 + 1)
        let claims = record.claims
        #expect(size < 100_000 || claims.count >= 2)
      }
    } + [
      Case(
        title: "an engine that stops reading for 100 s", up: "61.4 KB/s",
        script:
          "{ when: { step: original }, times: 1, then: { at: { body: 500 KB }, stall: 100 s } }"
      ) { record in
        #expect(record.landedOnce && record.wire.abandoned == 0)
        #expect(record.texts.contains { $0.contains("no byte for 9") })
      },
      Case(
        title: "an engine that stops reading for 130 s", up: "61.4 KB/s",
        script:
          "{ when: { step: original }, times: 1, then: { at: { body: 500 KB }, stall: 130 s } }"
      ) { record in
        #expect(record.attempts("original") == [2] && record.finishedAt != nil)
        // What an engine that reads no more leaves in kernels, and the buffer.
        #expect(record.wire.abandoned <= 500_000 + 64_000 + 100_000)
        #expect(record.texts.contains { $0.contains("no byte moved for 120 s") })
      },
      Case(
        title: "a body of 4 MB, longer than any usual client's default", up: "61.4 KB/s",
        captures: "{ document: 4 MB, at: 0 s }"
      ) { record in
        #expect(record.landedOnce)
        #expect((record.statusLines.longestSilence ?? 99) <= 5)
      },
      Case(title: "a tunnel of 100 s", link: ", offline: [{ at: 40 s, for: 100 s }]") { record in
        #expect(record.landedOnce && record.wire.abandoned == 0)
      },
      Case(
        title: "a tunnel of 130 s", link: ", offline: [{ at: 40 s, for: 130 s }]"
      ) { record in
        #expect(record.attempts("original") == [2] && record.finishedAt != nil)
        let first = try #require(record.requests.first { $0.step == "original" })
        // Cut 120 s after the last byte, which was counted as the tunnel began.
        #expect((159.9...161).contains(first.at + first.seconds))
        #expect(record.wire.abandoned <= 800_000)
      },
      Case(
        title: "a link that goes dark for good in mid-body",
        link: ", offline: [{ at: 31 s, for: 800 s }]",
        horizon: 800
      ) { record in
        #expect(record.finishedAt == nil)
        let crossed = try #require(record.requests.first { $0.step == "original" }).bodyBytes
        #expect(record.claims.allSatisfy { $0.claimed <= crossed + 64_000 || $0.total == 100_000 })
        // Quiet lines carry no rate, and say what the check of the link has found.
        let quiet = record.texts.filter { $0.contains("no byte for") }
        #expect(!quiet.isEmpty && quiet.allSatisfy { !$0.contains("KB/s") })
        #expect(quiet.contains { $0.contains("the link is down") })
      },
      Case(
        title: "a connection that is lost at half, twice",
        link: ", faults: [{ cut: { up: 926 KB }, as: reset, connection: 1 }, "
          + "{ cut: { up: 825 KB }, as: reset, connection: 2 }]"
      ) { record in
        #expect(record.attempts("original") == [3] && record.attempts("copy") == [1])
        #expect(record.requests.count { $0.step == "record" } == 1)
        #expect(record.requests.count { $0.step == "turn" } == 1)
        #expect(abs(record.wire.abandoned - 1_650_000) < 10_000 && record.finishedAt != nil)
      },
      Case(
        title: "five triggers within a second, and one every 10 s",
        captures: """
          { photo: { original: 1650 KB, copy: 100 KB }, at: 0 s }, \
          { photo: { original: 600 KB, copy: 80 KB }, at: 5 s }, \
          { photo: { original: 300 KB, copy: 60 KB }, at: 10 s }
          """,
        acts: ([0.2, 0.4, 0.6, 0.8, 1.0] + stride(from: 20, through: 140, by: 10))
          .map { "{ at: \($0) s, do: refresh }" }.joined(separator: ", ")
      ) { record in
        #expect(record.landedOnce && record.wire.abandoned == 0 && record.wire.repeated == 0)
        let bodies = record.requests.filter { ["copy", "original"].contains($0.step) }
        #expect(zip(bodies, bodies.dropFirst()).allSatisfy { $0.at + $0.seconds <= $1.at })
      },
      Case(
        title: "refused for 300 s with three photos waiting", up: "61.4 KB/s",
        link: ", faults: [{ refuse: connections, until: 300 s }]",
        captures: (0..<3).map { "{ photo: { original: 300 KB, copy: 80 KB }, at: \($0 * 5) s }" }
          .joined(separator: ", ")
      ) { record in
        #expect(record.landedOnce)
        // One try each minute is all that a dead link is worth.
        #expect((record.requests.first?.at ?? 999) < 361)
      },
    ]

  // MARK: Answers

  static let answers: [Case] =
    [
      ("and reads on", ""), ("then ends and resets", ", close: reset, after: 1 s"),
    ].map { words, close in
      Case(
        title: "413 while the body still goes out, \(words)",
        captures: "{ document: 4 MB, at: 0 s }, { document: 30 KB, at: 1 s }",
        script: "{ when: { step: document, body: 1 MB }, "
          + "then: { at: { body: 64 KB }, answer: 413\(close) } }"
      ) { record in
        #expect(record.files.map(\.attempts) == [1, 1] && record.parked == 1)
        #expect(record.files[1].landed && record.files[0].wireBytes <= 64_000 + 64_000 + 25_000)
        #expect(record.texts.contains { $0.hasSuffix("(HTTP 413) [Discard]") })
      }
    } + [
      Case(
        title: "a reset in place of an early 413",
        captures: "{ document: 4 MB, at: 0 s }, { document: 30 KB, at: 1 s }",
        script:
          "{ when: { step: document, body: 1 MB }, then: { at: { body: 64 KB }, close: reset } }",
        horizon: 300
      ) { record in
        // Whatever libcurl repeats by itself is reported, and no try sends more than it has to.
        let tries = record.requests.filter { $0.step == "document" && $0.bodyBytes > 30_000 }
        #expect(!tries.isEmpty && tries.allSatisfy { $0.bodyBytes <= 500_000 })
        #expect(record.parked == 0)
      },
      Case(
        title: "401 before a large body until 60 s",
        script: "{ when: { step: original, until: 60 s }, "
          + "then: { at: { body: 64 KB }, answer: 401, close: reset, after: 1 s } }"
      ) { record in
        #expect(record.finishedAt != nil && record.parked == 0)
        #expect((record.attempts("original").first ?? 99) <= 3)
        #expect(record.wire.abandoned <= 2 * (64_000 + 64_000 + 25_000))
      },
      Case(
        title: "408 behind a hole of 70 s", link: ", offline: [{ at: 40 s, for: 70 s }]",
        script: "{ when: { step: original }, times: 1, then: { at: { body: 790 KB }, answer: 408, "
          + "close: end } }"
      ) { record in
        #expect(record.attempts("original") == [2] && record.finishedAt != nil)
        #expect(record.parked == 0)
      },
      Case(
        title: "a timeout dressed as 400, and the user tries again",
        script: """
          { when: { step: original }, times: 1, \
          then: { answer: 400, body: '{"code":"RequestTimeout"}' } }
          """,
        acts: "{ at: 200 s, do: send-now, capture: photo-1 }", policy: "beyond"
      ) { record in
        #expect(record.attempts("original") == [2] && record.finishedAt != nil)
        #expect(record.texts.contains { $0.contains("Refused: HTTP 400") })
        #expect(Set(record.requests.filter { $0.step == "original" }.map(\.path)).count == 1)
      },
      Case(
        title: "five ways to ask for time", up: "61.4 KB/s",
        captures: "{ document: 20 KB, at: 0 s }",
        script: """
          { when: { step: record, attempt: 1 }, then: { answer: 429, headers: { Retry-After: 30 } } }, \
          { when: { step: record, attempt: 2 }, then: { answer: 503, headers: { \
          Date: "Sun, 06 Nov 1994 08:49:37 GMT", Retry-After: "Sun, 06 Nov 1994 08:50:22 GMT" } } }, \
          { when: { step: record, attempt: 3 }, then: { answer: 429 } }, \
          { when: { step: record, attempt: 4 }, then: { answer: 429, headers: { Retry-After: soon } } }, \
          { when: { step: record, attempt: 5 }, then: { answer: 503, headers: { Retry-After: 86400 } } }
          """, horizon: 1_800
      ) { record in
        let tries = record.requests.filter { $0.step == "record" }.map(\.at)
        let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
        #expect(pauses.count == 5 && record.parked == 0 && record.finishedAt != nil)
        for (pause, least) in zip(pauses, [30.0, 45, 60, 60, 900]) {
          #expect(pause >= least && pause < least + 62)
        }
        #expect(record.texts.contains { $0.contains("to be tried again after 900 s") })
      },
      Case(
        title: "an answer that breaks off, and an empty one",
        script: """
          { when: { step: original, attempt: 1 }, then: { at: { answer: 150 B }, close: end } }, \
          { when: { step: original, attempt: 2 }, then: { at: stored, answer: 200 } }
          """
      ) { record in
        #expect(record.attempts("original") == [3] && record.finishedAt != nil)
        #expect(record.files[0].replays + record.files[1].replays == 2)
        // Not said to be done in between.
        let done = try #require(record.statusLines.lines.first { $0.text.contains("done") })
        #expect(done.first >= (record.finishedAt ?? .infinity))
      },
      Case(
        title: "401 behind the whole body, then the receipt of another size",
        up: "61.4 KB/s",
        script: """
          { when: { step: original, attempt: 1 }, then: { answer: 401 } }, \
          { when: { step: original, attempt: 2 }, \
          then: { answer: 201, body: '{"id":"x","bytes":0,"sha256":""}' } }
          """
      ) { record in
        #expect(record.attempts("original") == [3] && record.finishedAt != nil)
        #expect(record.wire("original") == 3 * 1_650_000)
      },
      Case(
        title: "an engine that takes 100 s to answer", up: "unlimited",
        script: "{ when: { step: original }, then: { at: stored, delay: 100 s } }"
      ) { record in
        #expect(record.landedOnce)
        #expect(record.texts.contains { $0.contains("waiting for the engine's receipt for 99 s") })
        #expect(record.texts.allSatisfy { !$0.contains("receipt") || !$0.contains("KB/s") })
      },
      Case(
        title: "one item that is refused for good holds nobody up", up: "61.4 KB/s",
        captures: (0..<3).map { "{ document: 100 KB, at: \($0) s }" }.joined(separator: ", "),
        script: "{ when: { step: document }, times: 1, then: { answer: 422 } }"
      ) { record in
        #expect(record.files.map(\.landed) == [false, true, true] && record.parked == 1)
        #expect(record.files.map(\.attempts) == [1, 1, 1])
      },
    ]

  // MARK: Ids

  static let ids: [Case] =
    [0.6, 6.2, 7.4, 90].map { at in
      Case(
        title: "killed at \(at) s and started", up: "20 KB/s",
        acts: "{ at: \(at) s, do: kill }, { at: \(at + 1) s, do: start }"
      ) { record in
        #expect(record.finishedAt != nil && record.exactlyOnce.moments == 1)
        let moments = record.requests.map { $0.path.split(separator: "/").dropFirst(2).first }
        #expect(Set(moments.compactMap(\.self)).count == 1)
        // At most one step is sent again, and it is a replay or was cut short.
        let steps = record.requests.compactMap(\.step)
        #expect(steps.count <= 6)
      }
    } + [
      Case(
        title: "two photos of one second, and the first one's original fails once", up: "61.4 KB/s",
        captures: """
          { photo: { original: 300 KB, copy: 80 KB }, at: 0 s }, \
          { photo: { original: 310 KB, copy: 80 KB }, at: 0 s }
          """,
        script: "{ when: { step: original }, times: 1, then: { answer: 503 } }"
      ) { record in
        #expect(record.files.allSatisfy(\.landed) && record.exactlyOnce.moments == 2)
        #expect(record.texts.contains { $0.hasPrefix("photo-1: done") })
        #expect(record.texts.contains { $0.hasPrefix("photo-2: done") })
      },
      Case(
        title: "one of three is refused, and a fourth is taken meanwhile", up: "61.4 KB/s",
        captures: """
          { photo: { original: 1650 KB, copy: 100 KB }, at: 0 s }, \
          { photo: { original: 2400 KB, copy: 100 KB }, at: 5 s }, \
          { photo: { original: 900 KB, copy: 100 KB }, at: 10 s }, \
          { photo: { original: 800 KB, copy: 100 KB }, at: 80 s }
          """,
        script: "{ when: { step: original, body: 2 MB }, then: { at: head, answer: 422 } }"
      ) { record in
        // Three done and one parked are four, and each is told by its name.
        #expect(record.parked == 1)
        let landed = Set(record.files.filter { $0.step == "original" && $0.landed }.map(\.capture))
        #expect(landed == ["photo-1", "photo-3", "photo-4"])
        #expect(record.texts.contains { $0.hasPrefix("photo-2: Refused: ") })
        for name in landed { #expect(record.texts.contains { $0.hasPrefix("\(name): done") }) }
        // "n of m" is said of megabytes alone, and no step or pass is counted.
        let counts = record.texts.flatMap { $0.matches(of: #/[\d.]+ of [\d.]+(.{3})/#) }
        #expect(!counts.isEmpty && counts.allSatisfy { $0.1 == " MB" })
      },
      Case(
        title: "stored, and the connection is gone",
        script:
          "{ when: { step: original }, times: 1, then: { at: { answer: 100 B }, close: reset } }"
      ) { record in
        #expect(record.attempts("original") == [2] && record.finishedAt != nil)
        #expect(record.wire("original") == 3_300_000)
        #expect(Set(record.requests.filter { $0.step == "original" }.map(\.path)).count == 1)
      },
    ]

  // MARK: Portals

  /// For 60 s something else answers everything.
  static let portals: [Case] = [
    ("a page", "answer: 200, body: <html>Log in</html>"),
    ("a way to a page", "answer: 302, headers: { Location: /login }"),
    ("511", "answer: 511"), ("an OK without a receipt", "answer: 200, body: '{\"ok\":true}'"),
    ("a page of 403", "answer: 403, body: <html>Log in</html>"),
    ("a page of 404", "answer: 404, body: <html>Log in</html>"),
  ].map { words, answer in
    Case(
      title: "a portal that answers with \(words)", up: "61.4 KB/s",
      script: "{ when: { path: \"*\", until: 60 s }, then: { \(answer) } }", policy: "beyond"
    ) { record in
      #expect(record.parked == 0 && record.finishedAt != nil)
      #expect(record.files.map(\.attempts) == [1, 1])
      // The record goes first, and shows it.
      let inPortal = record.requests.filter { $0.at < 60 }
      #expect(!inPortal.isEmpty && inPortal.allSatisfy { $0.step == "record" })
      #expect(inPortal.reduce(0) { $0 + $1.bodyBytes } <= 5_000)
    }
  }
}

extension VariantRecord {
  fileprivate var landedOnce: Bool {
    outcome == .finished && files.allSatisfy { $0.landed && $0.attempts == 1 }
  }

  fileprivate var texts: [String] { statusLines.lines.map(\.text) }

  fileprivate var claims: [ByteClaim] { texts.compactMap { ByteClaim(in: $0) } }

  /// No line goes above its total, and none has a figure that is none.
  fileprivate var claimsStayInBounds: Bool {
    claims.allSatisfy { $0.claimed >= 0 && $0.claimed <= $0.total }
      && texts.allSatisfy { !$0.contains("nan") && !$0.contains("inf ") && !$0.contains(" -") }
  }
}
