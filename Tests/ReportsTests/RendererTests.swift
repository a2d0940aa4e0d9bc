import Foundation
import Reports
import Testing

@Suite struct RendererTests {
  @Test func `a run is told in Markdown, with the headline table on top`() {
    #expect(MarkdownReport(SlowCopy.record).text == RendererTests.markdown)
  }

  @Test func `a run is told on a terminal, in columns`() {
    #expect(TerminalSummary(SlowCopy.record).text == RendererTests.terminal)
  }

  @Test(arguments: 1...5)
  func `no line of a terminal is longer than 100, and no cell is lost`(count: Int) {
    var record = SlowCopy.record
    record.variants = (0..<count).map { index in
      var variant = index % 2 == 0 ? SlowCopy.after : SlowCopy.before
      variant.name = "variant-\(index)"
      return variant
    }
    record.expectations[1].why = String(repeating: "A long word after another. ", count: 40)
    record.doubts = [String(repeating: "§", count: 250)]
    let text = TerminalSummary(record).text
    for line in text.split(separator: "\n") { #expect(line.count <= TerminalSummary.width) }
    for index in 0..<count { #expect(text.contains("variant-\(index)")) }
    #expect(text.filter { $0 == "§" }.count == 250)
    #expect(text.split { $0 == " " || $0 == "\n" }.filter { $0 == "another." }.count == 40)
  }

  @Test func `the three photos read as the published table does`() {
    var before = SlowCopy.before
    var after = SlowCopy.after
    for index in before.files.indices {
      before.files[index].attempts = 1
      before.files[index].landed = true
    }
    for name in ["photo-2", "photo-3"] {
      before.files += before.files.prefix(2).map { renamed($0, name) }
      after.files += after.files.prefix(2).map { renamed($0, name) }
    }
    before.finishedAt = 370
    before.files[0].attempts = 3
    before.wire.repeated = 1_650_000
    after.statusLines.distinct = 312
    after.statusLines.live = 290
    var record = SlowCopy.record
    record.variants = [before, after]
    let rows = MarkdownReport(record).text.split(separator: "\n")
    for row in [
      "| 20 KB/s, 3 captures (copy 1.65 MB, original 4.31 MB), 900 s | before | after |",
      "| attempts of the copy | 5 (photo-1 3, photo-2 1, photo-3 1) | 1 each |",
      "| landed | all 6 files of 3 captures, in 8 attempts, all done at 370 s |"
        + " all 6 files of 3 captures, each sent once, all done at 305.9 s |",
      "| sent twice | 1.65 MB | nothing |",
      "| distinct status lines | 2, never a byte count | 312, 290 with a new byte count |",
      "| first line with live figures | never | at 0.9 s |",
    ] {
      #expect(rows.contains { $0 == row }, "\(row)")
    }
  }

  private func renamed(_ file: FileRecord, _ capture: String) -> FileRecord {
    var file = file
    file.capture = capture
    return file
  }

  @Test func `part of the files landed, and the client ended`() {
    var record = SlowCopy.record
    record.variants[1].files[1].landed = false
    record.variants[1].outcome = .clientEnded
    record.variants[1].clientEnd = "by signal 11"
    record.variants[1].notSaved = [
      .init(capture: "photo-2", reason: "/outbox/x.copy: the disk is full")
    ]
    record.variants[1].parked = 1
    record.variants[1].exactlyOnce.lost = 1
    let text = MarkdownReport(record).text
    #expect(text.contains("| 1 of 2, the client ended by signal 11; not: original |"))
    #expect(
      text.contains(
        "| not saved on the device | none | photo-2 (/outbox/x.copy: the disk is full) |"))
    #expect(text.contains("| parked: refused for good | 0 | 1 |"))
    #expect(text.contains("| lost, or twice on the engine | none | 1 lost |"))
  }

  @Test func `doubts stand under the verdict, and what is out of balance is loud`() {
    var record = SlowCopy.record
    record.verdict = .inconclusive
    record.doubts = ["after: something is off."]
    record.variants[1].instrument.takenIn += 5
    let text = MarkdownReport(record).text
    #expect(text.contains("**Inconclusive**: The instrument was out of tolerance"))
    #expect(text.contains("\nIn doubt:\n\n- after: something is off.\n"))
    #expect(text.contains("| NO, off by 5 B |"))
  }

  @Test func `a cell cannot break its table`() {
    var record = SlowCopy.record
    record.variants[1].statusLines.lines[0].text = "a | b \\ <br>"
    #expect(MarkdownReport(record).text.contains("| a \\| b \\\\ &lt;br> |"))
  }

  @Test func `what a client says is text wherever it stands`() {
    var record = SlowCopy.record
    record.doubts = ["<img> | a"]
    record.expectations[0].why = "\"<details>\" was false"
    record.expectations[0].pass = false
    let text = MarkdownReport(record).text
    #expect(text.contains("- &lt;img> \\| a\n"))
    #expect(text.contains("- \"&lt;details>\" was false\n"))
  }

  @Test func `a report of very many lines stays under 64 KB and counts what it leaves out`() {
    var record = SlowCopy.record
    for index in record.variants.indices {
      record.variants[index].statusLines.lines = (0..<10_000).map { line in
        .init(
          text: "photo-1: line \(line) " + String(repeating: "é", count: 200), first: 1, last: 2,
          times: 1)
      }
    }
    let text = MarkdownReport(record).text
    #expect(text.utf8.count < MarkdownReport.byteLimit)
    #expect(text.utf8.count > MarkdownReport.byteLimit * 9 / 10)
    // Twice: both ends at sight, and as many as there is room for folded below.
    let shown = text.split(separator: "\n").filter { $0.contains("photo-1: line") }.count
    let left = text.matches(of: #/\((\d+) more in result.json\)/#).compactMap { Int($0.1) }
    #expect(left.count == 4 && shown + left.reduce(0, +) == 40_000)
    #expect(text.contains("photo-1: line 0 ") && text.contains("photo-1: line 9999 "))
    #expect(text.contains("## Requests of after"))
  }

  @Test func `requests beyond the limit are counted`() {
    var record = SlowCopy.record
    record.variants[0].requests = (0..<100).map {
      .init(
        at: Double($0), method: "GET", path: "/\($0)", status: 200, seconds: 1, end: "answered")
    }
    let text = MarkdownReport(record).text
    #expect(text.contains("(76 more in result.json)"))
    #expect(text.contains("| GET /15 |") && text.contains("| GET /92 |"))
    #expect(!text.contains("| GET /16 |"))
  }

  @Test func `questions after the engine's health are one line`() {
    var record = SlowCopy.record
    let request = record.variants[1].requests[0]
    record.variants[1].requests += (1...3).map { number in
      .init(
        at: Double(number) * 10, method: "GET", path: "/api/health",
        status: number == 2 ? nil : 200, seconds: 1, end: number == 2 ? "reset" : "answered")
    }
    let text = MarkdownReport(record).text
    #expect(
      text.contains(
        "| 201 | 1.65 MB | 82.7 s | answered |\n\nThe client asked after the engine's health 3"
          + " times, from 10 s to 30 s; 2 were answered with 200.\n"))
    #expect(!text.contains("GET"))
    record.variants[1].requests = [request] + record.variants[1].requests.suffix(1)
    #expect(
      MarkdownReport(record).text.contains("health 1 time, at 30 s; each was answered."))
  }

