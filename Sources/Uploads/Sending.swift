package import Quantities

/// How one request ended.
package enum SendResult: Hashable, Sendable {
  case answered(HTTPAnswer)
  case failed(TransportFailure)
  /// A limit cut it.
  case expired(LimitWatch.Expired)
}

/// Sends one request under its limits.
package struct Sending: Sendable {
  /// From one look at what has been acknowledged to the next: as often as a rate is sampled.
  package static let countInterval = Duration.milliseconds(250)

  private let transport: any Transport
  private let clock: any LinkClock
  private let cut: UploadPolicy.Cut

  package init(transport: any Transport, clock: any LinkClock, cut: UploadPolicy.Cut) {
    self.transport = transport
    self.clock = clock
    self.cut = cut
  }

  /// Tells `note` every event as it is read, with its time, and returns when the request has ended.
  ///
  /// `begun` is given what the request can be cut by, before any event. Nil when the task was
  /// cancelled: the request was cut with a reset.
  package func send(
    _ step: StepRequest,
    begun: @escaping @Sendable (any Exchange) async -> Void = { _ in },
    note: @escaping @Sendable (ExchangeEvent, Instant) async -> Void = { _, _ in }
  ) async -> SendResult? {
    let guardian = LimitGuardian(
      LimitWatch(step.limits, bodyBytes: step.request.bodyBytes, began: clock.now))
    let exchange = transport.begin(step.request)
    return await withTaskCancellationHandler {
      await withTaskGroup(of: Child.self) { group in
        group.addTask {
          await begun(exchange)
          return .read(await read(exchange, guardian, note))
        }
        group.addTask {
          await hold(exchange, guardian)
          return .held
        }
        if step.request.counting == .acknowledged {
          group.addTask {
            await count(exchange)
            return .held
          }
        }
        var result: SendResult?
        for await case .read(let ended) in group {
          result = ended
          group.cancelAll()
        }
        return result
      }
    } onCancel: {
      exchange.cut(.reset)
    }
  }

  private enum Child: Sendable {
    case read(SendResult?)
    case held
  }

  /// The one reader of the events.
  ///
  /// Cancellation ends the stream, and there is nothing left to read.
  private func read(
    _ exchange: any Exchange, _ guardian: LimitGuardian,
    _ note: @Sendable (ExchangeEvent, Instant) async -> Void
  ) async -> SendResult? {
    for await event in exchange.events {
      let now = clock.now
      await guardian.note(event, at: now)
      await note(event, now)
      switch event {
      case .began, .sent, .received: continue
      case .answered(let answer): return .answered(answer)
      case .failed(.cut):
        if let expired = await guardian.expired { return .expired(expired) }
        return Task.isCancelled ? nil : .failed(.cut)
      case .failed(let failure): return .failed(failure)
      }
    }
    return Task.isCancelled ? nil : .failed(.broken("it ended without an answer"))
  }

  private func count(_ exchange: any Exchange) async {
    while (try? await clock.sleep(until: clock.now + Self.countInterval)) != nil {
      exchange.count()
    }
  }

  /// Sleeps until the deadline, looks again, and cuts once it has truly passed.
  private func hold(_ exchange: any Exchange, _ guardian: LimitGuardian) async {
    while true {
      do {
        try await clock.sleep(until: await guardian.deadline)
      } catch {
        return
      }
      if await guardian.hasExpired(at: clock.now) {
        exchange.cut(cut)
        return
      }
    }
  }
}

/// The watch of one request, shared by its reader and its sleeper.
private actor LimitGuardian {
  private var watch: LimitWatch
  private(set) var expired: LimitWatch.Expired?

  init(_ watch: LimitWatch) {
    self.watch = watch
  }

  var deadline: Instant { watch.deadline }

  func note(_ event: ExchangeEvent, at now: Instant) {
    watch.note(event, at: now)
  }

  func hasExpired(at now: Instant) -> Bool {
    expired = watch.expired(at: now)
    return expired != nil
  }
}
