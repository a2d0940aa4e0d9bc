import Captures
import Glibc
import Quantities
package import Uploads

/// The built-in client as a process of its own, told what to do by the bench.
package enum ClientProcess {
  /// Works until the bench says stop, or is gone; returns the exit status.
  ///
  /// It gets ready and then touches nothing until it is told to go, so that its start-up is no part
  /// of link time.
  package static func run(commandsFrom reading: Int32, reportsTo writing: Int32) async -> Int32 {
    let channel = BenchChannel(reading: reading, writing: writing)
    let printer = StatusPrinter()
    var commands = channel.commands.makeAsyncIterator()
    do {
      guard case .prepare(let setup) = try await commands.next() else { return 0 }
      let transport = CurlTransport(
        engine: setup.engine, refusedBuffer: { channel.send(.sendBuffer(granted: $0)) })
      defer { transport.shutdown() }
      channel.send(.ready)
      guard case .go(let scale) = try await commands.next() else { return 0 }
      let run = UploadRun(
        setup: setup, timeZone: timeZone, transport: transport, fileSystem: PosixFileSystem(),
        clock: ScaledClock(scale), linkCheck: ToldLinkCheck(), facts: facts,
        digest: { SHA256Digest() }, print: { printer.print($0) }, report: { channel.send($0) })
      try await run.run(channel.commands)
      return 0
    } catch {
      let words = Array("onebar client: \(error)\n".utf8)
      write(STDERR_FILENO, words, words.count)
      return 1
    }
  }

  /// A run is the same on every machine, so the zone of this one does not enter.
  package static let timeZone = "Etc/UTC"

  /// What a photo's own head says of it.
  package static let facts: CameraFactsReading = { head in
    let facts = PhotoFacts(jpeg: head)
    return CameraFacts(taken: facts.capturedAt, place: facts.place)
  }
}

extension SHA256Digest: FileDigest {}
