/// What the processes of a client by command took, all its starts together.
package struct ProcessRecord: Hashable, Sendable {
  package var starts: Int
  /// The exit status of the last one; nil when it did not exit by itself.
  package var exit: Int?
  /// The signal that ended the last one; nil when none did.
  package var signal: Int?
  /// Link seconds in which one ran.
  package var seconds: Double
  /// Seconds of the machine's processors.
  package var userSeconds: Double
  package var systemSeconds: Double
  /// The most memory that one of them held, in bytes, without what it started; nil when none was there
  /// to be looked at.
  package var memoryPeak: Int?
  /// Requests with a body that is no file of a capture, as far as can be told.
  package var unassigned: Int

  package init(
    starts: Int = 0, exit: Int? = nil, signal: Int? = nil, seconds: Double = 0,
    userSeconds: Double = 0, systemSeconds: Double = 0, memoryPeak: Int? = nil, unassigned: Int = 0
  ) {
    self.starts = starts
    self.exit = exit
    self.signal = signal
    self.seconds = toMilliseconds(seconds)
    self.userSeconds = toMilliseconds(userSeconds)
    self.systemSeconds = toMilliseconds(systemSeconds)
    self.memoryPeak = memoryPeak
    self.unassigned = unassigned
  }

  /// How the last one ended: `with exit status 22`, `by signal 9`.
  package var ending: String? {
    exit.map { "with exit status \($0)" } ?? signal.map { "by signal \($0)" }
  }
}
