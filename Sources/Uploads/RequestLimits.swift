package import Quantities

/// The kinds of request that have limits of their own.
package enum RequestKind: Hashable, Sendable {
  case json
  /// A stored file coming down.
  case mediaDown
  /// A capture's file going up.
  case file(bytes: Int)
  case live
  case events
}

/// How long one request may stand still, how long it may take, and how much it may answer.
///
/// | kind | idle | ceiling | answer |
/// | -- | -- | -- | -- |
/// | JSON | 15 s | 30 s | 8 MiB |
/// | media down | 60 s | 180 s | 32 MiB |
/// | file up | by the policy | by the policy | 1 MiB |
/// | live lane | 60 s | 75 s | 1 MiB |
/// | event stream | 120 s | 900 s | 8 MiB |
///
/// From the body, idle is body / 15 KB/s and at least 120 s: 1.65 MB 120 s, 4.31 MB 287 s.
package struct RequestLimits: Hashable, Sendable {
  /// The slowest link on which a body is expected to move.
  package static let floorRate = DataRate.kilobytes(15)
  private static let mebibyte = 1_048_576

  package var idle: Duration
  package var ceiling: Duration
  /// The largest answer that is taken, in bytes.
  package var answerBytes: Int

  package init(of kind: RequestKind, under policy: UploadPolicy) {
    switch kind {
    case .json: self.init(.seconds(15), .seconds(30), mebibytes: 8)
    case .mediaDown: self.init(.seconds(60), .seconds(180), mebibytes: 32)
    case .file(let bytes):
      let idle =
        switch policy.idle {
        case .fixed(let idle): idle
        case .fromBody(let least): max(least, Self.floorRate.time(for: ByteCount(bytes)))
        }
      self.init(idle, policy.ceiling, mebibytes: 1)
    case .live: self.init(.seconds(60), .seconds(75), mebibytes: 1)
    case .events: self.init(.seconds(120), .seconds(900), mebibytes: 8)
    }
  }

  private init(_ idle: Duration, _ ceiling: Duration, mebibytes: Int) {
    self.idle = idle
    self.ceiling = ceiling
    answerBytes = mebibytes * Self.mebibyte
  }
}
