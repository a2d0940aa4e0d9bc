package import Quantities
package import ScratchHTTP

/// One connection, as the engine numbers them from 0 in order of opening.
package struct ConnectionID: Hashable, Sendable {
  package let number: Int
  /// Where it stands in the ledger; nil of one that came when that was full.
  let place: Int?
}

/// What to send on a connection, and when.
package struct EngineReply: Hashable, Sendable {
  package var answer: ServerAnswer
  /// Now, or later for a turn or a delay; if the connection ends before, nothing is sent.
  package var at: Instant
  /// The connection closes behind the answer.
  ///
  /// When the body has not been read to its end, a shell goes on reading for a while first: a close
  /// with unread bytes becomes a reset, which can take the answer away (RFC 9112 section 9.6).
  package var closes: Bool
  /// If nothing of the body has come, nothing will, and the connection goes on all the same.
  package var leavesBody = false
  /// What the script does once so much of it is out.
  package var deed: Deed?
  /// It goes out in pieces.
  package var dribble: Dribble?

  package struct Dribble: Hashable, Sendable {
    /// Bytes that are out at once before that, the head included.
    package var from: Int
    package var pieces: ScriptedDribble
  }

  /// A deed of the script within an answer, or behind it.
  package struct Deed: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
      /// The rest comes this much later.
      case pause(Duration)
      case close(ScriptedClose, after: Duration)
    }

    /// Bytes of the answer, its head included, and of a shorter one never; nil means all, however
    /// many.
    package var after: Int?
    package var action: Action
  }
}

/// What a shell does next with a connection whose request is coming in.
package enum ReadDecision: Hashable, Sendable {
  case readOn
  /// Send `AnswerWriter.continueBytes`, then read on.
  case sendContinue
  /// Read on, and send them then, if the body is still coming; with nil never.
  case holdContinue(until: Instant?)
  /// Answer, before the body has ended or behind it.
  case answer(EngineReply)
  /// Read nothing until then, and ask again by ``Engine/resumed(on:at:)``.
  case pause(until: Instant)
  case close(ScriptedClose)
}

/// What comes next of an answer that goes on.
package enum NextPiece: Hashable, Sendable {
  case send([UInt8])
  /// Nothing, before then or before ``Engine/takeNews()`` names the connection.
  case wait(until: Instant)
  case end
}

/// How a connection ended, as the engine saw it.
package enum ConnectionEnd: String, Hashable, Sendable {
  case reset, closed
}
