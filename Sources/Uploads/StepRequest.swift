import Captures

/// Turns a step into the request that the engine's contract asks for.
package struct StepRequest: Hashable, Sendable {
  package var request: OutgoingRequest
  package var limits: RequestLimits

  /// Bodies have sorted keys, so that a repeat has the same bytes; ids need no escaping in paths.
  ///
  /// `folder` is the outbox's, where the files are. Throws when a body cannot be written as JSON,
  /// such as a place that is not a number.
  package init(
    for step: PlannedStep, of entry: OutboxEntry, in folder: String, under policy: UploadPolicy
  ) throws {
    let moment = "/api/moments/\(entry.moment)"
    var method = "POST"
    var path = moment
    var body = OutgoingRequest.Body.none
    var kind = RequestKind.json
    switch step {
    case .record:
      method = "PUT"
      body = try Self.json(RecordBody(entry))
    case .file(let file):
      if file.step.step == .staged {
        path = "/api/staged-uploads?request_id=\(file.media)"
      } else {
        method = "PUT"
        path += "/media/\(file.media)?role=\(file.step)"
      }
      body = .file(path: "\(folder)/\(file.name)", bytes: file.bytes, type: file.type)
      kind = .file(bytes: file.bytes)
    case .turn(let media):
      path += "/turns"
      body = try Self.json(AnswerBody(request_id: entry.turn, media_id: media))
    case .text(let media):
      path += "/text"
      body = try Self.json(AnswerBody(request_id: entry.text, media_id: media))
    case .encounter:
      path = "/api/encounters"
      body = try Self.json(RecordBody(entry, staged: entry.files.map(\.media)))
    case .readback:
      method = "GET"
      if entry.kind == .plate { path = "/api/encounters?request_id=\(entry.requestID)" }
    }
    limits = RequestLimits(of: kind, under: policy)
    request = OutgoingRequest(
      method: method, path: path, headers: [HTTPField("Accept", "application/json")], body: body,
      answerLimit: limits.answerBytes, sendBuffer: policy.sendBuffer, counting: policy.counting)
  }

  /// The engine's health route.
  package init(healthUnder policy: UploadPolicy) {
    limits = RequestLimits(of: .json, under: policy)
    request = OutgoingRequest(
      method: "GET", path: "/api/health", headers: [HTTPField("Accept", "application/json")],
      answerLimit: limits.answerBytes, sendBuffer: policy.sendBuffer)
  }

  private static func json(_ value: some Encodable) throws -> OutgoingRequest.Body {
    .bytes(try stableJSON(value), type: "application/json")
  }
}

// The names of these properties are the contract's own.

private struct RecordBody: Encodable {
  var request_id: String
  var kind: OutboxEntry.Kind
  var note: String
  var captured_at: String
  var time_zone: String
  var place: Place?
  /// Of a plate, its photos.
  var staged: [String]?

  init(_ entry: OutboxEntry, staged: [String]? = nil) {
    request_id = entry.requestID
    kind = entry.kind
    note = entry.note
    captured_at = entry.capturedAt
    time_zone = entry.timeZone
    place = entry.place
    self.staged = staged
  }
}

private struct AnswerBody: Encodable {
  var request_id: String
  var media_id: String
}
