package import ScratchEngine

/// Every phase of the script with every action that makes sense there.
package struct ScriptMatrix {
  /// Where it acts in a body, and in an answer.
  package var bytes: Int
  package var answerBytes = 20
  /// How long a body has been coming, and how long something is delayed or kept from being read.
  package var time: Duration

  package init(bytes: Int, time: Duration) {
    self.bytes = bytes
    self.time = time
  }

  package var deeds: [ScriptedDeed] {
    phases.flatMap { phase in actions.map { ScriptedDeed(at: phase, $0) } }
      .filter { $0.mismatch == nil }
  }

  package var phases: [ScriptPhase] {
    Array(sequence(first: .connect, next: following))
  }

  package var actions: [ScriptAction] {
    Array(sequence(first: .answer(.init(413)), next: following))
  }

  /// A chain, in which the compiler asks for a phase that is missing.
  private func following(_ phase: ScriptPhase) -> ScriptPhase? {
    switch phase {
    case .connect: .head
    case .head: .body(bytes)
    case .body: .bodyTime(time)
    case .bodyTime: .silence(time)
    case .silence: .whole
    case .whole: .stored
    case .stored: .answer(answerBytes)
    case .answer: nil
    }
  }

  private func following(_ action: ScriptAction) -> ScriptAction? {
    switch action {
    case .answer(let answer): following(answer).map { .answer($0) } ?? .delay(time)
    case .delay: .stall(time)
    case .stall: .close(.end)
    case .close(.end): .close(.reset)
    case .close(.reset): .close(.silence)
    case .close(.silence): .dribble(Self.pieces)
    case .dribble: .holdContinue(time)
    case .holdContinue: nil
    }
  }

  /// An answer with each of its ends, in pieces, of which less comes than it says, and none at all.
  private func following(_ answer: ScriptedAnswer) -> ScriptedAnswer? {
    switch (answer.content, answer.close, answer.dribble) {
    case (.made(413, _, _, _), nil, nil): .init(413, close: .reset, closeAfter: time)
    case (.made(413, _, _, _), .reset, _): .init(413, close: .silence)
    case (.made(413, _, _, _), .silence, _): .init(413, dribble: Self.pieces)
    case (.made(413, _, _, _), nil, .some): .portal
    case (.made(_, _, _, nil), _, _): .init(200, body: "{}", length: 300)
    case (.made, _, _): .init(.raw("no HTTP"))
    case (.raw, _, _): nil
    }
  }

  /// Three or four of an answer to a file.
  private static let pieces = ScriptedDribble(bytes: 60, every: .milliseconds(500))
}

extension ScriptAction {
  /// An answer of its own that a client can read.
  package var givesAnswer: Bool {
    if case .answer(let answer) = self { answer.isWhole } else { false }
  }

  /// Nothing is lost by it but time.
  package var isSlow: Bool {
    switch self {
    case .delay, .stall, .dribble, .holdContinue: true
    case .answer, .close: false
    }
  }
}

extension ScriptPhase {
  /// What the request brought is stored by then.
  package var isStored: Bool {
    switch self {
    case .stored, .answer: true
    case .connect, .head, .body, .bodyTime, .silence, .whole: false
    }
  }
}
