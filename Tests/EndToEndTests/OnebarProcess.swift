import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// The built program as a real process: its words, how it ended, and what it printed.
///
/// It works in the folder of its test, in a process group of its own. One that is still running at
/// the end of this value's life is killed.
final class OnebarProcess: Sendable {
  struct Ending: Sendable {
    /// The exit code, or minus the signal that ended it.
    var code: Int32
    var output: String
    var errors: String
    var seconds: Double
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let pid: pid_t
  private let scratch: Scratch
  private let outputName: String
  private let errorsName: String
  private let started = monotonicSeconds()
  private let isOver = Atomic(false)

  private static let counter = Atomic(0)

  /// The program stands beside the test bundle that runs this, in whatever build folder.
  static var executable: String {
    get throws {
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink("/proc/self/exe", &path, path.count)
      let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
      let beside = URL(filePath: own).deletingLastPathComponent().path + "/onebar"
      guard access(beside, X_OK) == 0 else {
        throw Failure(description: "there is no program at \(beside); build the product onebar")
      }
      return beside
    }
  }

  init(
    _ words: [String], in scratch: Scratch, closing closed: [Int32] = [],
    environment: [String] = []
  ) throws {
    self.scratch = scratch
    let number = Self.counter.add(1, ordering: .relaxed).newValue
    outputName = "stdout-\(number)"
    errorsName = "stderr-\(number)"
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (descriptor, name) in [(STDOUT_FILENO, outputName), (STDERR_FILENO, errorsName)] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, "\(scratch.path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // Threads of a concurrency pool block signals, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Who runs the tests may ignore it (nohup).
    var hangUp = sigset_t()
    sigemptyset(&hangUp)
    sigaddset(&hangUp, SIGHUP)
    posix_spawnattr_setsigdefault(&attributes, &hangUp)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    // Swift sees no way to give a child its folder; env(1) goes there and becomes the program.
    let env = "/usr/bin/env"
    let temporary = "TMPDIR=\(scratch.path)/temporary"
    let all = [env, "-C", scratch.path, temporary] + environment + [try Self.executable] + words
    var pointers = all.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var pid: pid_t = 0
    let error = posix_spawn(&pid, env, &actions, &attributes, &pointers, environ)
    guard error == 0 else {
      throw Failure(description: "\(env) did not start: \(String(cString: strerror(error)))")
    }
    self.pid = pid
  }

  deinit {
    guard !isOver.load(ordering: .acquiring) else { return }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// What it has printed on standard output so far.
  var outputSoFar: String { scratch.text(of: outputName) }
  var errorsSoFar: String { scratch.text(of: errorsName) }

  /// Waits for its end.
  ///
  /// Kills it, and throws, when that does not come within the limit.
  func end(within seconds: Double = 120) async throws -> Ending {
    var status: Int32 = 0
    let cameInTime = await eventually(within: seconds) {
      waitpid(self.pid, &status, WNOHANG) == self.pid
    }
    if !cameInTime {
      kill(pid, SIGKILL)
      waitpid(pid, &status, 0)
    }
    isOver.store(true, ordering: .releasing)
    let signal = status & 0x7f
    let ending = Ending(
      code: signal == 0 ? (status >> 8) & 0xff : -signal, output: outputSoFar,
      errors: scratch.text(of: errorsName), seconds: monotonicSeconds() - started)
    guard cameInTime else {
      throw Failure(
        description: "not over after \(seconds) s; it printed:\n\(ending.output)\(ending.errors)")
    }
    return ending
  }

  /// The processes that it has started and that run.
  var children: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { Self.state(of: $0)?.parent == pid }
  }

  /// False once it has ended, whether or not anyone has collected it.
  static func isRunning(_ pid: pid_t) -> Bool {
    state(of: pid).map { $0.letter != "Z" } ?? false
  }

  /// As proc(5) has it: after the name in brackets come the state and the parent.
  private static func state(of pid: pid_t) -> (letter: Substring, parent: pid_t)? {
    guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    guard fields.count > 2, let parent = pid_t(fields[2]) else { return nil }
    return (fields[1], parent)
  }
}

/// Runs the program to its end.
func onebar(
  _ words: String..., in scratch: Scratch, within seconds: Double = 120
) async throws -> OnebarProcess.Ending {
  try await OnebarProcess(words, in: scratch).end(within: seconds)
}

/// Asks again and again until the condition holds; false when it does not within the limit.
func eventually(within seconds: Double, _ holds: () -> Bool) async -> Bool {
  let limit = monotonicSeconds() + seconds
  while !holds() {
    if monotonicSeconds() > limit { return false }
    try? await Task.sleep(for: .milliseconds(20))
  }
  return true
}
