/// An answer of which a part was given away to be sent.
struct Answering {
  /// What the script does not let out yet.
  private(set) var rest: [UInt8] = []
  /// What the script does when that part is out.
  private(set) var deed: EngineReply.Deed.Action?
  let closes: Bool
  /// There is more of it than what was written so far, when the engine says so.
  var goesOn: Bool
  /// What the script does further on.
  private var later: EngineReply.Deed?

  init(closes: Bool, goesOn: Bool, deed: EngineReply.Deed?) {
    self.closes = closes
    self.goesOn = goesOn
    later = deed
  }

  /// As much of these bytes, the next of it, as the script lets out.
  mutating func part(of bytes: [UInt8]) -> [UInt8] {
    guard let deed = later else { return bytes }
    if goesOn, let after = deed.after, after > bytes.count {
      later?.after = after - bytes.count
      return bytes
    }
    let part = bytes.prefix(max(1, deed.after ?? .max))
    rest = Array(bytes[part.endIndex...])
    (self.deed, later) = (deed.action, nil)
    return Array(part)
  }

  /// The pause of the script is over: the rest is let out.
  mutating func release() -> [UInt8] {
    defer { (rest, deed) = ([], nil) }
    return rest
  }
}
