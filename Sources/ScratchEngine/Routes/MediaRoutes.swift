import Captures
import FoundationEssentials
import JSON
import ScratchHTTP

/// `PUT` and `GET /api/moments/{ulid}/media/{media_id}`: files in with a receipt, and out again.
///
/// `GET ...?as=display` and `?as=thumbnail` give copies of a photo to be shown, made when they are
/// asked for. A photo that cannot be decoded is stored like any other, and has none.
enum MediaRoutes {
  static let all = [put, get]

  private static let path = [
    Route.PathPart.literal("api"), .literal("moments"), .moment, .literal("media"), .media,
  ]

  private static let put = Route(
    method: "PUT", path: path, body: .media,
    step: { role($0) },
    admit: { match, store throws(Refusal) in
      guard role(match) != nil else {
        throw Refusal(
          status: 422, code: "bad_role",
          message: "The query needs role=copy, role=original or role=document.")
      }
      // A client sends the record first, so this is no state that a retry would mend.
      guard store.moment(match.moment) != nil else { throw .unknownMoment(match.moment) }
    },
    act: { request, store throws(Refusal) in try keep(request, &store) })

  private static let get = Route(
    method: "GET", path: path,
    act: { request, store throws(Refusal) in
      guard let moment = store.moment(request.match.moment) else {
        throw .unknownMoment(request.match.moment)
      }
      guard let media = moment.media(request.match.media) else {
        throw Refusal(
          status: 404, code: "unknown_media",
          message: "The moment \(moment.id) has no media \(request.match.media).")
      }
      var answer = ServerAnswer(status: 200)
      if let name = request.match.query.first("as") {
        answer.fields = [HeaderField("Content-Type", "image/jpeg")]
        answer.body = try copy(name, of: media, by: request.photos)
      } else {
        answer.fields =
          [HeaderField("Content-Type", media.type)] + HeaderField.digest(sha256: media.sha256)
        answer.body = media.bytes
      }
      return Outcome(answer: answer, at: request.now)
    })

  private static func copy(
    _ name: String, of media: StoredMedia, by photos: (any PhotoReader)?
  ) throws(Refusal) -> [UInt8] {
    guard let kind = DerivedCopy(rawValue: name) else {
      throw Refusal(
        status: 422, code: "bad_copy",
        message: "The query can have as=display or as=thumbnail; leave it out for the file itself.")
    }
    func none(_ reason: String) -> Refusal {
      Refusal(
        status: 404, code: "no_copy",
        message: "The media \(media.id) has no \(kind.rawValue) copy: \(reason).")
    }
    guard media.role != .document else { throw none("it is a document") }
    guard let photos else { throw none("this engine reads no photos") }
    do {
      return try photos.copy(kind, of: media.bytes)
    } catch {
      throw none("\(error)")
    }
  }

  private static func role(_ match: RouteMatch) -> UploadStep? {
    switch match.query.first("role") {
    case "copy": .copy
    case "original": .original
    case "document": .document
    default: nil
    }
  }

  private static func keep(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let match = request.match
    guard let role = role(match), let moment = store.moment(match.moment) else {
      throw .unknownMoment(match.moment)
    }
    guard !request.body.isEmpty else { throw .emptyBody }
    if let stored = moment.media(match.media) {
      guard stored.isSame(as: request), stored.role == role else {
        throw .contentDiffers("The media \(match.media)")
      }
      return stored.receipt(for: request, replay: true)
    }
    guard moment.media.count < request.limits.perMoment else { throw .storeFull("media of it") }
    guard store.mediaBytes + request.body.count <= request.limits.store else {
      throw .storeFull("bytes")
    }
    let media = StoredMedia(
      id: match.media, role: role,
      type: request.fields.first("Content-Type") ?? "application/octet-stream",
      bytes: request.body, sha256: request.sha256)
    store.add(media, to: match.moment, at: request.now)
    return media.receipt(for: request, replay: false)
  }
}

extension HeaderField {
  /// The digest of a whole file, also where only its head is asked for: RFC 9530 section 3; none
  /// when there is none.
  static func digest(sha256: String?) -> [HeaderField] {
    guard let sha256 else { return [] }
    var rest = sha256[...]
    var octets: [UInt8] = []
    while let octet = UInt8(rest.prefix(2), radix: 16) {
      octets.append(octet)
      rest = rest.dropFirst(2)
    }
    return [HeaderField("Repr-Digest", "sha-256=:\(Data(octets).base64EncodedString()):")]
  }
}
