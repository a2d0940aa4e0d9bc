import Foundation
import LinkModel
import Quantities
import Scenarios
import Testing

/// A small scenario that is right, in lines that tests can replace one by one.
let sound = """
  name: A test
  seed: 7
  horizon: 900 s
  link:
    up: 20 KB/s
    down: 200 KB/s
    latency: 100 ms
    buffer: 1.43 MB
  captures:
    - photo: { original: 4.31 MB, copy: 1.65 MB }
      at: 0 s
  variants:
    before: { client: outbox, policy: before }
  expect:
    before:
      attempts: 1

  """

/// The keys that stand in the place of others.
let opportune = sound.replacing(
  once: "up: 20 KB/s\n  down: 200 KB/s",
  with: "up: { trace: lte.up, scale: 0.5, once: yes }\n  down: { rate: 200 KB/s, lumps: 0.3 s }")

/// A client by command, with all of its keys.
let foreign = sound.replacing(
  once: "before: { client: outbox, policy: before }",
  with: """
    before:
        command: [./client, --to, "{engine}/files/{{id}}", "{captures}", "%{json}"]
        tty: no
        dilates: yes
        sends: [original]
        figures:
          - { pattern: "(?<claimed>[0-9]+)%", unit: percent, file: original }
          - { done: uploaded }
    """
).replacing(once: "attempts: 1", with: "exit: 0")

/// A scenario that uses every key of the format, apart from those of ``opportune`` and ``foreign``.
let everything = """
  name: Everything
  seed: 18446744073709551615
  horizon: 15 min
  link:
    preset: nlc-edge-lossy
    up:
      steps:
        - { at: 0 s, rate: unlimited }
        - at: 40 s
          rate: 5 KB/s
    down: { rate: 1.6 Mbit/s, latency: 30 ms, loss: 0.5% }
    latency: 20 ms
    jitter: 5 ms
    loss:
      ratio: 2 %
      stall: 1 s
    offline:
      - at: 40 s
        for: 100 s
      - { at: 2.5 min, for: 1 s }
    faults:
      - refuse: connections
        from: 0 s
        until: 30 s
      - { silent: connections, connection: 2 }
      - { cut: { up: 500 KB }, as: reset, connection: 3 }
      - { cut: { up: 1 MB }, as: end }
      - { cut: { down: 100 B }, as: silence }
      - { hold: { down: 1 KB }, for: 100 s }
      - { slow-close: 5 s }
      - { dark: 20 s }
    buffer: 64 KB
  captures:
    - photo:
        original: 4.31 MB
        copy: 1.65 MB
        taken: 2024-02-29T23:59:59Z
        place: [-48.8583, 2.2945]
      at: 0 s
      name: tower
    - document: 400 KB
      at: 2.5 s
    - photo: { original: 2 MB, copy: 1 MB }
      at: 3 s
    - plate:
        photos: 3
        size: 600 KB
        taken: 2024-02-29T23:59:59Z
        place: [-48.8583, 2.2945]
      at: 4 s
  engine:
    turn:
      takes: 5 s
    live: { takes: 1.5 s }
    events: { heartbeat: 20 s }
    keep-alive: { timeout: 0.9 s, close: reset, requests: 100 }
    script:
      - when:
          step: turn
          attempt: 1
        then:
          answer: 503
          headers:
            Retry-After: 30
      - when: { step: copy }
        then:
          delay: 5 s
      - when: { path: "/api/*", method: PUT, body: 1 MB, from: 10 s, until: 60 s, connection: 2 }
        times: 3
        then:
          at: { body: 500 KB }
          stall: 100 s
      - when: { step: original, attempt: 1 }
        then: { at: head, answer: 413, body: Too large., close: reset, after: 1 s }
      - when: { step: original, attempt: 2 }
        then: { at: { answer: 20 B }, close: end }
      - when: { step: document, attempt: 1 }
        then: { at: { silence: 60 s }, answer: 408 }
      - when: { step: document, attempt: 2, expect: 100-continue }
        then: { continue: never }
      - when: { connection: 3, from: 5 s, chance: 25 % }
        then: { at: connect, stall: 11 s }
      - when: { step: record, attempt: 1 }
        then: { at: head, answer: portal, dribble: 1 B, every: 10 s }
      - when: { step: record, attempt: 2 }
        then: { answer: 200, length: 300 B }
      - when: { step: record, attempt: 3 }
        then: { raw: "no HTTP" }
      - when: { step: document }
        then: { at: { body: 30 s }, answer: 408 }
  acts:
    - at: 40 s
      do: kill
    - { at: 41 s, do: start }
    - { at: 50 s, do: refresh }
    - { at: 50 s, do: send-now, capture: tower }
    - { at: 51 s, do: discard, capture: document-1 }
    - { at: 51 s, do: set-clock, by: -1 h }
    - { at: 52 s, do: fill-disk }
    - { at: 53 s, do: free-disk }
    - { at: 54 s, do: power-loss }
    - { at: 55 s, do: start }
  variants:
    mine:
      client: outbox
      policy: before
      idle: from body
      ceiling: 30 min
      line: live
      coalescing: yes
      cut: close
      sync-pause: 30 s
      send-buffer: 32 KB
      counting: acknowledged
      locale: de_DE
    other:
      client: outbox
      policy: after
      idle: 45 s
      coalescing: no
      done-set: no
      stable-ids: no
      order: newest-first
      hold-slow: yes
      back-off: yes
      strangers: wait
    page: { client: card, policy: after }
  expect:
    mine:
      attempts: each 1
      attempts.copy: 2
      attempts.original: <= 2
      attempts.document: "=1"
      attempts.staged: 3
      wire: ">= 7 MB"
      wire.copy: 3.3 MB +- 0.5%
      wire.original: 4.31 MB +- 1 %
      wire.document: 400 KB
      wire.staged: 1.8 MB
      landed: all
      finished: never
      useful: 1 B
      repeated: 0 B
      abandoned: 0 B
      overhead: <= 20 KB
      lines.distinct: 4
      lines.live: 0
      lines.first-live: never
      lines.longest-silence: <= 5 s
      lines.false: 0
      lines.worst-megabytes: <= 1.5 MB
      lines.worst-seconds: 0 s
      parked: 0
      held: 0
      discarded: 0
      not-saved: 0
      duplicates: 0
      lost: 0
    other:
      landed: none
    page:
      attempts.original: 2

  """

