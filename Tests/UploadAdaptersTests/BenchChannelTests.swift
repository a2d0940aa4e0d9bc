import Captures
import EventLoop
import FoundationEssentials
import Glibc
import Quantities
import Testing
import Uploads

@testable import UploadAdapters

@Suite(.timeLimit(.minutes(1)))
struct BenchChannelTests {
  /// A pipe for each direction; the test plays the bench.
  struct Pipes {
    var commands: (read: Int32, write: Int32)
    var reports: (read: Int32, write: Int32)

    init() throws {
      func make() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        try retrying { pipe(&ends) }
        return (ends[0], ends[1])
      }
      commands = try make()
      reports = try make()
    }

    func channel() -> BenchChannel {
      BenchChannel(reading: commands.read, writing: reports.write)
    }
  }

  func json(_ command: BenchCommand) throws -> [UInt8] {
    Array(try JSONEncoder().encode(command)) + [UInt8(ascii: "\n")]
  }

  @Test func `commands come in order, however they are cut, and end with the stream`()
    async throws
  {
    let sent: [BenchCommand] = [
      .prepare(
        ClientSetup(
          policy: .after, engine: "http://127.0.0.1:1", outbox: "/o", captures: "/c", seed: .max)),
      .go(TimeScale(epoch: 12_345_678_901_234, factor: 60)), .save(capture: "photo \n 1"),
      .refresh, .link(.down), .wallClock(ahead: .seconds(-3_600)), .stop,
    ]
    let pipes = try Pipes()
    let channel = pipes.channel()
    let bytes = try sent.flatMap(json)
    for start in stride(from: 0, to: bytes.count, by: 7) {
      try writeAll(Array(bytes[start..<min(start + 7, bytes.count)]), to: pipes.commands.write)
    }
    close(pipes.commands.write)
    var got: [BenchCommand] = []
    for try await command in channel.commands { got.append(command) }
    #expect(got == sent)
    close(pipes.reports.read)
  }

  @Test func `reports are whole lines from any number of tasks`() async throws {
    let pipes = try Pipes()
    do {
      let channel = pipes.channel()
      await withTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<20 {
              channel.send(
                .began(capture: "photo/\(task)", step: .copy, attempt: number))
            }
          }
        }
      }
      close(pipes.commands.write)
      for try await _ in channel.commands {}
    }
    // The channel has closed its end, so that this ends.
    let bytes = Peerless.readAll(pipes.reports.read)
    close(pipes.reports.read)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let reports = try lines.map { try JSONDecoder().decode(BenchReport.self, from: Data($0)) }
    #expect(reports.count == 160)
    #expect(Set(reports).count == 160)
    #expect(bytes.last == UInt8(ascii: "\n"))
    #expect(String(decoding: lines[0], as: UTF8.self).contains(#""capture":"photo/"#))
  }

  @Test(arguments: [
    ("{\"refresh\":{}}\n{\"dance\":{}}\n", 2), ("{\"refresh\":{}}\n{\"refresh\":", 2), ("\n", 1),
  ])
  func `a line that is no command ends the commands with its number`(
    text: String, line: Int
  ) async throws {
    let pipes = try Pipes()
    let channel = pipes.channel()
    try writeAll(Array(text.utf8), to: pipes.commands.write)
    close(pipes.commands.write)
    var got: [BenchCommand] = []
    do {
      for try await command in channel.commands { got.append(command) }
      Issue.record("no error")
    } catch let failure as BenchChannel.Failure {
      guard case .malformed(line, _) = failure else { throw failure }
      #expect("\(failure)".hasPrefix("bench channel, line \(line): no command: "))
    }
    #expect(got == Array(repeating: .refresh, count: line - 1))
    close(pipes.reports.read)
  }

  @Test func `a line and a heap of commands have their limits`() async throws {
    let long = try Pipes()
    let channel = long.channel()
    let write = long.commands.write
    let writer = OwnedThread(name: "test-writer") {
      try? writeAll([UInt8](repeating: 32, count: BenchChannel.lineBytesMax + 1), to: write)
    }
    await #expect(throws: BenchChannel.Failure.lineTooLong(line: 1)) {
      for try await _ in channel.commands {}
    }
    writer?.join()
    close(write)
    close(long.reports.read)

    let many = try Pipes()
    let flooded = many.channel()
    let line = try json(.refresh)
    for _ in 0...BenchChannel.commandsMax { try writeAll(line, to: many.commands.write) }
    // Nobody reads before the last has come.
    try await pause(.milliseconds(200))
    await #expect(throws: BenchChannel.Failure.tooManyCommands) {
      for try await _ in flooded.commands {}
    }
    close(many.commands.write)
    close(many.reports.read)
  }

  @Test func `a bench that has gone is no error for a report`() async throws {
    let pipes = try Pipes()
    let channel = pipes.channel()
    close(pipes.reports.read)
    channel.send(.ready)
    channel.send(.passed)
    close(pipes.commands.write)
    for try await _ in channel.commands {}
  }

  @Test func `a descriptor that is none ends the commands with an error`() async throws {
    let channel = BenchChannel(reading: -1, writing: -1)
    await #expect(throws: BenchChannel.Failure.unreadable("Bad file descriptor")) {
      for try await _ in channel.commands {}
    }
  }
}

/// Reads of a pipe.
enum Peerless {
  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(descriptor, &part, part.count), count > 0 {
      bytes += part[..<count]
    }
    return bytes
  }
}
