import FoundationEssentials
import Glibc

/// A process and all that it has started, and they, as far as they can be told.
///
/// A group has those that did not leave it; whoever did, as a daemon does, has inherited the
/// environment, in which the run has a mark of its own.
final class ProcessFamily {
  /// A process that is ended may just have started another; so often it is looked again.
  private static let looksMax = 10

  /// `NAME=value`, in the environment of all of them.
  private let mark: [UInt8]
  /// The first one, which leads a group.
  var leader: pid_t?

  init(mark: String) {
    self.mark = Array(mark.utf8)
  }

  /// Asks all to end (SIGTERM).
  func terminate() {
    if let leader { Glibc.kill(-leader, SIGTERM) }
    for pid in strays { Glibc.kill(pid, SIGTERM) }
  }

  /// Ends all at once (SIGKILL).
  func kill() {
    if let leader { Glibc.kill(-leader, SIGKILL) }
    for _ in 0..<Self.looksMax {
      let strays = strays
      if strays.isEmpty { return }
      for pid in strays { Glibc.kill(pid, SIGKILL) }
    }
  }

  /// Those that have the mark and have not ended.
  private var strays: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    // A bench that a client started is none of those that a bench ends.
    return names.compactMap { pid_t($0) }.filter { $0 != getpid() }.filter { pid in
      // Empty of one that has ended, and not to be read of another user's.
      guard let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") else {
        return false
      }
      return environment.split(separator: 0).contains { $0.elementsEqual(mark) }
    }
  }
}
