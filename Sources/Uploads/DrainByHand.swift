import Quantities

/// The client by hand: drains one outbox, and takes up what is added to it meanwhile.
///
/// What it decides is decided by the same desk and passes as in a run of the bench.
package struct DrainByHand: Sendable {
  /// When it is over by itself.
  package enum Extent: Hashable, Sendable {
    /// After one pass, and those that were asked for while it ran.
    case onePass
    /// When everything has landed or is parked; the sync loop comes back until then.
    case untilSettled
    case untilStopped
  }

  package enum Event: Sendable {
    /// The outbox is open, and this is in it.
    case opened(Outbox.Recovery)
    case added([OutboxEntry])
    case report(BenchReport)
    /// A line that stays: what has become of an entry, or of none in particular.
    case said(String)
    case glance(QueueGlance)
  }

  package struct Ending: Hashable, Sendable {
    package var landed: Int
    package var left: Int
    package var parked: Int
    /// Something else than the engine answers at its address; nothing was sent.
    package var stranger: Int?
    /// Ended from outside.
    package var isStopped: Bool
  }

  /// From one look at the queue and at the outbox to the next.
  private static let look = Duration.milliseconds(250)
  /// Looks at the queue for one at the names in the folder.
  private static let looksPerListing = 4

  private let folder: String
  private let policy: UploadPolicy
  private let extent: Extent
  private let mint: IdentityMint
  private let transport: any Transport
  private let fileSystem: any FileSystem
  private let clock: any LinkClock
  private let linkCheck: any LinkCheck
  private let digest: FileDigestMaking
  private let tell: @Sendable (Event) -> Void

  package init(
    folder: String, policy: UploadPolicy, extent: Extent, mint: IdentityMint,
    transport: any Transport, fileSystem: any FileSystem, clock: any LinkClock,
    linkCheck: any LinkCheck, digest: @escaping FileDigestMaking,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    self.folder = folder
    self.policy = policy
    self.extent = extent
    self.mint = mint
    self.transport = transport
    self.fileSystem = fileSystem
    self.clock = clock
    self.linkCheck = linkCheck
    self.digest = digest
    self.tell = tell
  }

  /// Works until its extent is reached, or the task is cancelled: a request in flight is then cut.
  ///
  /// Throws when the outbox cannot be opened, or another process drains it.
  package func run() async throws -> Ending {
    let (outbox, recovery) = try await Outbox.openShared(
      folder, on: fileSystem, mint: mint, digest: digest, clock: clock)
    tell(.opened(recovery))
    let desk = UploadDesk(
      outbox, recovery, policy: policy, clock: clock, print: { _ in },
      lasting: { [tell] in tell(.said($0)) }, report: { [tell] in tell(.report($0)) })
    let sending = Sending(transport: transport, clock: clock, cut: policy.cut)
    var total = recovery.entries.count
    var stranger: Int?
    do {
      if await desk.glance().left > 0 || extent == .untilStopped {
        stranger = try await meet(sending)
      }
      if stranger == nil {
        await desk.open(recovery)
        try await drain(desk, sending, &total)
      }
    } catch is CancellationError {
      return await ending(desk, total, isStopped: true)
    }
    return await ending(desk, total, stranger: stranger)
  }

  private func ending(
    _ desk: UploadDesk, _ total: Int, stranger: Int? = nil, isStopped: Bool = false
  ) async -> Ending {
    let last = await desk.glance()
    return Ending(
      landed: total - last.left - last.parked, left: last.left, parked: last.parked,
      stranger: stranger, isStopped: isStopped)
  }

  /// Asks who is at the engine's address, before anything is sent there.
  ///
  /// A stranger would be given photos, and its refusals would park them all; so its status is
  /// returned, and nothing sent. Who does not answer may be the engine, and the passes go on trying.
  private func meet(_ sending: Sending) async throws -> Int? {
    guard let result = await sending.send(StepRequest(healthUnder: policy)) else {
      throw CancellationError()
    }
    if case .stranger(let status) = QuietFinding.Engine(health: result) { return status }
    return nil
  }

  private func drain(_ desk: UploadDesk, _ sending: Sending, _ total: inout Int) async throws {
    let bell = Bell()
    let drain = Drain(
      desk: desk, sending: sending, bell: bell, clock: clock, linkCheck: linkCheck, policy: policy)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await drain.run() }
      defer { group.cancelAll() }
      for looks in 1... {
        let now = await desk.glance()
        tell(.glance(now))
        if isOver(now) { return }
        try await clock.sleep(until: clock.now + Self.look)
        guard looks % Self.looksPerListing == 0 else { continue }
        let added = try await desk.takeUpNewcomers()
        guard !added.isEmpty else { continue }
        total += added.count
        tell(.added(added))
        await bell.ring()
      }
    }
  }

  private func isOver(_ now: QueueGlance) -> Bool {
    switch extent {
    case .onePass: now.isAtRest
    case .untilSettled: now.isAtRest && now.left == 0
    case .untilStopped: false
    }
  }
}
