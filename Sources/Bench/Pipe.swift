import CLinux
import EventLoop
import Glibc

/// A pipe: what goes in at `input` comes out at `output`.
///
/// Both ends are closed in children.
struct Pipe {
  let output: Descriptor
  let input: Descriptor

  init() throws(SystemFailure) {
    var ends: [Int32] = [-1, -1]
    guard CLinux_pipe(&ends) == 0 else { throw SystemFailure("making a pipe") }
    output = try Descriptor(Self.aboveStandard(ends[0]), doing: "making a pipe")
    input = try Descriptor(Self.aboveStandard(ends[1]), doing: "making a pipe")
  }

  /// Moves a descriptor above those that a child is given by number: posix_spawn copies them one
  /// after the other, and a copy onto a number that is still needed would lose it.
  private static func aboveStandard(_ number: Int32) -> Int32 {
    let lowest: Int32 = 16
    guard number >= 0, number < lowest else { return number }
    let moved = fcntl(number, F_DUPFD_CLOEXEC, lowest)
    close(number)
    return moved
  }
}
