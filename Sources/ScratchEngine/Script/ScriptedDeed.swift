/// What a rule does, and at which phase.
package struct ScriptedDeed: Hashable, Sendable {
  package var at: ScriptPhase
  package var action: ScriptAction

  package init(at phase: ScriptPhase = .whole, _ action: ScriptAction) {
    at = phase
    self.action = action
  }
}

/// One action of a rule.
package enum ScriptAction: Hashable, Sendable {
  case answer(ScriptedAnswer)
  /// What comes next, the first read or the commit or the answer or the rest of it, comes this much
  /// later.
  case delay(Duration)
  /// Nothing is read for this long, so that the path fills up as far as the client.
  case stall(Duration)
  case close(ScriptedClose)
  /// What is left of the engine's own answer goes out in pieces.
  case dribble(ScriptedDribble)
  /// A client that waits for `100 Continue` is told so much later, or with nil never; its body is
  /// read whenever it comes.
  case holdContinue(Duration?)
}

extension ScriptedDeed {
  /// Why an action makes no sense at its phase.
  package enum Mismatch: Hashable, Sendable {
    /// Until the body has come there is nothing to delay.
    case delayBeforeWhole
    /// Once the body has come nothing is left to stop reading.
    case stallBehindWhole
    /// One answer is going out already.
    case answerInAnswer
    /// Nobody has asked.
    case answerBeforeRequest
    /// The engine has no answer of its own yet.
    case dribbleBeforeStored
    /// A client waits for `100 Continue` behind the head alone.
    case continueBehindHead
  }

  /// An answer for which nothing is stored and the whole request is read.
  var isAnswerToWhole: Bool {
    if case .answer = action { at == .whole } else { false }
  }

  /// Nil when it makes sense.
  package var mismatch: Mismatch? {
    switch (action, at) {
    case (.delay, .head), (.delay, .body), (.delay, .bodyTime), (.delay, .silence):
      .delayBeforeWhole
    case (.stall, .whole), (.stall, .stored), (.stall, .answer): .stallBehindWhole
    case (.answer, .answer): .answerInAnswer
    case (.answer, .connect): .answerBeforeRequest
    case (.dribble, .stored), (.dribble, .answer): nil
    case (.dribble, _): .dribbleBeforeStored
    case (.holdContinue, .head): nil
    case (.holdContinue, _): .continueBehindHead
    default: nil
    }
  }
}
