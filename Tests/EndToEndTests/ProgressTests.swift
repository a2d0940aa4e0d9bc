import Quantities
import Testing
import onebar

@testable import Bench

@Suite struct ProgressTests {
  private func progress(
    _ variant: String, at seconds: Double = 1, attempts: Int = 1, files: Int = 2
  ) -> RunProgress {
    RunProgress(
      scenario: "s", variant: variant, run: 1, runs: 2, now: Instant(seconds: seconds),
      horizon: .seconds(900), carried: ByteCount(1_650_000), attempts: attempts, landed: 1,
      files: files, statusLine: "Sending")
  }

  @Test func `of many reports the newest is drawn, and the end of a variant never missed`() {
    var queue = ProgressQueue()
    queue.add(.running([progress("before", at: 1)]))
    queue.add(.running([progress("before", at: 2), progress("after", at: 1)]))
    queue.add(.over(progress("before", at: 3)))
    queue.add(.over(progress("after", at: 4)))
    queue.add(.running([progress("close", at: 1)]))
    let news = queue.take()
    #expect(news.ends == [progress("before", at: 3), progress("after", at: 4)])
    #expect(news.running == [progress("close", at: 1)])
    // What still runs is there to be looked at, and what is over is not.
    #expect(queue.take().running == [progress("close", at: 1)])
    #expect(queue.take().ends.isEmpty)
    queue.add(.over(progress("close")))
    #expect(queue.take().running.isEmpty)
  }

  @Test func `of several that run at once the line says how far each has come`() {
    #expect(ProgressText.line([]) == "")
    let one = progress("before")
    #expect(ProgressText.line([one]) == ProgressText.line(one))
    #expect(
      ProgressText.line([one, progress("after", at: 61.6)])
        == "s before 1 of 900 s | s after 62 of 900 s")
  }

  @Test func `a line counts in words that fit the number`() {
    #expect(
      ProgressText.line(progress("after", attempts: 1, files: 1))
        == "[1/2] after  1.0 of 900 s  1.65 MB carried  1 attempt  1 of 1 file  | Sending")
    #expect(ProgressText.line(progress("after", attempts: 2)).contains("2 attempts  1 of 2 files"))
  }
}
