import Quantities
import ScratchEngine
import Testing

/// What happens to a body of 100 bytes at a phase, and what the ledger says of it.
struct PhaseRow: CustomTestStringConvertible {
  var at: ScriptPhase
  var action: ScriptAction
  var acts: String
  var phase: LedgerRequest.Phase
  var end: LedgerRequest.End
  var by: LedgerRequest.Party? = .engine
  var body = 100
  var stored = false
  var testDescription: String { "\(at): \(action)" }

  private static let refusal = ScriptAction.answer(.init(413))
  private static let late = ScriptPhase.bodyTime(.seconds(5))
  private static let pieces = ScriptedDribble(bytes: 100, every: .seconds(1))
  private static let dribbled = ScriptAction.answer(.init(413, dribble: pieces))
  private static let short = ScriptAction.answer(.init(200, body: "{}", length: 300))
  private static let raw = ScriptAction.answer(.init(.raw("no HTTP")))

  static let all = [
    // An answer, early ones with an end of the stream behind them, and then the rest is read.
    PhaseRow(
      at: .head, action: refusal, acts: "413 fin close@30", phase: .answer, end: .answered),
    PhaseRow(
      at: .body(37), action: refusal, acts: "413 fin close@30", phase: .answer, end: .answered),
    PhaseRow(at: .whole, action: refusal, acts: "413", phase: .answer, end: .answered),
    PhaseRow(
      at: .stored, action: refusal, acts: "413", phase: .answer, end: .answered, stored: true),
    // An answer and another end.
    PhaseRow(
      at: .head, action: .answer(.init(413, close: .reset, closeAfter: .seconds(1))),
      acts: "413 fin reset@1", phase: .answer, end: .answered, body: 0),
    PhaseRow(
      at: .body(37), action: .answer(.init(413, close: .reset)), acts: "413 reset",
      phase: .answer, end: .answered, body: 37),
    PhaseRow(
      at: .body(37), action: .answer(.init(413, close: .silence)), acts: "413", phase: .answer,
      end: .answered, body: 37),
    PhaseRow(
      at: .whole, action: .answer(.init(503, close: .end, closeAfter: .seconds(2))),
      acts: "503 fin@2 close@32", phase: .answer, end: .answered),
    // A delay of the commit, of the answer, and of the rest of it.
    PhaseRow(
      at: .whole, action: .delay(.seconds(4)), acts: "201@4", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .stored, action: .delay(.seconds(4)), acts: "201@4", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .answer(20), action: .delay(.seconds(4)), acts: "201 rest@4", phase: .answer,
      end: .answered, stored: true),
    // An answer that ends before has no rest.
    PhaseRow(
      at: .answer(5_000), action: .delay(.seconds(4)), acts: "201", phase: .answer,
      end: .answered, stored: true),
    // After a time, as after so many bytes.
    PhaseRow(
      at: late, action: refusal, acts: "413@5 fin@5 close@35", phase: .answer, end: .answered),
    PhaseRow(
      at: late, action: .stall(.seconds(4)), acts: "201@9", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: late, action: .close(.end), acts: "fin@5 close@35", phase: .body, end: .closed,
      by: .script),
    PhaseRow(
      at: late, action: .close(.reset), acts: "reset@5", phase: .body, end: .reset, by: .script,
      body: 37),
    PhaseRow(
      at: late, action: .close(.silence), acts: "", phase: .body, end: .open, by: nil, body: 37),
    // The engine's own answer, and others, in pieces.
    PhaseRow(
      at: .stored, action: .dribble(pieces), acts: "201 rest@1", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .answer(20), action: .dribble(pieces), acts: "201 rest@1 rest@2", phase: .answer,
      end: .answered, stored: true),
    PhaseRow(
      at: .answer(5_000), action: .dribble(pieces), acts: "201", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .head, action: dribbled, acts: "413 rest@1 fin@1 close@31", phase: .answer,
      end: .answered),
    PhaseRow(
      at: .body(37), action: dribbled, acts: "413 rest@1 fin@1 close@31", phase: .answer,
      end: .answered),
    PhaseRow(
      at: late, action: dribbled, acts: "413@5 rest@6 fin@6 close@36", phase: .answer,
      end: .answered),
    PhaseRow(at: .whole, action: dribbled, acts: "413 rest@1", phase: .answer, end: .answered),
    PhaseRow(
      at: .stored, action: dribbled, acts: "413 rest@1", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .whole,
      action: .answer(.init(413, close: .reset, closeAfter: .seconds(2), dribble: pieces)),
      acts: "413 rest@1 fin@1 reset@3", phase: .answer, end: .answered),
    // Less than an answer.
    PhaseRow(
      at: .head, action: short, acts: "200 fin close@30", phase: .answer, end: .closed, by: .script),
    PhaseRow(
      at: .body(37), action: short, acts: "200 fin close@30", phase: .answer, end: .closed,
      by: .script),
    PhaseRow(
      at: late, action: short, acts: "200@5 fin@5 close@35", phase: .answer, end: .closed,
      by: .script),
    PhaseRow(
      at: .whole, action: short, acts: "200 fin close@30", phase: .answer, end: .closed,
      by: .script),
    PhaseRow(
      at: .stored, action: short, acts: "200 fin close@30", phase: .answer, end: .closed,
      by: .script, stored: true),
    PhaseRow(
      at: .head, action: raw, acts: "rest fin close@30", phase: .answer, end: .closed, by: .script),
    PhaseRow(
      at: .body(37), action: raw, acts: "rest fin close@30", phase: .answer, end: .closed,
      by: .script),
    PhaseRow(
      at: late, action: raw, acts: "rest@5 fin@5 close@35", phase: .answer, end: .closed,
      by: .script),
    PhaseRow(
      at: .whole, action: raw, acts: "rest fin close@30", phase: .answer, end: .closed, by: .script),
    PhaseRow(
      at: .stored, action: raw, acts: "rest fin close@30", phase: .answer, end: .closed,
      by: .script, stored: true),
    PhaseRow(
      at: .whole, action: .answer(.init(.raw("no HTTP"), close: .reset)), acts: "rest reset",
      phase: .answer, end: .reset, by: .script),
    PhaseRow(
      at: .whole, action: .answer(.init(.raw("no HTTP"), close: .silence)), acts: "rest",
      phase: .answer, end: .open, by: nil),
    // A stall.
    PhaseRow(
      at: .head, action: .stall(.seconds(4)), acts: "201@4", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .body(37), action: .stall(.seconds(4)), acts: "201@4", phase: .answer, end: .answered,
      stored: true),
    PhaseRow(
      at: .body(100), action: .stall(.seconds(4)), acts: "201@4", phase: .answer, end: .answered,
      stored: true),
    // A place to which no answer comes.
    PhaseRow(
      at: .answer(5_000), action: .close(.reset), acts: "201", phase: .answer, end: .answered,
      stored: true),
    // A body that ends before.
    PhaseRow(
      at: .body(101), action: .close(.reset), acts: "201", phase: .answer, end: .answered,
      stored: true),
    // The three ways to end.
    PhaseRow(
      at: .head, action: .close(.end), acts: "fin close@30", phase: .head, end: .closed,
      by: .script),
    PhaseRow(
      at: .body(37), action: .close(.end), acts: "fin close@30", phase: .body, end: .closed,
      by: .script),
    PhaseRow(
      at: .whole, action: .close(.end), acts: "fin close@30", phase: .whole, end: .closed,
      by: .script),
    PhaseRow(
      at: .stored, action: .close(.end), acts: "fin close@30", phase: .decided, end: .closed,
      by: .script, stored: true),
    PhaseRow(
      at: .answer(20), action: .close(.end), acts: "201 fin close@30", phase: .answer,
      end: .closed, by: .script, stored: true),
    PhaseRow(
      at: .head, action: .close(.reset), acts: "reset", phase: .head, end: .reset, by: .script,
      body: 0),
    PhaseRow(
      at: .body(37), action: .close(.reset), acts: "reset", phase: .body, end: .reset, by: .script,
      body: 37),
    PhaseRow(
      at: .whole, action: .close(.reset), acts: "reset", phase: .whole, end: .reset, by: .script),
    PhaseRow(
      at: .stored, action: .close(.reset), acts: "reset", phase: .decided, end: .reset,
      by: .script, stored: true),
    PhaseRow(
      at: .answer(20), action: .close(.reset), acts: "201 reset", phase: .answer, end: .reset,
      by: .script, stored: true),
    PhaseRow(
      at: .head, action: .close(.silence), acts: "", phase: .head, end: .open, by: nil, body: 0),
    PhaseRow(
      at: .body(37), action: .close(.silence), acts: "", phase: .body, end: .open, by: nil,
      body: 37),
    PhaseRow(at: .whole, action: .close(.silence), acts: "", phase: .whole, end: .open, by: nil),
    PhaseRow(
      at: .stored, action: .close(.silence), acts: "", phase: .decided, end: .open, by: nil,
      stored: true),
    PhaseRow(
      at: .answer(20), action: .close(.silence), acts: "201", phase: .answer, end: .open, by: nil,
      stored: true),
  ]
}
