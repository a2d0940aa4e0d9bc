/// A scenario file in the making; what is not said is as in the shipped slow-copy.yaml.
struct ScenarioText {
  struct Variant {
    var name: String
    var settings: String

    static let before = Variant(name: "before", settings: "policy: before")
    static let after = Variant(name: "after", settings: "policy: after")
  }

  /// In KB/s.
  var up = 20.0
  /// In bytes.
  var buffer = 1_430_000
  var copy = 1_650_000
  var original = 4_310_000
  var horizon = 900.0
  var captureName = "photo-1"
  var variants = [Variant.before]
  /// Further sections of the file.
  var more = ""

  /// Over in a link minute: 15 s and 40 s on the link, a turn of 5 s, and round trips.
  static let small = ScenarioText(buffer: 200_000, copy: 300_000, original: 800_000, horizon: 120)

  var text: String {
    """
    name: Written by a test
    seed: 7
    horizon: \(horizon) s
    link: { up: \(up) KB/s, down: 200 KB/s, latency: 100 ms, buffer: \(buffer) B }
    captures:
      - photo: { original: \(original) B, copy: \(copy) B, taken: 2026-05-04T19:12:33+02:00 }
        name: \(captureName)
        at: 0 s
    engine:
      turn: { takes: 5 s }
    variants:
    \(variants.map { "  \($0.name): { client: outbox, \($0.settings) }" }.joined(separator: "\n"))
    \(more)

    """
  }
}
