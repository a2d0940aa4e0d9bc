import CLinux
import EventLoop
import Glibc

/// A process that the bench started, watched on an event loop until it ends.
///
/// It has a process group of its own, so that Ctrl-C at the terminal reaches the bench alone, which
/// ends it in order; and no descriptor of the bench but those it is given.
final class ChildProcess {
  enum Ending: Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  let pid: pid_t
  private(set) var ending: Ending?
  private let loop: EventLoop
  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?

  /// Starts `arguments[0]`; `descriptors` are the child's numbers and the bench's ends for them.
  init(
    _ arguments: [String], descriptors: [(child: Int32, Descriptor)], loop: EventLoop,
    ended: @escaping (Ending) -> Void
  ) throws(SystemFailure) {
    self.loop = loop
    pid = try Self.spawn(arguments, descriptors: descriptors)
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

  private static func end(_ pid: pid_t) {
    Glibc.kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  private func collect() -> Ending? {
    var status: Int32 = 0
    guard ending == nil, waitpid(pid, &status, WNOHANG) == pid else { return nil }
    if let watch { loop.unwatch(watch) }
    watch = nil
    let signal = status & 0x7f
    let ending = signal == 0 ? Ending.exited((status >> 8) & 0xff) : .signalled(signal)
    self.ending = ending
    return ending
  }

  private static func spawn(
    _ arguments: [String], descriptors: [(child: Int32, Descriptor)]
  ) throws(SystemFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (child, descriptor) in descriptors {
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
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var pid: pid_t = 0
    let error = posix_spawn(&pid, arguments[0], &actions, &attributes, pointers, environ)
    guard error == 0 else { throw SystemFailure("starting \(arguments[0])", code: error) }
    return pid
  }
}
