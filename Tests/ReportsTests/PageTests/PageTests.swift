import Foundation
import Testing

@testable import Reports

@Suite struct PageTests {
  /// With which a page would ask for something from somewhere.
  static let wordsOfOtherPlaces = [
    "src=", "url(", "@import", "http:", "https:", "<link", "fetch(", "eval(",
  ]

  @Test func `the page holds the tables, the plots and every line`() {
    let page = HTMLReport(SlowCopy.record).text
    for words in [
      "<h1>The copy that never landed</h1>", "<td>attempts of the copy</td><td>7</td><td>1</td>",
      "<h2>before</h2>", "<h2>after</h2>", "photo-1: 0.45 of 1.65 MB, 1 s", "20 KB/s up",
      "attempt 7: 1.42 MB from 786.2 s, reset after 70.9 s", "class=\"claimed\"",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    // A failure leads to its variant and its moment.
    #expect(page.contains("<a href=\"#variant-1\" data-at=\"305.9\">FAIL, see 305.9 s</a>"))
  }

  @Test func `the page asks for nothing from anywhere`() {
    let page = HTMLReport(SlowCopy.record).text
    for word in PageTests.wordsOfOtherPlaces {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func `nothing that came from outside becomes markup`() {
    let evil = "</script><img src=x onerror=alert(1)>\"'&\u{0}"
    var record = SlowCopy.record
    record.scenario.name = evil
    record.scenario.file = evil
    record.doubts = [evil]
    record.expectations[1].why = evil
    record.expectations[1].measured = evil
    for index in record.variants.indices {
      record.variants[index].name = evil
      record.variants[index].files[0].capture = evil
      record.variants[index].requests[0].path = evil
      record.variants[index].requests[0].step = nil
      record.variants[index].requests[0].end = evil
      record.variants[index].statusLines.lines[0].text = evil
      record.variants[index].statusLines.shown = [.init(at: 0, line: 0)]
    }
    let page = HTMLReport(record).text
    #expect(!page.contains("<img"))
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.unicodeScalars.contains("\u{0}"))
  }

  @Test func `the data under the pointer is JSON, and as the record has it`() throws {
    var record = SlowCopy.record
    record.variants[1].statusLines.shown = [.init(at: 0, line: 0), .init(at: 0.9, line: 1)]
    let page = HTMLReport(record).text
    let start = try #require(page.range(of: "id=\"data\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let data = try JSONSerialization.jsonObject(
      with: Data(page[start.upperBound..<end.lowerBound].utf8))
    let variants = try #require(data as? [[String: Any]])
    #expect(variants.count == 2)
    #expect(variants[1]["lines"] as? [String] == SlowCopy.after.statusLines.lines.map(\.text))
    #expect((variants[1]["shown"] as? [[[Double]]]) == [[[0, 0]], [[0.9, 1]]])
  }

  @Test func `a run of very many lines and requests stays below 5 MB, and says what it leaves out`()
  {
    var record = SlowCopy.record
    let line = String(repeating: "x", count: 120)
    for index in record.variants.indices {
      record.variants[index].statusLines = .init(
        distinct: 10_000,
        lines: (0..<10_000).map {
          .init(text: "photo-1: \(line) \($0)", first: Double($0), last: Double($0), times: 1)
        },
        shown: (0..<StatusLinesRecord.showingLimit).map { .init(at: Double($0), line: $0) })
      record.variants[index].horizon = 86_400
      record.variants[index].requests = (0..<6_000).map {
        .init(
          at: Double($0), method: "PUT", path: "/", capture: "photo-1", step: "copy",
          attempt: $0 + 1, status: 503, bodyBytes: 1, seconds: 0.5, end: "answered")
      }
      record.variants[index].timeline =
        Timeline(
          (0..<20_000).map { .init(at: Double($0) / 2, handedOver: $0, carried: $0) }
        ).thinned().points
    }
    let page = HTMLReport(record).text
    #expect(page.utf8.count < 5_000_000, "\(page.utf8.count) B")
    #expect(page.contains("8000 more in result.json"))
    #expect(page.contains("4000 more in result.json"))
    #expect(page.contains("5400 more not drawn"))
  }

  @Test func `a run without anything is a page, too`() {
    var record = SlowCopy.record
    record.variants = []
    #expect(HTMLReport(record).text.hasSuffix("</html>\n"))
    record.variants = [VariantRecord.blank]
    #expect(HTMLReport(record).text.hasSuffix("</html>\n"))
  }
}
