import JSON
import Quantities
import ScratchHTTP

/// `POST /api/live`: one short call that is answered after its time.
///
/// Like a turn it goes on if the connection ends, and a repeat is answered when the first is.
enum LiveRoute {
  private struct Body: Decodable {
    var requestID: String
    var text: String

    private enum CodingKeys: String, CodingKey {
      case requestID = "request_id"
      case text
    }
  }

  static let post = Route(
    method: "POST", path: [.literal("api"), .literal("live")], body: .json,
    act: { request, store throws(Refusal) in try take(request, &store) })

  private static func take(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let body = try JSONBody.read(Body.self, from: request.body)
    try JSONBody.checkID(body.requestID, "request_id")
    if let stored = store.liveCall(body.requestID) {
      guard stored.text == body.text else {
        throw .contentDiffers("The live call \(body.requestID)")
      }
      return outcome(stored, replay: true, request.now)
    }
    guard store.liveCalls.count < request.limits.liveCalls else { throw .storeFull("live calls") }
    let call = LiveCall(
      requestID: body.requestID, text: body.text,
      readyAt: request.now + request.script.liveTakes)
    store.add(call)
    return outcome(call, replay: false, request.now)
  }

  private static func outcome(_ call: LiveCall, replay: Bool, _ now: Instant) -> Outcome {
    let answer = JSONText.object([
      ("request_id", .string(call.requestID)),
      ("answer", .string("I have heard \(call.text.utf8.count) bytes.")),
      ("replayed", .bool(replay)),
    ])
    return Outcome(
      answer: .json(200, answer), at: max(now, call.readyAt), stored: !replay, replay: replay)
  }
}
