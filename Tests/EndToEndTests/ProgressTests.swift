import Quantities
import Testing
import onebar

@testable import Bench

@Suite struct ProgressTests {
  private func progress(
    _ variant: String, at seconds: Double = 1, attempts: Int = 1, files: Int = 2,
    isOver: Bool = false
  ) -> RunProgress {
    RunProgress(
      scenario: "s", variant: variant, run: 1, runs: 2, now: Instant(seconds: seconds),
      horizon: .seconds(900), carried: ByteCount(1_650_000), attempts: attempts, landed: 1,
      files: files, statusLine: "Sending", isOver: isOver)
  }

  @Test func `of many reports the newest is drawn, and the end of a variant never missed`() {
    var queue = ProgressQueue()
    queue.add(progress("before", at: 1))
    queue.add(progress("before", at: 2, isOver: true))
    queue.add(progress("before", at: 2, attempts: 7, isOver: true))
    queue.add(progress("after", at: 1))
    queue.add(progress("after", at: 2))
    #expect(
      queue.takeAll() == [
        progress("before", at: 2, attempts: 7, isOver: true), progress("after", at: 2),
      ])
    #expect(queue.takeAll() == [])
  }

  @Test func `a line counts in words that fit the number`() {
    #expect(
      ProgressText.line(progress("after", attempts: 1, files: 1))
        == "[1/2] after  1.0 of 900 s  1.65 MB carried  1 attempt  1 of 1 file  | Sending")
    #expect(ProgressText.line(progress("after", attempts: 2)).contains("2 attempts  1 of 2 files"))
  }
}
