import Glibc
import Testing

/// The program as its users run it: a process, its files, its words and its exit code.
///
/// One test at a time: two runs at once would disturb each other's timing. What a test judges is
/// exact for attempts, and wide for times, so that a busy machine fails none.
@Suite(.serialized, .tags(.realTime)) enum EndToEnd {}

extension Tag {
  /// It takes wall-clock time, and the machine's load can be seen in its figures.
  @Tag static var realTime: Self
}

/// A variable of the environment, by which a test does more than its sample.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
