import CLinux
import EventLoop
import FoundationEssentials
import Glibc

/// A process that the bench started, watched on an event loop until it ends.
///
/// It has a process group of its own, so that Ctrl-C at the terminal reaches the bench alone, which
/// ends it in order; and no descriptor of the bench but those it is given.
final class ChildProcess {
  enum Ending: Hashable {
    case exited(Int32)
    case signalled(Int32)

    var words: String {
      switch self {
      case .exited(let status): "with exit status \(status)"
      case .signalled(let signal): "by signal \(signal)"
      }
    }
  }

  /// How a process is started.
  struct Launch {
    /// The first one is the path of the program.
    var arguments: [String]
    /// The child's numbers, and the bench's ends for them.
    var descriptors: [(child: Int32, Descriptor)] = []
    /// `NAME=value`; nil for that of the bench.
    var environment: [String]?
    /// Where it works; nil for where the bench does.
    var folder: String?
    /// It leads a session, not only a process group.
    var leadsSession = false
    /// The terminal that it controls then, its standard output and errors.
    var terminal: String?
  }

  /// Seconds of the processors that a process took which has ended, and its own children that it waited
  /// for.
  struct Usage: Hashable {
    var userSeconds = 0.0
    var systemSeconds = 0.0
  }

  let pid: pid_t
  private(set) var ending: Ending?
  /// Nil until it has ended.
  private(set) var usage: Usage?
  private let loop: EventLoop
  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?

  init(
    _ launch: Launch, loop: EventLoop, ended: @escaping (Ending) -> Void
  ) throws(SystemFailure) {
    self.loop = loop
    pid = try Self.spawn(launch)
    do {
      descriptor = try Descriptor(CLinux_pidfdOpen(pid), doing: "watching a process")
    } catch {
      Self.end(pid)
      throw error
    }
    watch = try loop.watch(descriptor, for: .readable) { [weak self] _ in
      guard let self, let ending = collect() else { return }
      ended(ending)
    }
  }

  deinit {
    if ending == nil { Self.end(pid) }
    if let watch { loop.unwatch(watch) }
  }

  /// Ends it at once, whatever it is doing.
  func kill() {
    if ending == nil { Glibc.kill(pid, SIGKILL) }
  }

  /// The most memory that it has held since it was executed, in bytes; nil once it has ended.
  var memoryPeak: Int? {
    // A line of proc(5) is "VmHWM:    10240 kB", and the kernel's kB have 1,024 bytes.
    FileManager.default.contents(atPath: "/proc/\(pid)/status")
      .map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst().first
      .flatMap { Int($0) }.map { $0 * 1_024 }
  }

  private static func end(_ pid: pid_t) {
    Glibc.kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  private func collect() -> Ending? {
    var status: Int32 = 0
    var used = rusage()
    guard ending == nil, wait4(pid, &status, WNOHANG, &used) == pid else { return nil }
    // Of memory it has the bench's own too, as it was when the process was made.
    usage = Usage(userSeconds: used.ru_utime.seconds, systemSeconds: used.ru_stime.seconds)
    if let watch { loop.unwatch(watch) }
    watch = nil
    let signal = status & 0x7f
    let ending = signal == 0 ? Ending.exited((status >> 8) & 0xff) : .signalled(signal)
    self.ending = ending
    return ending
  }

  private static func spawn(_ launch: Launch) throws(SystemFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if let folder = launch.folder { CLinux_spawnFolder(&actions, folder) }
    // The first terminal that the leader of a session opens is the one that it controls.
    if let terminal = launch.terminal {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    }
    for (child, descriptor) in launch.descriptors {
      posix_spawn_file_actions_adddup2(&actions, descriptor.number, child)
    }
    // Signals that the bench reads from a descriptor are blocked in it; they must not be here.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // What the bench ignores would stay ignored in the program that is executed.
    var brokenPipes = sigset_t()
    sigemptyset(&brokenPipes)
    sigaddset(&brokenPipes, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &brokenPipes)
    posix_spawnattr_setpgroup(&attributes, 0)
    // The leader of a session leads a group of its own, too.
    let isolation = launch.leadsSession ? CLinux_spawnSession : Int(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(
      &attributes, Int16(Int(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | isolation))

    let arguments = CStrings(launch.arguments)
    let environment = launch.environment.map(CStrings.init)
    var pid: pid_t = 0
    let error = posix_spawn(
      &pid, launch.arguments[0], &actions, &attributes, arguments.pointers,
      environment?.pointers ?? environ)
    withExtendedLifetime((arguments, environment)) {}
    guard error == 0 else { throw SystemFailure("starting \(launch.arguments[0])", code: error) }
    return pid
  }
}

/// Texts as C takes a list of them, with a null at its end.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: count + 1)
    for (place, text) in texts.enumerated() { (pointers + place).initialize(to: strdup(text)) }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for place in 0..<count { free(pointers[place]) }
    pointers.deallocate()
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
