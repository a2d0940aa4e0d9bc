import CLinux
package import EventLoop
import Quantities

/// An event loop on a thread of its own, with what a test puts on it.
package final class LoopThread<Contents>: Sendable {
  private struct Confined: @unchecked Sendable {
    // Only ever used on the loop's thread: `ask` posts to it.
    var loop: EventLoop
    var contents: Contents
  }

  private let mailbox: Mailbox
  private let confined: Confined
  private let thread: Slot<Bool>

  /// Makes the contents on the loop's thread, then runs the loop there until ``stop()``.
  package init(
    factor: Double = 1, _ make: @escaping @Sendable (EventLoop) throws -> Contents
  ) throws {
    let ready = inBackground { () -> Result<(Mailbox, Confined), any Error> in
      Result {
        let scale = TimeScale(epoch: CLinux_monotonicNanoseconds(), factor: factor)
        let loop = try EventLoop(scale: scale)
        return (try Mailbox(of: loop), Confined(loop: loop, contents: try make(loop)))
      }
    }
    guard let made = ready.wait() else { throw SystemFailure("waiting for a loop", code: 0) }
    let (mailbox, confined) = try made.get()
    self.mailbox = mailbox
    self.confined = confined
    thread = inBackground { (try? confined.loop.run()) != nil }
  }

  /// Runs a body on the loop's thread and waits for its result.
  package func ask<Answer: Sendable>(
    _ body: @escaping @Sendable (EventLoop, Contents) -> Answer
  ) -> Answer? {
    let answer = Slot<Answer>()
    mailbox.post { [confined] in answer.fill(body(confined.loop, confined.contents)) }
    return answer.wait()
  }

  package func stop() {
    mailbox.post { [confined] in confined.loop.stop() }
    _ = thread.wait()
  }
}
