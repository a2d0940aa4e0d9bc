/// What a rule does, and at which phase of a request.
package struct ScriptedDeed: Hashable, Sendable {
  package var at: ScriptPhase
  package var action: ScriptAction

  package init(at phase: ScriptPhase = .whole, _ action: ScriptAction) {
    at = phase
    self.action = action
  }
}

/// A moment in the life of a request.
package enum ScriptPhase: Hashable, Sendable {
  /// Its head has been read, and nothing of its body.
  case head
  /// So many bytes of its body have been read; a body that ends before never gets there.
  case body(Int)
  /// Its head has been read, and then no byte of its body has come for so long; as long as it is
  /// read.
  case silence(Duration)
  /// Its body has been read, and nothing is stored.
  case whole
  /// What it brought is stored, and nothing is answered.
  case stored
  /// So many bytes of the answer, its head included, have been sent, or all of a shorter one.
  case answer(Int)
}

/// One action of a rule.
package enum ScriptAction: Hashable, Sendable {
  case answer(ScriptedAnswer)
  /// What comes next, the commit or the answer or the rest of it, comes this much later.
  case delay(Duration)
  /// Nothing is read for this long, so that the path fills up as far as the client.
  case stall(Duration)
  case close(ScriptedClose)
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
    case (.delay, .head), (.delay, .body), (.delay, .silence): .delayBeforeWhole
    case (.stall, .whole), (.stall, .stored), (.stall, .answer): .stallBehindWhole
    case (.answer, .answer): .answerInAnswer
    case (.holdContinue, .head): nil
    case (.holdContinue, _): .continueBehindHead
    default: nil
    }
  }
}
