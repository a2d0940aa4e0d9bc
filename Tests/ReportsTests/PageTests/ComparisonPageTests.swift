import FoundationEssentials
import Testing

@testable import Reports

@Suite struct ComparisonPageTests {
  private static func page(_ left: [RunRecord], _ right: [RunRecord]) -> String {
    ComparisonPage(ComparisonReport(ResultSet("old", left), ResultSet("new", right))).text
  }

  private static var faster: RunRecord {
    var record = SlowCopy.record
    record.variants[1].finishedAt = 280
    return record
  }

  @Test func `the page holds the sentences, the intervals, the table, the plots and the lines`() {
    var other = Self.faster
    other.variants[1].statusLines.lines[0].text = "photo-1 is safe"
    let page = Self.page([SlowCopy.record, SlowCopy.record], [other, other])
    for words in [
      "<h1>new against old</h1>", "class=\"verdict better\"", "<h2>after: better</h2>",
      "<code>new</code> finished 25.9 s sooner than <code>old</code>", "old, 2 runs",
      "class=\"range\"", "<i class=\"better\"", "<i class=\"minimum\"", "class=\"plot\"",
      "old, its first run", "<li class=\"come\">photo-1 is safe</li>",
      "<li class=\"gone\">photo-1 | kept</li>",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    for word in PageTests.wordsOfOtherPlaces {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func `nothing that came from outside becomes markup`() {
    let evil = "</script><img src=x onerror=alert(1)>\"'&`\u{0}"
    var record = SlowCopy.record
    record.scenario.file = evil
    for index in record.variants.indices {
      record.variants[index].name = evil
      record.variants[index].files[0].step = evil
      record.variants[index].statusLines.lines[0].text = evil + "\(index)"
    }
    record.variants.removeLast()
    var other = record
    other.variants[0].finishedAt = 5
    other.variants[0].statusLines.lines[0].text = evil
    let left = ResultSet(evil, [record], unreadable: [evil])
    let page = ComparisonPage(ComparisonReport(left, ResultSet(evil, [other]))).text
    #expect(!page.contains("<img"))
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.unicodeScalars.contains("\u{0}"))
  }

  @Test func `more pairs than are drawn are told, and nothing to compare is a page, too`() {
    let many = (0...ComparisonPage.plotLimit).map { index in
      var record = SlowCopy.record
      record.scenario.sha256 = "\(index)"
      record.variants.removeLast()
      return record
    }
    let page = Self.page(many, many)
    #expect(
      page.components(separatedBy: "class=\"variant\"").count == 2 * ComparisonPage.plotLimit + 1)
    #expect(page.contains("The plots of 1 more pair are not drawn here."))
    // Baselines have no timeline to draw.
    let flat = Baseline(SlowCopy.record).record
    #expect(!Self.page([flat], [flat]).contains("class=\"variant\""))
    #expect(Self.page([], []).hasSuffix("</html>\n"))
  }
}
