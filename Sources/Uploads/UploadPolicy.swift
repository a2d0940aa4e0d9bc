/// Everything in which one configuration of the client differs from another, as data.
package struct UploadPolicy: Hashable, Sendable, Codable {
  /// How long a file's body may stand still.
  package enum IdleRule: Hashable, Sendable, Codable {
    case fixed(Duration)
    /// body / 15 KB/s, but at least this long.
    case fromBody(atLeast: Duration)
  }

  /// What the user is shown.
  package enum LineStyle: String, Hashable, Sendable, Codable, CaseIterable {
    case labels, live
  }

  /// How a limit ends a request: `reset` discards what the kernel still holds, `close` lets it be
  /// delivered.
  package enum Cut: String, Hashable, Sendable, Codable, CaseIterable {
    case reset, close
  }

  package var name: String
  package var idle: IdleRule
  package var ceiling: Duration
  package var line: LineStyle
  /// A drain asked for during a pass asks for one more pass; without it, the request is dropped.
  package var coalescing: Bool
  package var cut: Cut
  /// From the end of a pass to the next one that the sync loop starts.
  package var syncPause: Duration
  /// SO_SNDBUF of the client's sockets, in bytes.
  package var sendBuffer: Int

  /// The old client: one fixed idle limit, fixed labels, and a capture saved during a pass waits.
  package static let before = UploadPolicy(
    name: "before", idle: .fixed(.seconds(60)), ceiling: .seconds(180), line: .labels,
    coalescing: false, cut: .reset, syncPause: .seconds(60), sendBuffer: 16_000)

  /// The new client: limits from the body, a live line, drains coalesced.
  package static let after = UploadPolicy(
    name: "after", idle: .fromBody(atLeast: .seconds(120)), ceiling: .seconds(1_800), line: .live,
    coalescing: true, cut: .reset, syncPause: .seconds(60), sendBuffer: 16_000)

  package static let named: [UploadPolicy] = [before, after]
}
