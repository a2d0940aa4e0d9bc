import Glibc

/// Shows how many repeats of a run in virtual time are over: a line that is redrawn, or a plain one
/// now and then.
struct RepeatView {
  private let isTerminal: Bool
  private var drawn = ContinuousClock.now
  private var isOpen = false

  init(isTerminal: Bool) {
    self.isTerminal = isTerminal
  }

  mutating func show(_ done: Int, of count: Int) {
    let now = ContinuousClock.now
    guard done == count || now - drawn >= (isTerminal ? .milliseconds(100) : .seconds(5)) else {
      return
    }
    drawn = now
    let text = "\(done) of \(count) runs"
    guard isTerminal else { return Terminal.note(text) }
    Terminal.write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
    isOpen = true
  }

  /// Leaves the line as it is, for what is printed next.
  mutating func end() {
    if isOpen { Terminal.write("\n", to: STDERR_FILENO) }
    isOpen = false
  }
}
