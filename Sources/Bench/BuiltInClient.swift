import EventLoop
import FoundationEssentials
import Glibc
import Reports
import Uploads

/// One process of the built-in client: what it is told, what it reports, and what it shows.
///
/// It is started ahead of its time and waits, so that its start-up is no part of link time.
package final class BuiltInClient {
  /// The numbers under which the client finds the bench's pipes.
  package static let commandDescriptor: Int32 = 3
  package static let reportDescriptor: Int32 = 4

  enum Event {
    case report(BenchReport)
    case statusLines([String])
    case ended(ChildProcess.Ending)
    /// What it sent is no report; the text of the line.
    case unreadable(String)
  }

  private let loop: EventLoop
  private let commands: Descriptor
  private let reports: LinePipe
  private let lines: LinePipe
  private var process: ChildProcess?
  private let happened: (Event) -> Void

  init(
    executable: String, loop: EventLoop, happened: @escaping (Event) -> Void
  ) throws(SystemFailure) {
    let (commandPipe, reportPipe, linePipe) = (try Pipe(), try Pipe(), try Pipe())
    self.loop = loop
    self.happened = happened
    commands = commandPipe.input
    reports = LinePipe(reportPipe.output, loop: loop)
    lines = LinePipe(linePipe.output, loop: loop)
    try reports.start { for line in $0 { happened(Self.decode(line)) } }
    try lines.start { [unowned self] texts in
      // The claim behind a line is written before it.
      reports.drain()
      happened(.statusLines(texts))
    }
    process = try ChildProcess(
      .init(
        arguments: [executable, "client", "--bench"],
        descriptors: [
          (STDOUT_FILENO, linePipe.input), (Self.commandDescriptor, commandPipe.output),
          (Self.reportDescriptor, reportPipe.input),
        ]), loop: loop
    ) { [unowned self] ending in
      // What it said before it ended is still in the pipes.
      reports.drain()
      lines.drain()
      happened(.ended(ending))
    }
  }

  var isRunning: Bool { process?.ending == nil }

  func tell(_ command: BenchCommand) throws(SystemFailure) {
    guard let line = try? JSONEncoder().encode(command) else {
      preconditionFailure("every command has a JSON form")
    }
    try commands.writeAll(Array(line) + [UInt8(ascii: "\n")])
  }

  /// Ends it at once (SIGKILL).
  func kill() {
    process?.kill()
  }

  private static func decode(_ line: String) -> Event {
    guard let report = try? JSONDecoder().decode(BenchReport.self, from: Data(line.utf8)) else {
      return .unreadable(line)
    }
    return .report(report)
  }
}
