import Scenarios
import Testing

/// Mistakes in the engine and its script, in front of the variants of the sound scenario.
private let scriptMistakes = [
  Mistake(
    "attempt zero", "variants:",
    "engine: { script: [{ when: { attempt: 0 }, then: { delay: 1 s } }] }\nvariants:",
    "12:39: error: attempts are counted from 1, so this rule can never match"),
  Mistake(
    "unknown step", "variants:",
    "engine: { script: [{ when: { step: trun }, then: { delay: 1 s } }] }\nvariants:",
    #"12:36: error: "trun" is not known here; did you mean "turn"?"#),
  Mistake(
    "step of no capture", "variants:",
    "engine: { script: [{ when: { step: text }, then: { delay: 1 s } }] }\nvariants:",
    #"12:36: error: no capture here has the step "text", so this rule can never match"#),
  Mistake(
    "rule behind another", "variants:",
    "engine:\n  script:\n    - { when: { step: copy }, then: { delay: 1 s } }\n"
      + "    - { when: { step: copy, attempt: 2 }, then: { delay: 1 s } }\nvariants:",
    "15:7: error: the rule on line 14 matches all of these first, so this one can never act"),
  Mistake(
    "headers without an answer", "variants:",
    "engine: { script: [{ when: {}, then: { delay: 1 s, headers: { A: b } } }] }\nvariants:",
    #"12:52: error: "headers" belongs to an answer; add answer: 503, or remove it"#),
  Mistake(
    "body without an answer", "variants:",
    "engine: { script: [{ when: {}, then: { body: Hello, close: end } }] }\nvariants:",
    #"12:40: error: "body" belongs to an answer; add answer: 503, or remove it"#),
  Mistake(
    "after without an answer", "variants:",
    "engine: { script: [{ when: {}, then: { close: end, after: 1 s } }] }\nvariants:",
    #"12:52: error: "after" is the time from an answer to a close; add both, or remove it"#),
  Mistake(
    "two actions", "variants:",
    "engine: { script: [{ when: {}, then: { delay: 1 s, close: end } }] }\nvariants:",
    #"12:38: error: only one of the keys "answer", "raw", "delay", "stall", "close", "dribble", "#
      + #""continue" can be here, found "delay", "close""#),
  Mistake(
    "no action", "variants:",
    "engine: { script: [{ when: {}, then: { at: head } }] }\nvariants:",
    #"12:38: error: one of the keys "answer", "raw", "delay", "stall", "close", "dribble", "#
      + #""continue" is needed"#),
  Mistake(
    "a delay before the body has come", "variants:",
    "engine: { script: [{ when: {}, then: { at: head, delay: 1 s } }] }\nvariants:",
    "12:40: error: until the body has come there is nothing to delay; write stall, or at: whole"),
  Mistake(
    "a stall behind the body", "variants:",
    "engine: { script: [{ when: {}, then: { stall: 1 s } }] }\nvariants:",
    "12:38: error: the whole request was read by then; write delay, or at: head or "
      + "{ body: 500 KB }"),
  Mistake(
    "an answer in an answer", "variants:",
    "engine: { script: [{ when: {}, then: { at: { answer: 9 B }, answer: 503 } }] }\nvariants:",
    "12:40: error: an answer is going out already; write at: whole or stored, or close"),
  Mistake(
    "100 Continue behind more than the head", "variants:",
    "engine: { script: [{ when: {}, then: { at: whole, continue: never } }] }\nvariants:",
    "12:40: error: a client waits for 100 Continue behind its head; write at: head, or leave it out"
  ),
  Mistake(
    "100 Continue at an unknown time", "variants:",
    "engine: { script: [{ when: {}, then: { continue: nevr } }] }\nvariants:",
    #"12:50: error: "nevr" is not known here; did you mean "never"?"#),
  Mistake(
    "an unknown expectation", "variants:",
    "engine: { script: [{ when: { expect: 100 }, then: { continue: 1 s } }] }\nvariants:",
    #"12:38: error: "100" is not known here; known words: 100-continue, nothing"#),
  Mistake(
    "a silence of no time", "variants:",
    "engine: { script: [{ when: {}, then: { at: { silence: 0 s }, answer: 408 } }] }\nvariants:",
    #"12:55: error: "0 s" is out of range; it can be 0.001 s to 86400 s"#),
  Mistake(
    "a phase of two kinds", "variants:",
    "engine: { script: [{ when: {}, then: { at: { silence: 1 s, body: 1 B }, answer: 408 } }] }\n"
      + "variants:",
    #"12:44: error: only one of the keys "body", "silence", "answer" can be here, "#
      + #"found "body", "silence""#),
  Mistake(
    "a connection that is kept for no time", "variants:",
    "engine: { keep-alive: 0 s }\nvariants:",
    #"12:23: error: "0 s" is out of range; it can be 0.001 s to 86400 s"#),
  Mistake(
    "a way to end what is kept for ever", "variants:",
    "engine: { keep-alive: { requests: 5, close: reset } }\nvariants:",
    #"12:38: error: "close" belongs to "timeout", which is not here; add it, or remove this"#),
  Mistake(
    "a connection of no requests", "variants:",
    "engine: { keep-alive: { requests: 0 } }\nvariants:",
    #"12:35: error: "0" is out of range; it can be 1 to 100000"#),
  Mistake(
    "an unknown phase", "variants:",
    "engine: { script: [{ when: {}, then: { at: haed, answer: 503 } }] }\nvariants:",
    #"12:44: error: "haed" is not known here; did you mean "head"?"#),
  Mistake(
    "a phase of no bytes", "variants:",
    "engine: { script: [{ when: {}, then: { at: { body: 0 B }, close: end } }] }\nvariants:",
    #"12:52: error: "0 B" is out of range; it can be 1 B to 64 MB"#),
  Mistake(
    "a window without time", "variants:",
    "engine: { script: [{ when: { from: 9 s, until: 9 s }, then: { delay: 1 s } }] }\nvariants:",
    #"12:48: error: "until" has to be later than "from"; nothing is in between"#),
  Mistake(
    "a path that is none", "variants:",
    "engine: { script: [{ when: { path: api }, then: { delay: 1 s } }] }\nvariants:",
    #"12:36: error: "api" is not a path without query; write it as /api/moments/*/turns"#),
  Mistake(
    "bad name of a header", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 503, headers: { A b: c } } }] }\nvariants:",
    #"12:64: error: "A b" is not the name of a header"#),
  Mistake(
    "a header that the engine writes", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 503, headers: { content-length: 3 } } }] }\n"
      + "variants:",
    "12:64: error: content-length is written by the engine; for an answer that breaks off, write "
      + "at: { answer: 20 B } with a close"),
  Mistake(
    "a body where none can be", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 204, body: no } }] }\nvariants:",
    "12:53: error: an answer 204 has no body (RFC 9112, section 6.3); remove it, or write another "
      + "status"),
  Mistake(
    "a rule that does nothing", "variants:",
    "engine: { script: [{ when: {} }] }\nvariants:",
    #"12:20: error: the key "then" is missing; add then: { ... }"#),
  Mistake(
    "status that is none", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 99 } }] }\nvariants:",
    #"12:48: error: "99" is out of range; it can be 200 to 599"#),
  Mistake(
    "connect with a step", "variants:",
    "engine: { script: [{ when: { step: copy }, then: { at: connect, close: end } }] }\nvariants:",
    "12:30: error: nothing is known of a request when a connection is accepted, so a "
      + "rule at: connect with \"step\" can never match; write connection, from or until, "
      + "or at: head"),
  Mistake(
    "an answer at connect", "variants:",
    "engine: { script: [{ when: {}, then: { at: connect, answer: 503 } }] }\nvariants:",
    "12:40: error: nobody has asked yet; write at: head, or close"),
  Mistake(
    "a dribble before there is an answer", "variants:",
    "engine: { script: [{ when: {}, then: { at: whole, dribble: 1 B, every: 1 s } }] }\nvariants:",
    "12:40: error: there is no answer yet that could dribble; write at: stored or { "
      + "answer: 20 B }, or leave \"at\" out; an answer of the script's own has dribble "
      + "beside it"),
  Mistake(
    "a dribble without a pause", "variants:",
    "engine: { script: [{ when: {}, then: { dribble: 1 B } }] }\nvariants:",
    "12:38: error: the key \"every\" is missing; add every: 10 s"),
  Mistake(
    "a pause without a dribble", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 503, every: 1 s } }] }\nvariants:",
    "12:53: error: \"every\" belongs to \"dribble\", which is not here; add it, or "
      + "remove this"),
  Mistake(
    "no pause", "variants:",
    "engine: { script: [{ when: {}, then: { dribble: 1 B, every: 0 s } }] }\nvariants:",
    "12:61: error: \"0 s\" is out of range; it can be 0.001 s to 86400 s"),
  Mistake(
    "a dribble and a close without an answer", "variants:",
    "engine: { script: [{ when: {}, then: { dribble: 1 B, every: 1 s, close: end } }] }\nvariants:",
    "12:38: error: only one of the keys \"answer\", \"raw\", \"delay\", \"stall\", \"close\", "
      + "\"dribble\", \"continue\" can be here, found \"close\", \"dribble\""),
  Mistake(
    "a length that is no longer", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 200, body: hello, length: 5 B } }] }\nvariants:",
    "12:74: error: the body has 5 B, and 5 B is not more; a length is what the "
      + "answer claims and does not send, so write more, or remove it"),
  Mistake(
    "a length without an answer", "variants:",
    "engine: { script: [{ when: {}, then: { raw: x, length: 5 B } }] }\nvariants:",
    "12:48: error: \"length\" belongs to an answer; add answer: 503, or remove it"),
  Mistake(
    "a length where no body can be", "variants:",
    "engine: { script: [{ when: {}, then: { answer: 304, length: 5 B } }] }\nvariants:",
    "12:53: error: an answer 304 has no body (RFC 9112, section 6.3); remove it, or "
      + "write another status"),
  Mistake(
    "raw and answer", "variants:",
    "engine: { script: [{ when: {}, then: { raw: x, answer: 503 } }] }\nvariants:",
    "12:38: error: only one of the keys \"answer\", \"raw\", \"delay\", \"stall\", \"close\", "
      + "\"dribble\", \"continue\" can be here, found \"answer\", \"raw\""),
  Mistake(
    "an unknown answer", "variants:",
    "engine: { script: [{ when: {}, then: { answer: portla } }] }\nvariants:",
    "12:48: error: \"portla\" is not known here; did you mean \"portal\"?"),
  Mistake(
    "a chance above all", "variants:",
    "engine: { script: [{ when: { chance: 101 % }, then: { delay: 1 s } }] }\nvariants:",
    "12:38: error: \"101 %\" is out of range; it can be 0 % to 100 %"),
  Mistake(
    "a chance without a unit", "variants:",
    "engine: { script: [{ when: { chance: 0.5 }, then: { delay: 1 s } }] }\nvariants:",
    "12:38: error: \"0.5\" has no unit; write it as 0.5 %"),
  Mistake(
    "a body for a time without a unit", "variants:",
    "engine: { script: [{ when: {}, then: { at: { body: 30 }, close: end } }] }\nvariants:",
    "12:52: error: \"30\" has no unit; write it as 30 MB"),
  Mistake(
    "a body for no time", "variants:",
    "engine: { script: [{ when: {}, then: { at: { body: 0 s }, close: end } }] }\nvariants:",
    "12:52: error: \"0 s\" is out of range; it can be 0.001 s to 86400 s"),
  Mistake(
    "from beyond the horizon", "variants:",
    "engine: { script: [{ when: { from: 900 s }, then: { delay: 1 s } }] }\nvariants:",
    "12:36: error: 900 s is beyond the horizon (900 s): it would never happen"),
  Mistake(
    "a step by another method", "variants:",
    "engine: { script: [{ when: { step: copy, method: GET }, then: { delay: 1 s } }] }\nvariants:",
    "12:50: error: a copy is never sent by GET, so this rule can never match; write "
      + "PUT, or remove it"),
  Mistake(
    "a step at another path", "variants:",
    "engine: { script: [{ when: { step: turn, path: \"/api/health\" }, then: { delay: 1 s } }] }\nvariants:",
    "12:48: error: a turn never goes to \"/api/health\", so this rule can never match; "
      + "its path is /api/moments/*/turns, so remove one of the two"),
  Mistake(
    "an attempt of what is not counted", "variants:",
    "engine: { script: [{ when: { attempt: 1, path: \"/api/health\" }, then: { delay: 1 s } }] }\nvariants:",
    "12:39: error: attempts are counted of steps and of uploads, and nothing here is "
      + "one, so this rule can never match; write times: 1, or another path"),
  Mistake(
    "a body above every capture", "variants:",
    "engine: { script: [{ when: { body: 5 MB }, then: { delay: 1 s } }] }\nvariants:",
    "12:36: error: no body here has 5 MB or more, so this rule can never match; the "
      + "largest that it could match has 4.31 MB"),
  Mistake(
    "a body above those of its step", "variants:",
    "engine: { script: [{ when: { step: copy, body: 2 MB }, then: { delay: 1 s } }] }\nvariants:",
    "12:48: error: no body here has 2 MB or more, so this rule can never match; the "
      + "largest that it could match has 1.65 MB"),
  Mistake(
    "a place beyond its bodies", "variants:",
    "engine: { script: [{ when: { step: copy }, then: { at: { body: 2 MB }, close: end } }] }\nvariants:",
    "12:52: error: no body that this rule matches comes to 2 MB, so it can never "
      + "act; the largest has 1.65 MB"),
  Mistake(
    "a place in no body", "variants:",
    "engine: { script: [{ when: { step: readback }, then: { at: { body: 1 s }, close: end } }] }\nvariants:",
    "12:56: error: a readback has no body, so this rule can never act; write at: "
      + "head or whole"),
  Mistake(
    "a place beyond a receipt", "variants:",
    "engine: { script: [{ when: { step: copy }, then: { at: { answer: 2 KB }, close: end } }] }\nvariants:",
    "12:52: error: no answer to a file comes to 2 KB, so this rule can never act; "
      + "its head and the receipt are within 1 KB"),
  Mistake(
    "an attempt that another rule takes", "variants:",
    "engine:\n"
      + "  script:\n"
      + "    - { when: { step: copy }, times: 2, then: { answer: 503 } }\n"
      + "    - { when: { step: copy, attempt: 2 }, then: { delay: 1 s } }\nvariants:",
    "15:7: error: the rule on line 14 acts on attempt 2 of the one capture that has "
      + "this step, so this one can never act; write a later attempt, or put this rule "
      + "first"),
  Mistake(
    "rules behind the end of every connection", "variants:",
    "engine:\n"
      + "  script:\n"
      + "    - { when: { step: copy }, then: { delay: 1 s } }\n"
      + "    - { when: {}, then: { at: connect, close: reset } }\nvariants:",
    "14:7: error: the rule on line 15 ends every connection before a request, so "
      + "this one can never act; give that one a connection, a time or times"),
  Mistake(
    "connect rule behind another", "variants:",
    "engine:\n"
      + "  script:\n"
      + "    - { when: {}, then: { at: connect, stall: 1 s } }\n"
      + "    - { when: { connection: 2 }, then: { at: connect, close: end } }\nvariants:",
    "15:7: error: the rule on line 14 matches all of these first, so this one can "
      + "never act"),
]

