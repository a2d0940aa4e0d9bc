import Scenarios
import Testing

/// One mistake: what to replace in the sound scenario, and the error that has to come of it.
struct Mistake: Sendable, CustomTestStringConvertible {
  let id: String
  let old: String
  let new: String
  let error: String

  init(_ id: String, _ old: String, _ new: String, _ error: String) {
    self.id = id
    self.old = old
    self.new = new
    self.error = error
  }

  var testDescription: String { id }
}

@Test func `the sound scenario has no errors`() {
  #expect(errors(in: sound).isEmpty)
  #expect(errors(in: everything).isEmpty)
}

@Test func `five mistakes give five errors with their places`() {
  let text = """
    name: Five mistakes
    seed: seven
    horizon: 900
    link:
      up: 20 KB/s
      down: 200 KB/s
      latnecy: 100 ms
      buffer: 20 KB
    captures:
      - photo: { original: 4.31 MB, copy: 1.65 MB }
        at: 0 s
    variants:
      before: { client: outbox, policy: beforre }
    """
  #expect(
    errors(in: text) == [
      #"a.yaml:2:7: error: "seven" is not a whole number from 0 up; write it as 7"#,
      #"a.yaml:3:10: error: "900" has no unit; write it as 900 s"#,
      #"a.yaml:7:3: error: unknown key "latnecy"; did you mean "latency"?"#,
      #"a.yaml:8:11: error: "20 KB" is out of range; it can be 32 KB to 64 MB"#,
      #"a.yaml:13:37: error: "beforre" is not known here; did you mean "before"?"#,
    ])
}

