import ScratchHTTP

/// A request whose body is coming in, or whose answer is not out yet.
struct OpenRequest {
  /// What is known of it once its head was read.
  enum Fate {
    /// It is whole when its body is; then it is done.
    case route(Route, RouteMatch)
    /// It is answered with this.
    case answer(ServerAnswer)
  }

  var place: Ledger.Place
  var head: RequestHead
  var fate: Fate
  /// What the script does to it, until that is done.
  var deed: ScriptedDeed?
  /// The body, as far as its route keeps it.
  var body: [UInt8] = []
  /// The files that it brings, when its route takes any.
  var files: IncomingFiles?
  var count = 0
  let makeDigest: DigestMaker?
  /// Made with the first byte: most requests have no body.
  var digest: (any BodyDigest)?
  /// Of the whole body.
  var sha256: String?
  /// Bytes of the body before the engine answers without the rest; nil when it reads any length.
  var limit: Int?
  /// The answer is given away to be sent, or the script has refused one: what still comes of the
  /// body is only counted.
  var isSettled = false
  var bodyHasEnded = false

  /// Its client waits for `100 Continue`, and has sent nothing of the body.
  var isWaiting: Bool { head.expectsContinue && count == 0 && !bodyHasEnded }

  /// More came than the engine reads before it answers.
  var isOverLimit: Bool { limit.map { count > $0 } ?? false }

  /// Bytes of the body before the script acts; nil when it does not act within it.
  var bytesToDeed: Int? {
    guard case .body(let bytes) = deed?.at, bytes > count else { return nil }
    return bytes - count
  }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    guard files == nil else {
      files?.receive(bytes)
      return
    }
    if digest == nil { digest = makeDigest?() }
    digest?.update(bytes)
    guard case .route(let route, _) = fate, route.body != .none else { return }
    // At once, so that a body of many pieces is not moved again and again as it grows.
    if body.isEmpty, let declared = head.declaredBytes {
      body.reserveCapacity(min(declared, limit ?? declared))
    }
    body += bytes
  }

  /// The body has ended.
  mutating func finish() {
    bodyHasEnded = true
    // Behind an early answer it was not digested to its end.
    guard !isSettled else { return }
    files?.finish()
    sha256 = files?.sha256 ?? digest?.finish()
  }

  /// The deed, once, when it is for this phase.
  mutating func takeDeed(at phase: ScriptPhase) -> ScriptAction? {
    guard let deed, deed.at == phase else { return nil }
    self.deed = nil
    return deed.action
  }

  /// Lets the script have its part in the answer, when the deed is for a phase of that.
  mutating func script(_ reply: inout EngineReply) {
    guard let deed, case .answer(let bytes) = deed.at else { return }
    self.deed = nil
    switch deed.action {
    case .delay(let time): reply.deed = .init(after: bytes, action: .pause(time))
    case .close(let way): reply.deed = .init(after: bytes, action: .close(way, after: .zero))
    case .dribble(let pieces): reply.dribble = .init(from: bytes, pieces: pieces)
    // No file has these here (``ScriptedDeed/mismatch``).
    case .answer, .stall, .holdContinue: break
    }
  }
}