func decode(_ text: String) -> Result<Scenario, ScenarioErrors> {
  ScenarioDecoder(
    digest: { "\($0.count) bytes" },
    load: { ["lte.up": Array("1\n7\n".utf8), "bad.up": Array("1\nx\n".utf8)][$0] }
  ).decode(Array(text.utf8), file: "a.yaml")
}

/// The lines of the errors; empty when the text is right.
func errors(in text: String) -> [String] {
  switch decode(text) {
  case .success: []
  case .failure(let errors): errors.description.split(separator: "\n").map(String.init)
  }
}

extension String {
  /// The text with the first `old` replaced; a test that names something else is broken.
  func replacing(once old: String, with new: String) -> String {
    guard let range = firstRange(of: old) else {
      Issue.record("the fixture holds no \(old)")
      return self
    }
    return replacingCharacters(in: range, with: new)
  }

  private func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}

/// The bytes of a file that ships, by its path from the root of the package.
func shipped(_ path: String) throws -> [UInt8] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return Array(try Data(contentsOf: root.appending(path: path)))
}

func shippedScenario(_ name: String) throws -> Scenario {
  let file = "scenarios/\(name).yaml"
  return try ScenarioDecoder { _ in "" }.decode(try shipped(file), file: file).get()
}

extension Scenario {
  func variant(_ name: String) throws -> Variant {
    try #require(variants.first { $0.name == name })
  }
}
