import Captures
import JSON

extension Moment {
  /// As it is read back; a turn that is still under way has no answer yet.
  func members(_ request: WholeRequest) -> [(String, JSONText)] {
    let texts = texts.map { text in
      JSONText.object([
        ("request_id", .string(text.requestID)), ("media_id", .string(text.mediaID)),
        ("text", .optional(text.content.text)), ("unread", .optional(text.content.unread)),
      ])
    }
    return summary(request) + [("texts", .array(texts))]
  }

  /// As it stands in a list, which is not to grow with what documents hold.
  func summary(_ request: WholeRequest) -> [(String, JSONText)] {
    let media = media.map { file in
      JSONText.object([
        ("id", .string(file.id)), ("role", .string(file.role.rawValue)),
        ("bytes", .integer(file.bytes.count)), ("sha256", .optional(file.sha256)),
      ])
    }
    let turns = turns.map { turn in
      JSONText.object([
        ("request_id", .string(turn.requestID)), ("media_id", .string(turn.mediaID)),
        ("answer", turn.readyAt <= request.now ? .string(turn.answer) : .null),
      ])
    }
    return [("id", .string(id))] + record.members(MomentTruth(of: self, read: request.photos))
      + [("media", .array(media)), ("turns", .array(turns))]
  }
}
