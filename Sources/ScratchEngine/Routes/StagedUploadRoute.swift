import Captures
import JSON
import ScratchHTTP

/// `POST /api/staged-uploads?request_id=ID`: one photo of a plate in, with its receipt.
enum StagedUploadRoute {
  static let post = Route(
    method: "POST", path: [.literal("api"), .literal("staged-uploads")], body: .media,
    step: { _ in .staged },
    upload: { match in match.query.first("request_id").map { Upload(name: $0, isID: true) } },
    admit: { match, _ throws(Refusal) in _ = try id(match) },
    act: { request, store throws(Refusal) in try keep(request, &store) })

  private static func id(_ match: RouteMatch) throws(Refusal) -> String {
    guard let id = match.query.first("request_id") else {
      throw .invalidField("The query needs request_id=ID.")
    }
    try JSONBody.checkID(id, "request_id")
    return id
  }

  private static func keep(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let id = try id(request.match)
    guard !request.body.isEmpty else { throw .emptyBody }
    if let stored = store.staged(id) {
      guard stored.isSame(as: request) else {
        throw .contentDiffers("The staged upload \(id)")
      }
      return stored.receipt(for: request, replay: true)
    }
    guard store.stagedCount < request.limits.plates else { throw .storeFull("staged uploads") }
    guard store.mediaBytes + request.body.count <= request.limits.store else {
      throw .storeFull("bytes")
    }
    let upload = StagedUpload(id: id, bytes: request.body, sha256: request.sha256)
    store.add(upload)
    return upload.receipt(for: request, replay: false)
  }
}