@Test(arguments: [
  Mistake(
    "empty file", sound, "",
    """
    1:1: error: the file is empty; start a scenario with "name: ...", an engine's script with \
    "script:"
    """),
  Mistake(
    "syntax", "name: A test", "name: A: test",
    "1:8: error: this is not YAML: mapping values are not allowed in this context; "
      + "look at the indentation and the colons of this line and the one above"),
  Mistake(
    "bare greater-than", "attempts: 1", "attempts: >= 299",
    "16:16: error: this is not YAML: did not find expected comment or line break while scanning a "
      + #"block scalar; put a text that starts with a sign, such as ">= 299", in quotes"#),
  Mistake(
    "control character", "A test", "A \u{1}test",
    "1:9: error: this is not YAML: control characters are not allowed"),
  Mistake(
    "directive", "name: A test", "%YAML 1.1\n---\nname: A test",
    "1:1: error: YAML directives are not used here; remove the line that starts with %"),
  Mistake(
    "second document", "    attempts: 1\n", "    attempts: 1\n---\nname: B\n",
    "17:1: error: a file holds one scenario; put the second one in its own file"),
  Mistake(
    "anchor", "A test", "&a A test",
    "1:7: error: anchors (&) are not used here; remove it and write the values out"),
  Mistake(
    "alias", "A test", "*a",
    "1:7: error: aliases (*) are not used here; write the values out"),
  Mistake(
    "tag", "A test", "!!str A test",
    "1:7: error: tags (!) are not used here; remove it, the key decides the type"),
  Mistake(
    "too deep", "A test", String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
    "1:38: error: nested more than 32 deep"),
  Mistake(
    "key that is no text", "name: A test", "name: A test\n? [a]\n: b",
    "2:3: error: a key is a plain word"),
  Mistake(
    "duplicate key", "seed: 7", "seed: 7\nseed: 8",
    #"3:1: error: the key "seed" is here twice; it was first on line 2"#),
  Mistake("list for a value", "A test", "[A]", "1:7: error: expected a value, found a list"),
  Mistake(
    "keys for a value", "seed: 7", "seed: { is: 7 }",
    "2:7: error: expected a value, found keys with values; write it after the colon, such as 7"),
  Mistake("nothing for a value", " A test", "", "1:6: error: expected a value, found nothing"),
  Mistake(
    "value for a mapping", "{ client: outbox, policy: before }", "before",
    "13:11: error: expected keys with values, found a value; known keys: client, policy, idle,"
      + " ceiling, line, coalescing, cut, sync-pause, send-buffer, done-set, stable-ids, order,"
      + " hold-slow, back-off, strangers, counting, locale, command, tty, dilates, sends, figures"),
  Mistake(
    "a tab", "captures:\n  -", "captures:\n\t-",
    "10:1: error: this is not YAML: a tab cannot indent; use spaces"),
  Mistake(
    "mapping for a list", "captures:\n  - photo:", "captures:\n    photo:",
    "10:5: error: expected a list, found keys with values"),
  Mistake(
    "unknown key near a known one", "up: 20", "upp: 20",
    #"5:3: error: unknown key "upp"; did you mean "up"?"#),
  Mistake(
    "unknown key far from all", "latency: 100 ms", "colour: red",
    #"7:3: error: unknown key "colour"; known keys: preset, up, down, latency, jitter, loss, offline, faults, buffer"#
  ),
  Mistake(
    "a trace that is not there", "up: 20 KB/s", "up: { trace: lte.down }",
    #"5:16: error: "lte.down" cannot be read; name a file beside this one, or its path from here"#),
  Mistake(
    "a file that is no trace", "up: 20 KB/s", "up: { trace: bad.up }",
    #"5:16: error: "bad.up" is no trace: line 2: "x" is not a time; "#
      + "write whole milliseconds, one to a line"),
  Mistake(
    "scale without a trace", "up: 20 KB/s", "up: { rate: 20 KB/s, scale: 0.5 }",
    #"5:31: error: "scale" belongs to "trace", which is not here; add it, or remove this"#),
  Mistake(
    "scale with a unit", "up: 20 KB/s", "up: { trace: lte.up, scale: 50% }",
    #"5:31: error: "50%" is not a number; write it as 0.5"#),
  Mistake(
    "lumps of no rate", "up: 20 KB/s", "up: { rate: unlimited, lumps: 3.2 s }",
    "5:33: error: lumps gather what a rate carries; give a rate such as 20 KB/s, "
      + "or remove the lumps"),
  Mistake(
    "lumps that the buffer cannot fill", "up: 20 KB/s", "up: { rate: 20 KB/s, lumps: 80 s }",
    "5:31: error: a lump is 1.6 MB, and at most 1.366 MB wait for it (of the buffer, the kernels "
      + "hold up to 64 KB); the rest would be lost, so use shorter lumps or a larger buffer"),
  Mistake(
    "loss without a unit", "latency: 100 ms", "loss: 0.01",
    #"7:9: error: "0.01" has no unit; write it as 0.01 %"#),
  Mistake(
    "loss of everything", "latency: 100 ms", "loss: 100 %",
    #"7:9: error: "100 %" is out of range; it can be 0 % to 90 %"#),
  Mistake(
    "rate and steps", "up: 20 KB/s", "up: { rate: 20 KB/s, steps: [{ at: 0 s, rate: 5 KB/s }] }",
    #"5:7: error: only one of the keys "rate", "steps", "trace" can be here, found "rate", "steps""#
  ),
  Mistake(
    "lumps that answers cannot fill", "down: 200 KB/s", "down: { rate: 200 KB/s, lumps: 1 s }",
    "6:34: error: a lump is 200 KB, and at most 64 KB of answers wait for it; the rest would be "
      + "lost, so use shorter lumps"),
  Mistake(
    "late first step", "up: 20 KB/s", "up: { steps: [{ at: 5 s, rate: 5 KB/s }] }",
    "5:23: error: the first step is at 5 s, and what the rate is before that is not said; "
      + "start at 0 s"),
  Mistake(
    "steps out of order", "up: 20 KB/s",
    "up: { steps: [{ at: 0 s, rate: 5 KB/s }, { at: 9 s, rate: offline }, { at: 9 s, rate: 1 KB/s }] }",
    "5:78: error: the step at 9 s comes after the one at 9 s; sort them by time, each at its own"),
  Mistake(
    "step beyond the horizon", "up: 20 KB/s",
    "up: { steps: [{ at: 0 s, rate: 5 KB/s }, { at: 15 min, rate: offline }] }",
    "5:50: error: 900 s is beyond the horizon (900 s): it would never happen"),
  Mistake(
    "outages that overlap", "latency: 100 ms",
    "offline: [{ at: 40 s, for: 100 s }, { at: 139 s, for: 1 s }]",
    "7:45: error: the link is offline until 140 s already, so it cannot go offline at 139 s; "
      + "join the two, or sort them by time"),
  Mistake(
    "an outage without length", "latency: 100 ms", "offline: [{ at: 40 s, for: 0 s }]",
    #"7:30: error: "0 s" is out of range; it can be 0.001 s to 86400 s"#),
  Mistake(
    "missing key", "seed: 7\n", "",
    #"1:1: error: the key "seed" is missing; add seed: 7"#),
  Mistake(
    "missing key inside", ", copy: 1.65 MB", "",
    #"10:12: error: the key "copy" is missing; add copy: 1.65 MB"#),
  Mistake(
    "neither a rate nor a preset", "up: 20 KB/s\n  ", "",
    #"5:3: error: the key "up" is missing; add up: 20 KB/s"#),
  Mistake(
    "misspelt preset", "up: 20 KB/s\n  down: 200 KB/s", "preset: nlc-egde",
    #"5:11: error: there is no preset "nlc-egde"; did you mean "nlc-edge"?"#),
  Mistake(
    "preset far from all", "up: 20 KB/s\n  down: 200 KB/s", "preset: 5g",
    #"5:11: error: there is no preset "5g"; onebar proxy --presets lists them"#),
  Mistake(
    "misspelt key of a preset", "up: 20 KB/s\n  down: 200 KB/s", "preste: nlc-edge",
    #"5:3: error: unknown key "preste"; did you mean "preset"?"#),
  Mistake(
    "neither photo nor document", "photo: { original: 4.31 MB, copy: 1.65 MB }\n    ", "",
    #"10:5: error: one of the keys "photo", "document", "plate" is needed"#),
  Mistake(
    "photo and document", "at: 0 s", "at: 0 s\n    document: 4 MB",
    #"10:5: error: only one of the keys "photo", "document", "plate" can be here, "#
      + #"found "photo", "document""#),
  Mistake(
    "the copy of a web card, which has none",
    "client: outbox, policy: before }\nexpect:\n  before:\n    attempts: 1",
    "client: card, policy: before }\nexpect:\n  before:\n    attempts.copy: 1",
    #"16:5: error: "attempts.copy" measures nothing: no capture here has the step "copy""#),
  Mistake(
    "a plate of one photo", "photo: { original: 4.31 MB, copy: 1.65 MB }",
    "plate: { photos: 1, size: 600 KB }",
    #"10:22: error: "1" is out of range; it can be 2 to 64"#),
  Mistake(
    "a plate without a size", "photo: { original: 4.31 MB, copy: 1.65 MB }",
    "plate: { photos: 3 }",
    #"10:12: error: the key "size" is missing; add size: 1.65 MB"#),
  Mistake(
    "no captures", "  - photo: { original: 4.31 MB, copy: 1.65 MB }\n    at: 0 s", "  []",
    "10:3: error: expected at least 1, found 0"),
  Mistake(
    "unknown word", "up: 20 KB/s", "up: unlimitted",
    #"5:7: error: "unlimitted" is not known here; did you mean "unlimited"?"#),
  Mistake(
    "zero rate", "up: 20 KB/s", "up: 0 KB/s",
    "5:7: error: a rate of zero is written offline; a rate without limit, unlimited"),
  Mistake(
    "wrong unit", "up: 20 KB/s", "up: 20 kB/s",
    #"5:7: error: "kB/s" in "20 kB/s" is not a unit here; "#
      + "known units: B/s, KB/s, MB/s, GB/s, bit/s, kbit/s, Mbit/s"),
  Mistake(
    "no unit", "latency: 100 ms", "latency: 100",
    #"7:12: error: "100" has no unit; write it as 100 s"#),
  Mistake(
    "negative time", "latency: 100 ms", "latency: -1 ms",
    #"7:12: error: "-1 ms" is not a number with a unit; write it as 5 s"#),
  Mistake(
    "time out of range", "latency: 100 ms", "latency: 61 s",
    #"7:12: error: "61 s" is out of range; it can be 0 s to 60 s"#),
  Mistake(
    "number beyond any size", "buffer: 1.43 MB", "buffer: 999999999999999 GB",
    #"8:11: error: "999999999999999 GB" is out of range"#),
  Mistake(
    "part of a byte", "buffer: 1.43 MB", "buffer: 40000.5 B",
    #"8:11: error: "40000.5 B" is not a whole number of bytes"#),
  Mistake(
    "small buffer", "buffer: 1.43 MB", "buffer: 31 KB",
    #"8:11: error: "31 KB" is out of range; it can be 32 KB to 64 MB"#),
  Mistake(
    "seed too large", "seed: 7", "seed: 18446744073709551616",
    #"2:7: error: "18446744073709551616" is out of range; it can be 0 to 18446744073709551615"#),
  Mistake(
    "small photo", "copy: 1.65 MB", "copy: 19 KB",
    #"10:39: error: "19 KB" is out of range; it can be 20 KB to 20 MB"#),
  Mistake(
    "large photo", "original: 4.31 MB", "original: 21 MB",
    #"10:24: error: "21 MB" is out of range; it can be 20 KB to 20 MB"#),
  Mistake(
    "copy as large as its original", "copy: 1.65 MB", "copy: 4.31 MB",
    "10:39: error: the copy (4.31 MB) has to be smaller than the original (4.31 MB)"),
  Mistake(
    "day that does not exist", "1.65 MB }", "1.65 MB, taken: 2026-02-29T10:00:00Z }",
    #"10:55: error: "2026-02-29T10:00:00Z" is not a time of day with its offset; "#
      + "write it as 2026-05-04T19:12:33+02:00"),
  Mistake(
    "time without offset", "1.65 MB }", "1.65 MB, taken: 2026-02-28T10:00:00 }",
    #"10:55: error: "2026-02-28T10:00:00" is not a time of day with its offset; "#
      + "write it as 2026-05-04T19:12:33+02:00"),
  Mistake(
    "latitude beyond the pole", "1.65 MB }", "1.65 MB, place: [90.5, 0] }",
    #"10:56: error: "90.5" is out of range; it can be -90 to 90"#),
  Mistake(
    "place that is no number", "1.65 MB }", "1.65 MB, place: [1e1, 0] }",
    #"10:56: error: "1e1" is not a number of degrees; write it as 48.8583"#),
  Mistake(
    "place of one number", "1.65 MB }", "1.65 MB, place: [1] }",
    "10:55: error: expected at least 2, found 1"),
  Mistake(
    "name that is no file name", "at: 0 s", "at: 0 s\n    name: ../a",
    #"12:11: error: "../a" cannot be a name; use up to 40 of a-z, 0-9 and -, "#
      + "and start with a letter"),
  Mistake(
    "name of a copy", "at: 0 s", "at: 0 s\n    name: a-copy",
    #"12:11: error: "a-copy" ends like the name of a copy's file; leave out "-copy""#),
  Mistake(
    "name taken", "at: 0 s",
    "at: 0 s\n    name: photo-2\n  - photo: { original: 4.31 MB, copy: 1.65 MB }\n    at: 0 s",
    #"13:5: error: the name "photo-2" is taken on line 12; give each capture its own"#),
  Mistake(
    "capture beyond the horizon", "at: 0 s", "at: 900 s",
    "11:9: error: 900 s is beyond the horizon (900 s): it would never happen"),
  Mistake("blank name", "A test", #"" ""#, "1:7: error: the text is empty"),
  Mistake(
    "long name", "A test", String(repeating: "a", count: 121),
    "1:7: error: the text has 121 characters; it can have 120"),
  Mistake(
    "line break in a name", "A test", #""A\ntest""#,
    "1:7: error: the text holds a control character or a line break"),
  Mistake(
    "tty of a command as true", "{ client: outbox, policy: before }",
    "{ command: [./a], tty: true }",
    #"13:34: error: "true" is not known here; known words: yes, no"#),
  Mistake(
    "unknown client", "client: outbox", "client: web",
    #"13:21: error: "web" is not known here; known words: outbox, card"#),
  Mistake(
    "neither yes nor no", "policy: before }", "policy: before, coalescing: maybe }",
    #"13:57: error: "maybe" is not known here; known words: yes, no"#),
  Mistake(
    "unknown cut", "policy: before }", "policy: before, cut: rset }",
    #"13:50: error: "rset" is not known here; did you mean "reset"?"#),
  Mistake(
    "unknown counting", "policy: before }", "policy: before, counting: acknowledge }",
    #"13:55: error: "acknowledge" is not known here; did you mean "acknowledged"?"#),
  Mistake(
    "a language's name as locale", "policy: before }", "policy: before, locale: deutsch }",
    #"13:53: error: "deutsch" is not known here; known words: en_US, de_DE, fr_CA, ar_EG, hi_IN"#),
  Mistake(
    "unknown idle rule", "policy: before }", "policy: before, idle: from bodies }",
    #"13:51: error: "from bodies" is not known here; did you mean "from body"?"#),
  Mistake(
    "unknown variant", "  before:\n", "  befoer:\n",
    #"15:3: error: "befoer" is not a variant of this file; did you mean "before"?"#),
  Mistake(
    "unknown measure", "attempts: 1", "atempts: 1",
    #"16:5: error: unknown key "atempts"; did you mean "attempts"?"#),
  Mistake(
    "measure of no capture", "attempts: 1", "attempts.document: 1",
    #"16:5: error: "attempts.document" measures nothing: no capture here has the step "document""#),
  Mistake(
    "count with a unit", "attempts: 1", "attempts: 1 B",
    #"16:15: error: "1 B" cannot be expected of attempts; "#
      + "write 7, <= 7, 7 +- 1 % or each 1"),
  Mistake(
    "bytes without a unit", "attempts: 1", "wire: 9.93",
    #"16:11: error: "9.93" has no unit; write it as 9.93 MB"#),
  Mistake(
    "word of another measure", "attempts: 1", "finished: all",
    #"16:15: error: "all" cannot be expected of finished; "#
      + "write 305.9 s, <= 305.9 s, 305.9 s +- 1 % or never"),
  Mistake(
    "each of what is one", "attempts: 1", "landed: each 1",
    #"16:13: error: "each 1" cannot be expected of landed; "#
      + "write 7, <= 7, 7 +- 1 %, all or none"),
  Mistake(
    "tolerance without percent", "attempts: 1", "wire: 1 MB +- 1",
    #"16:11: error: "1 MB +- 1" cannot be expected of wire; "#
      + "write 9.93 MB, <= 9.93 MB or 9.93 MB +- 1 %"),
  Mistake(
    "comparison that is none", "attempts: 1", "attempts: < 3",
    #"16:15: error: "< 3" cannot be expected of attempts; write 7, <= 7, 7 +- 1 % or each 1"#),
])
func `each mistake gives one error with its place and a way out`(mistake: Mistake) {
  let text = sound.replacing(once: mistake.old, with: mistake.new)
  #expect(errors(in: text) == ["a.yaml:" + mistake.error])
}