  @Test func `many status lines show both ends, and all of them folded`() {
    var record = SlowCopy.record
    record.variants[1].statusLines.lines = (1...100).map {
      .init(text: "line \($0).", first: Double($0), last: Double($0), times: 1)
    }
    let text = MarkdownReport(record).text
    let parts = text.components(
      separatedBy: "\n<details><summary>All 100 status lines of after</summary>\n\n")
    #expect(parts.count == 2)
    func shown(_ part: Int) -> [Int] {
      parts[part].matches(of: #/line (\d+)\./#).compactMap { Int($0.1) }
    }
    #expect(shown(0) == Array(1...30) + Array(71...100))
    #expect(parts[0].contains("| (40 more in result.json) |"))
    #expect(shown(1) == Array(1...100))
    #expect(parts[1].hasSuffix("\n\n</details>\n"))
  }

  @Test func `the report is cut, and says so, where nothing else helps`() {
    var record = SlowCopy.record
    record.expectations = (0..<2_000).map {
      .init(variant: "after", name: "name-\($0)", expected: "1", measured: "1", pass: true)
    }
    let text = MarkdownReport(record).text
    #expect(text.utf8.count < MarkdownReport.byteLimit)
    #expect(text.hasSuffix("\nCut at 64000 bytes; the whole is in result.json.\n"))
  }

  private static let markdown = """
    # The copy that never landed

    **Failed**: 1 of 2 expectations does not hold.

    `scenarios/slow-copy.yaml`, seed 7, dilated time (60x); 20 KB/s up, 200 KB/s down, buffer \
    1.43 MB; onebar 0.1. Times are link seconds.

    | 20 KB/s, 1 capture (copy 1.65 MB, original 4.31 MB), 900 s | before | after |
    | -- | -- | -- |
    | attempts of the copy | 7 | 1 |
    | attempts of the original | 0 | 1 |
    | bytes of the copy on the wire | 9.93 MB | 1.65 MB |
    | bytes of the original on the wire | 0 B | 4.31 MB |
    | landed | no, after 900 s | copy and original, each sent once, all done at 305.9 s |
    | sent twice | nothing | nothing |
    | sent for nothing | 9.93 MB | nothing |
    | useful bytes | 0 B | 5.96 MB |
    | heads and small calls | 4 KB | 4 KB |
    | distinct status lines | 2, never a byte count | 3, 2 with a new byte count |
    | first line with live figures | never | at 0.9 s |
    | longest time without a new line | 70.9 s | 1 s |
    | lines that were false | 1 of 8, for 60.1 s at most | none of 3 |
    | ahead of the link, at most | no byte count | 1.43 MB |
    | lost, or twice on the engine | none | none |

    ## Expectations

    | variant | of | expected | measured | result |
    | -- | -- | -- | -- | -- |
    | before | attempts.copy | 7 | 7 | pass |
    | after | landed | none | all | FAIL |

    - after: files that landed: expected none, measured all.

    ## The instrument

    | the instrument | before | after |
    | -- | -- | -- |
    | rate up, asked 20 KB/s | 20.001 KB/s (+0.01 %) | 19.999 KB/s (-0.01 %) |
    | rate down, asked 200 KB/s | not measured | not measured |
    | buffer, declared 1.43 MB | 1.431 MB (+0.03 %), mean of 2 attempts | 1.429 MB (-0.07 %), \
    mean of 1 attempt |
    | taken in = carried + discarded + queued | yes, 11.55 MB | yes, 5.96 MB |
    | carried = received by the engine | yes, 9.93 MB | yes, 5.96 MB |
    | timers late, p50 / p99, link seconds | 0.0012 / 0.0045 | 0.0012 / 0.0045 |
    | the client's timers late, worst, link seconds | not measured | not measured |
    | retransmissions / zero-window probes | 0 / 0 | 0 / 0 |

    - before: the down link was hardly busy (2.1 KB), so its rate is not judged.
    - after: the down link was hardly busy (2.4 KB), so its rate is not judged.

    ## Requests of before

    | at | capture | step | attempt | status | body | took | end |
    | -- | -- | -- | -- | -- | -- | -- | -- |
    | 0.2 s | photo-1 | copy | 1 | – | 1.42 MB | 70.9 s | reset |
    | 131.2 s | photo-1 | copy | 2 | – | 1.42 MB | 70.9 s | reset |
    | 262.2 s | photo-1 | copy | 3 | – | 1.42 MB | 70.9 s | reset |
    | 393.2 s | photo-1 | copy | 4 | – | 1.42 MB | 70.9 s | reset |
    | 524.2 s | photo-1 | copy | 5 | – | 1.42 MB | 70.9 s | reset |
    | 655.2 s | photo-1 | copy | 6 | – | 1.42 MB | 70.9 s | reset |
    | 786.2 s | photo-1 | copy | 7 | – | 1.42 MB | 70.9 s | reset |

    ## Requests of after

    | at | capture | step | attempt | status | body | took | end |
    | -- | -- | -- | -- | -- | -- | -- | -- |
    | 0.1 s | photo-1 | record | 1 | 201 | 310 B | 0.2 s | answered |
    | 0.4 s | photo-1 | copy | 1 | 201 | 1.65 MB | 82.7 s | answered |

    ## Status lines of before

    2 distinct, 0 with a new byte count.

    - "Sending" was false \\| for a minute.

    | first | last | times | true | line |
    | -- | -- | -- | -- | -- |
    | 0 s | 0 s | 1 | yes | Kept on this device |
    | 0.1 s | 786.1 s | 7 | NO: no request was in flight | Sending |

    ## Status lines of after

    3 distinct, 2 with a new byte count.

    | first | last | times | true | line |
    | -- | -- | -- | -- | -- |
    | 0 s | 0 s | 1 | – | photo-1 \\| kept |
    | 0.9 s | 0.9 s | 1 | yes | photo-1: 0.45 of 1.65 MB, 1 s |
    | 300 s | 305 s | 2 | yes | photo-1: 4.31 of 4.31 MB, 300 s |

    """

  private static let terminal = """
    The copy that never landed: FAILED
    1 of 2 expectations does not hold.
    scenarios/slow-copy.yaml, seed 7, dilated time (60x); times are link seconds
    20 KB/s, 1 capture (copy 1.65 MB, original 4.31 MB), 900 s

                                       before                      after
    attempts of the copy               7                           1
    attempts of the original           0                           1
    bytes of the copy on the wire      9.93 MB                     1.65 MB
    bytes of the original on the wire  0 B                         4.31 MB
    landed                             no, after 900 s             copy and original, each sent once,
                                                                   all done at 305.9 s
    sent twice                         nothing                     nothing
    sent for nothing                   9.93 MB                     nothing
    useful bytes                       0 B                         5.96 MB
    heads and small calls              4 KB                        4 KB
    distinct status lines              2, never a byte count       3, 2 with a new byte count
    first line with live figures       never                       at 0.9 s
    longest time without a new line    70.9 s                      1 s
    lines that were false              1 of 8, for 60.1 s at most  none of 3
    ahead of the link, at most         no byte count               1.43 MB
    lost, or twice on the engine       none                        none

    result  variant  expectation    expected  measured
    pass    before   attempts.copy  7         7
    FAIL    after    landed         none      all

    - after: files that landed: expected none, measured all.

    Error budget of one timer: 0.0012 s (p50) to 0.0045 s (p99), link seconds.

    """
}
