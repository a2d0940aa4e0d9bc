import EventLoop
import FoundationEssentials
import Glibc
import Synchronization
package import Uploads

/// The client's end of its talk with the bench: JSON lines over two inherited descriptors.
///
/// It owns both descriptors and keeps them from programs that the client executes. The thread that
/// reads ends at the end of the stream, at a line that is no command, or with the process.
package final class BenchChannel: Sendable {
  /// Bytes of the longest line in either direction.
  package static let lineBytesMax = 1 << 20
  /// Commands that may wait for the client; a bench that sends more has lost its way.
  package static let commandsMax = 1_024

  /// Why the commands ended before the end of the stream.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(line: Int, String)
    case lineTooLong(line: Int)
    case tooManyCommands
    case unreadable(String)

    package var description: String {
      switch self {
      case .malformed(let line, let words):
        "bench channel, line \(line): no command: \(words); bench and client must be one version"
      case .lineTooLong(let line):
        "bench channel, line \(line): longer than \(lineBytesMax) bytes"
      case .tooManyCommands:
        "bench channel: more than \(commandsMax) commands wait for the client"
      case .unreadable(let words):
        "bench channel: cannot be read: \(words); is the descriptor inherited?"
      }
    }
  }

  /// The bench's commands, for one reader.
  ///
  /// The end of the stream means that the bench has gone, and so must the client: no client
  /// outlives its bench. A ``Failure`` has been reported on standard error when it is thrown.
  package let commands: AsyncThrowingStream<BenchCommand, any Error>

  /// Nil once the bench has stopped listening.
  private let output: Mutex<Int32?>

  /// Ignores SIGPIPE for the whole process.
  package init(reading input: Int32, writing output: Int32) {
    ignoreBrokenPipes()
    for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.output = Mutex(output)
    let (commands, continuation) = AsyncThrowingStream.makeStream(
      of: BenchCommand.self, bufferingPolicy: .bufferingOldest(Self.commandsMax))
    self.commands = commands
    let reader = OwnedThread(name: "onebar-bench") {
      let failure = Self.read(from: input, into: continuation)
      close(input)
      if let failure { try? writeAll(Array("\(failure)\n".utf8), to: STDERR_FILENO) }
      continuation.finish(throwing: failure)
    }
    if let reader {
      reader.detach()
    } else {
      close(input)
      continuation.finish(throwing: Failure.unreadable("no thread to be had"))
    }
  }

  deinit {
    output.withLock { output in
      if let output { close(output) }
    }
  }

  /// Writes one report as a whole line.
  ///
  /// It is lost when the bench has gone, which the end of `commands` says too. Waits while the pipe
  /// is full: a bench reads all the time.
  package func send(_ report: BenchReport) {
    guard let line = Self.line(report) else { return }
    output.withLock { output in
      guard let descriptor = output else { return }
      do {
        try writeAll(line, to: descriptor)
      } catch {
        close(descriptor)
        output = nil
      }
    }
  }

  static func line(_ report: BenchReport) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(report) else { return nil }
    return Array(json) + [UInt8(ascii: "\n")]
  }

  /// Reads to the end of the stream; returns what ended it before.
  private static func read(
    from input: Int32, into commands: AsyncThrowingStream<BenchCommand, any Error>.Continuation
  ) -> Failure? {
    var lines = LineBuffer(lineBytesMax: lineBytesMax)
    var number = 0
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { part in
        Result { () throws(SystemFailure) in
          try retrying { Glibc.read(input, part.baseAddress, part.count) }
        }
      }
      switch count {
      case .failure(let failure): return .unreadable(failure.words)
      case .success(0):
        return lines.isWithinLine ? .malformed(line: number + 1, "it has no end") : nil
      case .success(let count):
        for line in lines.take(part[..<count]) {
          number += 1
          let command: BenchCommand
          do {
            command = try JSONDecoder().decode(BenchCommand.self, from: Data(line))
          } catch {
            return .malformed(line: number, "\(error)")
          }
          if case .dropped = commands.yield(command) { return .tooManyCommands }
        }
        if lines.isTooLong { return .lineTooLong(line: number + 1) }
      }
    }
  }
}
