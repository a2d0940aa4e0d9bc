import Bench
import Foundation
import Synchronization

/// Shows how far runs have come: on a terminal one line that is redrawn, elsewhere a plain line now
/// and then; and a line that stays for each variant that is over.
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

  func show(_ news: RunNews) {
    state.withLock { $0.queue.add(news) }
  }

  /// Draws what is left to draw, and ends.
  func end() {
    state.withLock { $0.isOver = true }
    ending.signal()
    done.wait()
  }

  private func draw() {
    /// What stands on the line that is redrawn.
    var drawn = ""
    var sinceLine = Self.plainSeconds
    while true {
      let (news, isOver) = state.withLock { ($0.queue.take(), $0.isOver) }
      for end in news.ends {
        let text = ProgressText.line(end)
        if isTerminal { redraw(text, "\n") } else { Terminal.note(text) }
        (drawn, sinceLine) = ("", 0)
      }
      if isOver { break }
      let text = ProgressText.line(news.running)
      if !text.isEmpty, text != drawn {
        if isTerminal {
          redraw(text)
          drawn = text
        } else if sinceLine >= Self.plainSeconds {
          Terminal.note(text)
          (drawn, sinceLine) = (text, 0)
        }
      }
      // A run in virtual time is over in less than one redrawing.
      _ = ending.wait(timeout: .now() + Self.redrawSeconds)
      sinceLine += Self.redrawSeconds
    }
    if !drawn.isEmpty, isTerminal { redraw("") }
  }

  private func redraw(_ text: String, _ end: String = "") {
    // In the last column some terminals wrap.
    let text = text.prefix(max(1, Terminal.errorWidth - 1))
    Terminal.write("\r\u{1B}[K\(text)\(end)", to: STDERR_FILENO)
  }
}
