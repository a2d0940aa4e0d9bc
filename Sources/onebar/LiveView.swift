import Bench
import Foundation
import Synchronization

/// Shows how far a run has come: on a terminal one line that is redrawn, elsewhere a plain line now
/// and then.
///
/// It draws on a thread of its own, since a terminal that is stopped would stop the link with it.
final class LiveView: Sendable {
  private struct State {
    var queue = ProgressQueue()
    var isOver = false
  }

  private static let redrawSeconds = 0.1
  private static let plainSeconds = 5.0

  private let state = Mutex(State())
  private let isTerminal: Bool
  private let ending = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  init(isTerminal: Bool) {
    self.isTerminal = isTerminal
    Thread.detachNewThread { [self] in
      draw()
      done.signal()
    }
  }

  func show(_ progress: RunProgress) {
    state.withLock { $0.queue.add(progress) }
  }

  /// Draws what is left to draw, and ends.
  func end() {
    state.withLock { $0.isOver = true }
    ending.signal()
    done.wait()
  }

  private func draw() {
    var drawn: RunProgress?
    var sinceLine = Self.plainSeconds
    while true {
      let (waiting, isOver) = state.withLock { ($0.queue.takeAll(), $0.isOver) }
      for progress in waiting where progress != drawn {
        let isNext = drawn.map { $0.variant != progress.variant } ?? false
        // The line of a variant that is over stays, and the next one gets its own.
        if isTerminal {
          // In the last column some terminals wrap.
          let text = ProgressText.line(progress).prefix(max(1, Terminal.errorWidth - 1))
          Terminal.write((isNext ? "\n" : "") + "\r\u{1B}[K\(text)", to: STDERR_FILENO)
        } else if progress.isOver || isNext || sinceLine >= Self.plainSeconds {
          Terminal.note(ProgressText.line(progress))
          sinceLine = 0
        }
        drawn = progress
      }
      if isOver { break }
      // A run in virtual time is over in less than one redrawing.
      _ = ending.wait(timeout: .now() + Self.redrawSeconds)
      sinceLine += Self.redrawSeconds
    }
    if isTerminal, drawn != nil { Terminal.write("\n", to: STDERR_FILENO) }
  }
}
