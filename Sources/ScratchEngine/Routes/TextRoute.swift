import Captures
import JSON
import ScratchHTTP

/// `POST /api/moments/{ulid}/text`: reads a document's text into the moment.
///
/// A document that cannot be read is done, too: the answer says why, and a repeat would find no more.
enum TextRoute {
  static let post = Route(
    method: "POST",
    path: [.literal("api"), .literal("moments"), .moment, .literal("text")], body: .json,
    step: { _ in .text },
    act: { request, store throws(Refusal) in try read(request, &store) })

  private static func read(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let body = try ReadingRequest(request.body)
    guard let moment = store.moment(request.match.moment) else {
      throw .unknownMoment(request.match.moment)
    }
    if let stored = moment.text(body.requestID) {
      guard stored.mediaID == body.mediaID else {
        throw .contentDiffers("The text \(body.requestID)")
      }
      return outcome(stored, replay: true, request)
    }
    guard let document = moment.media(body.mediaID) else {
      throw Refusal(
        status: 409, code: "document_missing",
        message: "The document \(body.mediaID) is not stored; send it before its text is read.")
    }
    guard document.role == .document else {
      throw Refusal(
        status: 422, code: "not_a_document",
        message: "A text is read from a document, and \(document.id) is the "
          + "\(document.role.rawValue).")
    }
    guard moment.texts.count < request.limits.perMoment else { throw .storeFull("texts of it") }
    let text = StoredText(
      requestID: body.requestID, mediaID: document.id, content: DocumentText(of: document.bytes))
    store.add(text, to: moment.id, at: request.now)
    return outcome(text, replay: false, request)
  }

  private static func outcome(
    _ text: StoredText, replay: Bool, _ request: WholeRequest
  ) -> Outcome {
    let answer = JSONText.object([
      ("request_id", .string(text.requestID)), ("media_id", .string(text.mediaID)),
      ("bytes", .integer(text.content.text?.utf8.count ?? 0)),
      ("unread", .optional(text.content.unread)), ("replayed", .bool(replay)),
    ])
    return Outcome(answer: .json(200, answer), at: request.now, stored: !replay, replay: replay)
  }
}
