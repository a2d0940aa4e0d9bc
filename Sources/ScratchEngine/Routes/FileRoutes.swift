import JSON
import ScratchHTTP

/// `PUT`, `POST` and `GET /files/*`: whatever a foreign client sends, with receipts, and back again.
///
/// The path of a `PUT` is the id of its file. A `POST`, and a form in either, may bring any number to
/// one path: each is found under that path by its digest, so that the same content is the same file.
enum FileRoutes {
  static let all = [route("PUT", isID: true), route("POST", isID: false), get, list]

  private static let root = Route.PathPart.literal("files")
  private static let path = [root, .rest]

  private static func route(_ method: String, isID: Bool) -> Route {
    Route(
      method: method, path: path, body: .files,
      upload: { Upload(name: $0.path, isID: isID) },
      act: { request, store throws(Refusal) in try keep(request, isID: isID, &store) })
  }

  private static let get = Route(
    method: "GET", path: path,
    act: { request, store throws(Refusal) in
      let path = request.match.path
      guard let file = store.file(path) else {
        throw Refusal(status: 404, code: "no_such_file", message: "No file was sent to \(path).")
      }
      guard let bytes = file.bytes else {
        throw Refusal(
          status: 404, code: "not_kept",
          message: "\(path) was too large: its \(file.count) bytes were counted and digested only.")
      }
      let answer = ServerAnswer(
        status: 200,
        fields: [HeaderField("Content-Type", file.type)] + HeaderField.digest(sha256: file.sha256),
        body: bytes)
      return Outcome(answer: answer, at: request.now)
    })

  private static let list = Route(
    method: "GET", path: [root],
    act: { request, store throws(Refusal) in
      let page = try ListPage(
        of: store.files.map(\.id), request.match.query, max: request.limits.listed)
      let files = store.files[page.range].map { file in
        JSONText.object([
          ("id", .string(file.id)), ("type", .string(file.type)), ("bytes", .integer(file.count)),
          ("sha256", .optional(file.sha256)), ("kept", .bool(file.bytes != nil)),
        ])
      }
      return Outcome(
        answer: .json(200, .object([("files", .array(files)), ("next", .optional(page.next))])),
        at: request.now)
    })

  /// What is kept of a file so that ``restore(_:_:)`` has it again.
  static func kept(_ file: StoredFile, at storedAt: Int64) -> KeptRequest {
    KeptRequest(
      method: "PUT", target: file.id, type: file.type, body: file.bytes, bytes: file.count,
      sha256: file.sha256 ?? "", storedAt: storedAt)
  }

  /// False when it is no file, or there is one.
  static func restore(_ kept: KeptRequest, _ store: inout EngineStore) -> Bool {
    guard kept.target.hasPrefix("/files/"), store.file(kept.target) == nil else { return false }
    store.add(
      StoredFile(
        id: kept.target, type: kept.type ?? "application/octet-stream", count: kept.bytes,
        bytes: kept.body, sha256: kept.sha256))
    return true
  }

  private static func keep(
    _ request: WholeRequest, isID: Bool, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    guard let incoming = request.files else { throw .emptyBody }
    if let fault = incoming.fault {
      throw Refusal(status: 400, code: "bad_multipart", message: fault.description)
    }
    let path = request.match.path
    let files = incoming.files.enumerated().map { number, file in
      // Without digests nothing but its number tells it apart.
      let name = file.sha256 ?? "\(store.fileCount + number + 1)"
      return StoredFile(
        id: isID && !incoming.isForm ? path : "\(path)/\(name)", type: file.type,
        count: file.count, bytes: file.bytes, sha256: file.sha256)
    }
    try check(files, request.limits, store)

    var fresh: [StoredFile] = []
    var receipts: [JSONText] = []
    for (file, part) in zip(files, incoming.files) {
      let before = store.file(file.id)
      if before == nil {
        store.add(file)
        fresh.append(file)
      }
      let names: [(String, JSONText)] = [
        ("name", .optional(part.field)), ("filename", .optional(part.name)),
      ]
      receipts.append(
        .object(
          (incoming.isForm ? names : []) + [
            ("id", .string(file.id)), ("bytes", .integer(file.count)),
            ("sha256", .optional(file.sha256)), ("replayed", .bool(before != nil)),
            ("kept", .bool((before ?? file).bytes != nil)),
          ]))
    }
    let replay = fresh.isEmpty && !files.isEmpty
    let answer =
      incoming.isForm
      ? .object([("files", .array(receipts)), ("replayed", .bool(replay))]) : receipts[0]
    return Outcome(
      answer: .json(fresh.isEmpty ? 200 : 201, answer), at: request.now, stored: !fresh.isEmpty,
      replay: replay, files: fresh)
  }

  /// All that can be refused, before anything is stored.
  private static func check(
    _ files: [StoredFile], _ limits: EngineLimits, _ store: EngineStore
  ) throws(Refusal) {
    var fresh: [StoredFile] = []
    for file in files {
      if let stored = store.file(file.id) {
        guard stored.isSame(as: file) else { throw .contentDiffers("The file \(file.id)") }
      } else {
        fresh.append(file)
      }
    }
    guard store.fileCount + fresh.count <= limits.files else { throw .storeFull("files") }
    let bytes = fresh.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    guard store.fileBytes + bytes <= limits.filesKept else { throw .storeFull("bytes of files") }
  }
}
