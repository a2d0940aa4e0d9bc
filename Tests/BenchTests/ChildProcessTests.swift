import EventLoop
import Glibc
import Quantities
import TestSupport
import Testing

@testable import Bench

/// What a process that the bench starts finds of the bench's own settings: nothing.
struct ChildProcessTests {
  @Test func `a child neither blocks nor ignores what the bench does`() throws {
    let lines = inBackground { () -> Result<[String], any Error> in
      Result {
        // As the bench does.
        _ = try Interruption()
        let loop = try EventLoop(scale: TimeScale(epoch: 0, factor: 1))
        let pipe = try Pipe()
        let output = LinePipe(pipe.output, loop: loop)
        var lines: [String] = []
        try output.start { lines += $0 }
        let child = try ChildProcess(
          .init(
            arguments: ["/usr/bin/env", "grep", "-E", "SigBlk|SigIgn", "/proc/self/status"],
            descriptors: [(STDOUT_FILENO, pipe.input)]), loop: loop
        ) { _ in
          output.drain()
          loop.stop()
        }
        try loop.run()
        withExtendedLifetime(child) {}
        return lines
      }
    }.wait()
    let found = try #require(lines).get().map { $0.split(separator: " ").map(String.init) }
    #expect(found.map(\.first) == ["SigBlk:", "SigIgn:"])
    let masks = found.compactMap { $0.last }.compactMap { UInt64($0, radix: 16) }
    #expect(masks.first == 0)
    // Who runs the tests may ignore others.
    #expect(masks.last.map { $0 & 1 << UInt64(SIGPIPE - 1) } == 0)
  }
}

/// What stays of a run when it is over.
struct InterruptionTests {
  @Test func `a loop that heard of no signal is gone with those who hold it`() throws {
    let isGone = inBackground { () -> Result<Bool, any Error> in
      Result {
        let interruption = try Interruption()
        weak var left: EventLoop?
        try {
          let loop = try EventLoop(scale: .starting(factor: 1))
          left = loop
          try interruption.watch(on: loop) { [unowned loop] in loop.stop() }
          loop.schedule(at: .zero) { [unowned loop] in loop.stop() }
          try loop.run()
        }()
        return left == nil
      }
    }.wait()
    #expect(try #require(isGone).get())
  }
}

/// A folder that a killed bench left behind.
struct WorkFolderTests {
  @Test func `a folder that nobody holds any more is removed by the next`() throws {
    func leave() throws -> String {
      var template = Array("/dev/shm/onebar-XXXXXX".utf8CString)
      let made = mkdtemp(&template) != nil
      try #require(made)
      return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let (left, held, strange) = (try leave(), try leave(), try leave())
    defer { for path in [held, strange] { rmdir(path) } }
    for path in [left, held] {
      close(open("\(path)/.lock", O_CREAT | O_RDWR, 0o600))
    }
    mkdir("\(left)/client", 0o700)
    let lock = open("\(held)/.lock", O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let own: String
    do {
      let folder = try WorkFolder(inMemory: true)
      own = folder.path
      #expect(access(left, F_OK) != 0)
      #expect(access(held, F_OK) == 0 && access(strange, F_OK) == 0)
      // Its own is held while it lasts.
      _ = try WorkFolder(inMemory: true)
      #expect(access(own, F_OK) == 0)
    }
    #expect(access(own, F_OK) != 0)
    unlink("\(held)/.lock")
    close(lock)
  }

  @Test func `what a client left running, whose bench was killed, is ended by the next`() throws {
    var template = Array("/dev/shm/onebar-XXXXXX".utf8CString)
    let made = mkdtemp(&template) != nil
    try #require(made)
    let left = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Held until the client runs: another test may clear up, too.
    let lock = open("\(left)/.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let loop = try EventLoop(scale: .starting(factor: 1))
    var ending: ChildProcess.Ending?
    let child = try ChildProcess(
      .init(arguments: ["/bin/sleep", "60"], environment: ["ONEBAR_WORK=\(left)/client"]),
      loop: loop
    ) { [unowned loop] in
      ending = $0
      loop.stop()
    }
    loop.schedule(at: loop.now + .seconds(10)) { [unowned loop] in loop.stop() }
    // A process that another test starts just now has the descriptor too, until it is executed.
    flock(lock, LOCK_UN)
    close(lock)
    _ = try WorkFolder(inMemory: true)
    try loop.run()
    withExtendedLifetime(child) {}
    #expect(ending == .signalled(SIGKILL) && access(left, F_OK) != 0)
  }
}
