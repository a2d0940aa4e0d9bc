package import Quantities

/// The whole client, from the recovery of its outbox to the command to stop.
///
/// Everything that it touches is given to it, and everything that it starts ends with ``run(_:)``.
package struct UploadRun: Sendable {
  /// From one look at the clock, for the lines that it has changed, to the next.
  package static let tick = Duration.milliseconds(500)

  private let setup: ClientSetup
  private let timeZone: String
  private let wallClock: WallClock
  private let transport: any Transport
  private let fileSystem: any FileSystem
  private let clock: any LinkClock
  private let linkCheck: any LinkCheck
  private let facts: CameraFactsReading
  private let digest: FileDigestMaking
  private let print: @Sendable (String) -> Void
  private let report: @Sendable (BenchReport) -> Void

  /// Takes everything that the client touches.
  ///
  /// `timeZone` is this device's, as an identifier; `wallClock` is its clock at link time 0. `print` is given each new status line, `report` what the bench is told.
  package init(
    setup: ClientSetup, timeZone: String, wallClock: WallClock = WallClock(),
    transport: any Transport, fileSystem: any FileSystem, clock: any LinkClock,
    linkCheck: any LinkCheck, facts: @escaping CameraFactsReading,
    digest: @escaping FileDigestMaking, print: @escaping @Sendable (String) -> Void,
    report: @escaping @Sendable (BenchReport) -> Void
  ) {
    self.setup = setup
    self.timeZone = timeZone
    self.wallClock = wallClock
    self.transport = transport
    self.fileSystem = fileSystem
    self.clock = clock
    self.linkCheck = linkCheck
    self.facts = facts
    self.digest = digest
    self.print = print
    self.report = report
  }

  /// Works until the command to stop, or the end of the commands; a request in flight is cut.
  ///
  /// Throws when the outbox cannot be opened. `prepare` and `go` are for who makes this value.
  package func run<Commands: AsyncSequence & Sendable>(
    _ commands: Commands
  ) async throws(FileSystemError) where Commands.Element == BenchCommand {
    let mint = IdentityMint(
      random: SeededRandom(seed: setup.seed).fork("ids"), clock: wallClock)
    let (store, recovery) = try open(mint)
    let desk = UploadDesk(
      store, recovery, policy: setup.policy, clock: clock, print: print, report: report)
    await desk.open(recovery)

    let bell = Bell()
    let told = ToldLink(otherwise: linkCheck)
    let sending = Sending(transport: transport, clock: clock, cut: setup.policy.cut)
    let drain = Drain(
      desk: desk, sending: sending, bell: bell, clock: clock, linkCheck: told, policy: setup.policy)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await drain.run() }
      group.addTask { await tick(desk) }
      // The commands are read here, by this task alone; their end is the end of the others.
      await obey(commands, desk, bell, told, &group)
      group.cancelAll()
    }
  }

  private func open(
    _ mint: IdentityMint
  ) throws(FileSystemError) -> (any EntryStore, Outbox.Recovery) {
    switch setup.policy.client {
    case .outbox:
      try Outbox.open(
        setup.outbox, on: fileSystem, mint: mint, digest: digest, copiesMax: setup.deviceCopies)
    case .card:
      (
        CardMemory(picking: setup.captures, on: fileSystem, mint: mint, digest: digest),
        Outbox.Recovery()
      )
    }
  }

  private func obey<Commands: AsyncSequence & Sendable>(
    _ commands: Commands, _ desk: UploadDesk, _ bell: Bell, _ told: ToldLink,
    _ group: inout TaskGroup<Void>
  ) async where Commands.Element == BenchCommand {
    let intake = CaptureIntake(
      fileSystem: fileSystem, folder: setup.captures, timeZone: timeZone, facts: facts)
    do {
      for try await command in commands {
        switch command {
        case .save(let capture, let keptAt):
          let entry = await commit(capture, at: max(keptAt, clock.now), intake, desk)
          guard let entry else { break }
          if keptAt <= clock.now {
            await keep(entry, desk, bell)
          } else {
            group.addTask {
              // When the client ends first, the entry waits in the outbox for the next one.
              guard (try? await clock.sleep(until: keptAt)) != nil else { return }
              await keep(entry, desk, bell)
            }
          }
        case .refresh:
          await desk.askForDrain()
          await bell.ring()
        case .sendNow(let name):
          await desk.sendNow(name)
          report(.obeyed)
          await bell.ring()
        case .discard(let name):
          await desk.discard(name)
          report(.obeyed)
        case .link(let state): await told.tell(state)
        case .wallClock(let ahead): await desk.setWallClock(ahead: ahead)
        case .prepare, .go: break
        case .stop: return
        }
      }
    } catch {
      // A channel that breaks has nothing more to say; who reads it reports why.
    }
  }

  private func commit(
    _ capture: String, at time: Instant, _ intake: CaptureIntake, _ desk: UploadDesk
  ) async -> OutboxEntry? {
    do throws(SaveFailure) {
      return await desk.commit(try intake.draft(of: capture), at: time)
    } catch {
      await desk.notSaved(capture, error.description)
      return nil
    }
  }

  private func keep(_ entry: OutboxEntry, _ desk: UploadDesk, _ bell: Bell) async {
    await desk.keep(entry)
    await bell.ring()
  }

  /// Keeps the lines moving, and measures how late the client's timers are.
  private func tick(_ desk: UploadDesk) async {
    var worst = Duration.zero
    while true {
      let next = await desk.nextTick(every: Self.tick)
      do {
        try await clock.sleep(until: next)
      } catch {
        return
      }
      let late = clock.now - next
      if late > worst {
        worst = late
        report(.late(late))
      }
      await desk.tick()
    }
  }
}

/// The link as the bench tells it, once it has told; what the given check finds before.
private actor ToldLink: LinkCheck {
  private let otherwise: any LinkCheck
  private var told: LinkState?

  init(otherwise: any LinkCheck) {
    self.otherwise = otherwise
  }

  func tell(_ state: LinkState) { told = state }

  func state() async -> LinkState {
    if let told { return told }
    return await otherwise.state()
  }
}