@Test(arguments: scriptMistakes)
func `each mistake in a script gives one error with its place and a way out`(mistake: Mistake) {
  let text = sound.replacing(once: mistake.old, with: mistake.new)
  #expect(errors(in: text) == ["a.yaml:" + mistake.error])
}

@Test func `of a rule for connections each key that only a request has is an error`() {
  let text = sound.replacing(
    once: "variants:",
    with: "engine: { script: [{ when: { attempt: 1, method: PUT, path: \"/files/x\", body: 1 KB }, "
      + "then: { at: connect, close: end } }] }\nvariants:")
  #expect(errors(in: text).count == 4)
  #expect(errors(in: text).allSatisfy { $0.contains("can never match; write connection") })
}

/// Rules that do act, however near they are to one that cannot.
@Test(arguments: [
  ["{ when: { chance: 0 % }, then: { delay: 1 s } }"],
  ["{ when: { chance: 50 % }, then: { delay: 1 s } }", "{ when: {}, then: { answer: portal } }"],
  [
    "{ when: { step: copy }, times: 2, then: { answer: 503 } }",
    "{ when: { step: copy, attempt: 3 }, then: { delay: 1 s } }",
  ],
  ["{ when: {}, then: { delay: 1 s } }", "{ when: {}, then: { at: connect, delay: 1 s } }"],
  [
    "{ when: { connection: 1 }, then: { at: connect, close: end } }",
    "{ when: { step: copy }, then: { delay: 1 s } }",
  ],
  ["{ when: { step: record }, then: { at: { body: 5 KB }, close: end } }"],
  ["{ when: { step: copy, method: PUT, path: \"*/media/*\" }, then: { close: end } }"],
  ["{ when: { step: readback, method: HEAD }, then: { close: end } }"],
  ["{ when: { attempt: 2, path: \"/files/*\" }, then: { close: end } }"],
])
func `a rule that can act is none`(rules: [String]) {
  let script = rules.map { "    - \($0)\n" }.joined()
  let text = sound.replacing(once: "variants:", with: "engine:\n  script:\n\(script)variants:")
  #expect(errors(in: text) == [])
}

@Test func `what a rule does is explained`() throws {
  let lines = ScenarioExplanation(try decode(everything).get()).text
  for words in [
    "for connection 3 from 5 s by a chance of 25 %: once it is accepted, before anything is read, "
      + "nothing is read for 11 s.",
    "for attempt 1 at record: once its head is read, the answer is 200 by 1 B every 10 s.",
    "for attempt 2 at record: once it is read, before anything is stored, the answer is 200 with 0 B "
      + "of 300 B.",
    "for attempt 3 at record: once it is read, before anything is stored, 7 B of its own are the "
      + "answer.",
    "for any attempt at document: once its body has been coming for 30 s, the answer is 408.",
  ] {
    #expect(lines.contains(words), "\(words)")
  }
}
