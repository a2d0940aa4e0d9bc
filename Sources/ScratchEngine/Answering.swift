import ScratchHTTP

/// An answer of which a part was given away to be sent.
struct Answering {
  /// What the script does not let out yet.
  private(set) var rest: ArraySlice<UInt8> = []
  /// What the script does when that part is out.
  private(set) var deed: EngineReply.Deed.Action?
  let closes: Bool
  /// It is an answer once all of it is out.
  let isWhole: Bool
  /// There is more of it than what was written so far, when the engine says so.
  var goesOn: Bool
  /// What the script does further on.
  private var later: EngineReply.Deed?
  private let pieces: ScriptedDribble?
  /// Bytes that are let out in one piece before it dribbles.
  private var atOnce: Int

  init(_ reply: EngineReply, closes: Bool, goesOn: Bool) {
    self.closes = closes
    isWhole = reply.answer.isWhole
    self.goesOn = goesOn
    later = reply.deed
    pieces = reply.dribble?.pieces
    atOnce = reply.dribble?.from ?? 0
  }

  /// As much of these bytes, the next of it, as the script lets out.
  mutating func part(of bytes: [UInt8]) -> [UInt8] {
    (rest, deed) = (bytes[...], nil)
    if let pieces { return piece(of: pieces) }
    if let after = later?.after, after > bytes.count {
      // An answer that is no longer never comes to that place.
      if goesOn { later?.after = after - bytes.count } else { later = nil }
      return release()
    }
    let part = rest.prefix(later?.after ?? .max)
    rest = rest[part.endIndex...]
    (deed, later) = (later?.action, nil)
    return Array(part)
  }

  /// The pause of the script is over: what comes next is let out.
  mutating func release() -> [UInt8] {
    if let pieces { return piece(of: pieces) }
    defer { (rest, deed) = ([], nil) }
    return Array(rest)
  }

  private mutating func piece(of pieces: ScriptedDribble) -> [UInt8] {
    let part = rest.prefix(atOnce > 0 ? atOnce : pieces.bytes)
    rest = rest[part.endIndex...]
    atOnce -= min(atOnce, part.count)
    if rest.isEmpty, !goesOn {
      (deed, later) = (later?.action, nil)
    } else {
      deed = atOnce > 0 ? nil : .pause(pieces.every)
    }
    return Array(part)
  }
}
