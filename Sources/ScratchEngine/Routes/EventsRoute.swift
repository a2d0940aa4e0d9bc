import ScratchHTTP

/// `GET /api/moments/{ulid}/events`: what happens to a moment, while it happens.
///
/// Each event has its number as id, and `Last-Event-ID` asks for those behind it. The stream is
/// chunked, or until close to HTTP/1.0; comments show in quiet times that it is alive.
enum EventsRoute {
  static let get = Route(
    method: "GET",
    path: [.literal("api"), .literal("moments"), .moment, .literal("events")],
    act: { request, store throws(Refusal) in
      guard store.moment(request.match.moment) != nil else {
        throw .unknownMoment(request.match.moment)
      }
      var last = 0
      if let text = request.fields.first("Last-Event-ID"), !text.isEmpty {
        guard let number = Int(text), number >= 0 else {
          throw Refusal(
            status: 400, code: "bad_event_id", message: "Last-Event-ID is no id of an event here.")
        }
        last = number
      }
      guard request.openStreams < request.limits.streams else {
        throw Refusal(
          status: 503, code: "too_many_streams",
          message: "\(request.limits.streams) event streams are open; end one of them.")
      }
      var answer = ServerAnswer(
        status: 200,
        fields: [
          HeaderField("Content-Type", "text/event-stream"),
          HeaderField("Cache-Control", "no-store"),
        ])
      answer.goesOn = true
      return Outcome(answer: answer, at: request.now, streamAfter: last)
    })
}
