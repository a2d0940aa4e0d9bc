package import Captures

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

  /// Which bytes of a body count: for limits, for the rate and for the line.
  package enum Counting: String, Hashable, Sendable, Codable, CaseIterable {
    /// Those that the socket has taken, which says nothing of the path.
    case handedOver = "handed over"
    /// Those that the peer's kernel has acknowledged: what this device still holds is not counted.
    case acknowledged
  }

  /// Which client it is.
  package enum Client: String, Hashable, Sendable, Codable, CaseIterable {
    /// It keeps what is saved in an outbox, and sends until all has landed.
    case outbox
    /// A web page that keeps it in memory, sends files as they were picked, and tries again only
    /// when its user asks for it.
    case card

    /// Whether it sends the file of that step, if a capture has it: what is picked has no copy.
    package func sends(_ step: StepName) -> Bool { self == .outbox || step != .copy }
  }

  /// In which order a pass sends.
  package enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// As it was captured, and a copy before its original.
    case capture
    case newestFirst = "newest-first"
    /// As it was captured, and an original before its copy.
    case originalFirst = "original-first"
  }

  /// What a refusal for good means that is not in this engine's own words, such as a portal's page:
  /// it parks the entry, or the entry waits as after any other failure.
  package enum Strangers: String, Hashable, Sendable, Codable, CaseIterable {
    case park, wait
  }

  package var name: String
  package var client = Client.outbox
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
  /// A retry goes on after the steps that have landed; without it, every pass starts from the record.
  package var doneSet = true
  /// A retry names what it sends by the ids that were minted at the commit; without it, every try of
  /// a step mints its own.
  package var stableIDs = true
  package var order = Order.capture
  /// An entry whose file the ceiling has cut is held, until the user sends it or the link has shown
  /// the rate that it needs.
  package var holdsSlow = false
  /// An entry whose file is refused, whole, again and again rests for longer and longer.
  package var backsOff = false
  package var strangers = Strangers.park
  package var counting = Counting.handedOver
  /// How the status line writes its figures; of this device rather than of the client.
  package var numbers = NumberStyle.point

  /// The old client: one fixed idle limit, fixed labels, and a capture saved during a pass waits.
  package static let before = UploadPolicy(
    name: "before", idle: .fixed(.seconds(60)), ceiling: .seconds(180), line: .labels,
    coalescing: false, cut: .reset, syncPause: .seconds(60), sendBuffer: 16_000)

  /// The new client: limits from the body, a live line, drains coalesced.
  package static let after = UploadPolicy(
    name: "after", idle: .fromBody(atLeast: .seconds(120)), ceiling: .seconds(1_800), line: .live,
    coalescing: true, cut: .reset, syncPause: .seconds(60), sendBuffer: 16_000)

  /// The new client, and what it still lacks: it does not send a whole file in vain again and again, and
  /// counts what has left this device.
  package static let beyond = {
    var policy = after
    policy.name = "beyond"
    policy.holdsSlow = true
    policy.backsOff = true
    policy.strangers = .wait
    policy.counting = .acknowledged
    return policy
  }()

  package static let named: [UploadPolicy] = [before, after, beyond]
}
