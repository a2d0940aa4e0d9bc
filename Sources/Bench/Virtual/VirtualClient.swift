import Captures
import Quantities
import UploadAdapters
import Uploads

/// One life of the built-in client in the virtual world: the same code as in its own process, on
/// the thread of the virtual time.
final class VirtualClient {
  /// What it does that the bench sees.
  struct Events {
    var report: @Sendable (BenchReport) -> Void
    var statusLine: @Sendable (String) -> Void
    /// It has ended by itself, or as it was told; the words are those for how a process ends.
    var ended: @Sendable (String) -> Void
  }

  private let life = ClientLife()
  private let task: Task<Void, Never>
  private let done = ClientLife()
  private let commands: AsyncStream<BenchCommand>.Continuation
  private let network: VirtualNetwork
  private let disk: any VirtualDisk

  init(
    _ setup: ClientSetup, time: VirtualTime, network: VirtualNetwork, disk: any VirtualDisk,
    parts: VirtualParts, events: Events
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: BenchCommand.self)
    let (life, done) = (life, done)
    let files = parts.fileSystem(LivingFileSystem(disk: disk, life: life))
    let run = UploadRun(
      setup: setup, timeZone: ClientProcess.timeZone,
      transport: parts.transport(VirtualTransport(network, disk: files, life: life)),
      fileSystem: files,
      clock: time, linkCheck: ToldLinkCheck(), facts: ClientProcess.facts,
      digest: { SHA256Digest() },
      print: { if !life.isOver { events.statusLine(StatusPrinter.printed($0)) } },
      report: { if !life.isOver { events.report($0) } })
    commands = continuation
    self.network = network
    self.disk = disk
    task = time.start {
      let words: String
      do {
        try await run.run(stream)
        words = "with exit status 0"
      } catch {
        words = "with exit status 1: \(error)"
      }
      done.end()
      if !life.isOver { events.ended(words) }
    }
  }

  /// All of its tasks have ended.
  var hasEnded: Bool { done.isOver }

  func tell(_ command: BenchCommand) {
    commands.yield(command)
  }

  /// Ends it at once (SIGKILL): nothing that it does from now on has an effect, and its kernel
  /// closes its connections.
  func kill() {
    guard !life.isOver else { return }
    life.end()
    network.abandon()
    disk.crash()
    commands.finish()
    task.cancel()
  }
}
