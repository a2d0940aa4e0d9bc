import EventLoop
import Glibc
import Quantities
import TestSupport
import Testing

@testable import Bench

/// What is read of a program that may print anything.
struct LinePipeTests {
  /// Writes the pieces, `pause` apart, and gives the lines of each look at the pipe.
  private func lines(
    _ pieces: [String], pause: Duration = .milliseconds(40), screen: LinePipe.Screen
  ) throws -> (lines: [String], isCut: Bool) {
    let read = inBackground { () -> Result<(lines: [String], isCut: Bool), any Error> in
      Result {
        let loop = try EventLoop(scale: .starting(factor: 1))
        let pipe = try Pipe()
        let output = LinePipe(pipe.output, loop: loop, screen: screen)
        var lines: [String] = []
        try output.start { lines += $0 }
        for (number, piece) in pieces.enumerated() {
          loop.schedule(at: .zero + pause * number) { try? pipe.input.writeAll(Array(piece.utf8)) }
        }
        loop.schedule(at: .zero + pause * pieces.count) {
          output.close()
          loop.stop()
        }
        try loop.run()
        return (lines, output.isCut)
      }
    }.wait()
    return try #require(read).get()
  }

  @Test func `a text without a line end counts as shown once it has stood, and is shown once`()
    throws
  {
    let screen = LinePipe.Screen(standing: .milliseconds(5), bytesMax: 1_000)
    let read = try lines(["1 %", "\r2", "0 %", "\r\n30 %\n"], screen: screen)
    #expect(read.lines == ["1 %", "2", "20 %", "30 %"])
    #expect(!read.isCut)
  }

  @Test func `the same text again and again is one line, and what is too much is thrown away`()
    throws
  {
    let screen = LinePipe.Screen(standing: .seconds(60), bytesMax: 20)
    let read = try lines(["a\na\na\nb\n", "c\n", "0123456789abcdef\n"], screen: screen)
    #expect(read.lines == ["a", "b", "c"])
    #expect(read.isCut)
  }

  @Test func `what somebody writes as fast as it is read is left behind in the end`() throws {
    let read = inBackground { () -> Result<Int, any Error> in
      Result {
        let loop = try EventLoop(scale: .starting(factor: 1))
        let pipe = try Pipe()
        let output = LinePipe(
          pipe.output, loop: loop, screen: LinePipe.Screen(standing: .seconds(60), bytesMax: 1_000))
        try output.start { _ in }
        let zeros = try ChildProcess(
          .init(
            arguments: ["/bin/cat", "/dev/zero"], descriptors: [(STDOUT_FILENO, pipe.input)]),
          loop: loop
        ) { _ in }
        output.drain()
        return withExtendedLifetime(zeros) { output.bytesRead }
      }
    }.wait()
    #expect(try #require(read).get() <= LinePipe.capacityMax + 4_096)
  }
}
