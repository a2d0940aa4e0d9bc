/// The four parts of the bytes that came up the wire.
package struct WireSplit: Hashable, Sendable {
  /// Body bytes of the attempt that was stored first.
  package var useful = 0
  /// Of later attempts at what was stored.
  package var repeated = 0
  /// Of attempts that were never stored.
  package var abandoned = 0
  /// Everything else: heads, small calls, framing.
  package var overhead = 0
}

extension Ledger {
  /// What the body bytes of a request were for; nil when it sent no file.
  ///
  /// Content counts, not ids: what was stored under one id and again under another is repeated.
  /// An attempt that was cut shows no content: it is repeated when it began after the one that
  /// stored its id, and abandoned otherwise, also where it has no id. A whole attempt at other content (422) is abandoned.
  package enum Use: String, Hashable, Sendable {
    case useful, repeated, abandoned
  }

  /// What means one content, whoever sends it again.
  private enum FileName: Hashable {
    case media(String, of: String?)
    case upload(String)
  }

  /// The use of each request, in the order of ``requests``.
  package var uses: [Use?] {
    // Which request stored a content, and a name, first; only looked up.
    var firstByContent: [FileContent: Int] = [:]
    var firstByName: [FileName: Int] = [:]
    for place in storing {
      guard let content = FileContent(requests[place]) else { continue }
      if firstByContent[content] == nil { firstByContent[content] = place }
      if let name = name(place), firstByName[name] == nil { firstByName[name] = place }
    }
    return requests.indices.map { place in
      let request = requests[place]
      guard request.sendsFile else { return nil }
      let first =
        if let content = FileContent(request) {
          firstByContent[content]
        } else {
          name(place).flatMap { firstByName[$0] }
        }
      if request.stored { return place == first ? .useful : .repeated }
      if request.replay { return .repeated }
      guard let first else { return .abandoned }
      return place > first ? .repeated : .abandoned
    }
  }

  private func name(_ place: Int) -> FileName? {
    let request = requests[place]
    if let upload = request.upload { return upload.isID ? .upload(upload.name) : nil }
    return request.media.map { .media($0, of: request.moment) }
  }

  /// The parts of all bytes that came up the wire.
  package var split: WireSplit {
    var split = WireSplit()
    for (request, use) in zip(requests, uses) {
      switch use {
      case .useful: split.useful += request.bodyBytes
      case .repeated: split.repeated += request.bodyBytes
      case .abandoned: split.abandoned += request.bodyBytes
      case nil: continue
      }
    }
    split.overhead = received - split.useful - split.repeated - split.abandoned
    return split
  }
}
