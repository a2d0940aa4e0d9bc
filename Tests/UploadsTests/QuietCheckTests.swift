import Captures
import Quantities
import Testing
import Uploads

struct QuietCheckTests {
  /// It stands where it was put.
  private struct StillClock: LinkClock {
    var now: Instant

    func sleep(until deadline: Instant) async throws {
      try Task.checkCancellation()
    }
  }

  /// Takes a request and says nothing until it is cut.
  private struct SilentTransport: Transport {
    struct Silence: Exchange {
      let events: AsyncStream<ExchangeEvent>
      let end: AsyncStream<ExchangeEvent>.Continuation

      func count() {}
      func cut(_ way: UploadPolicy.Cut) { end.finish() }
    }

    func begin(_ request: OutgoingRequest) -> any Exchange {
      let (events, end) = AsyncStream.makeStream(of: ExchangeEvent.self)
      return Silence(events: events, end: end)
    }
  }

  /// As when a device wakes, and finds that the answer is there and the check is due as well.
  @Test(.timeLimit(.minutes(1)))
  func `a check that is cancelled comes to its end, though its time has come`() async throws {
    let bench = try ClientBench()
    var (outbox, recovery) = try Outbox.open(
      ClientBench.outbox, on: bench.files, mint: IdentityMint(random: SeededRandom(seed: 1)),
      digest: { WholeDigest(ClientBench.digest) })
    let entry = try outbox.commit(
      CaptureDraft(
        capture: "photo-1", kind: .photo, timeZone: "UTC",
        files: [
          .init(
            step: .original, path: "\(ClientBench.captures)/photo-1.jpg", bytes: 431_000,
            type: "image/jpeg")
        ]), now: .zero)
    let desk = UploadDesk(
      outbox, recovery, policy: .after, clock: StillClock(now: .zero), print: { _ in },
      report: { _ in })
    await desk.keep(entry)
    _ = await desk.beginPass()
    _ = await desk.order(for: entry.id)

    let late = StillClock(now: Instant(seconds: 1_000))
    let check = QuietCheck(
      desk: desk, sending: Sending(transport: SilentTransport(), clock: late, cut: .reset),
      clock: late, linkCheck: ClientBench.StillLink(), policy: .after)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await check.watch(entry.id) }
      group.cancelAll()
    }
  }
}
