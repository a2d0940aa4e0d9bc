import Foundation
import FoundationXML
import Testing

@testable import Reports

/// The files for other programs.
@Suite struct ExchangeTests {
  @Test func `a failed expectation is a failure of its own case`() throws {
    var record = SlowCopy.record
    record.expectations[1].line = 61
    let xml = try document(JUnitReport(record).text)
    let suite = try #require(xml.rootElement()?.elements(forName: "testsuite").first)
    #expect(suite.text("tests") == "3")
    #expect(suite.text("failures") == "1")
    #expect(suite.text("errors") == "0")
    let cases = suite.elements(forName: "testcase")
    #expect(cases.map { $0.text("name") }.prefix(2) == ["attempts.copy: 7", "landed: none"])
    #expect(cases[1].text("file") == "scenarios/slow-copy.yaml")
    #expect(cases[1].text("line") == "61")
    let failure = try #require(cases[1].elements(forName: "failure").first)
    #expect(failure.text("message") == "expected none, measured all")
    #expect(failure.stringValue == record.expectations[1].why)
  }

  @Test(arguments: [RunRecord.Verdict.inconclusive, .interrupted])
  func `a run that proves nothing is an error of the bench, and no failure`(
    verdict: RunRecord.Verdict
  ) throws {
    var record = SlowCopy.record
    record.verdict = verdict
    record.doubts = ["timers were <late>"]
    let xml = try document(JUnitReport(record).text)
    let suite = try #require(xml.rootElement()?.elements(forName: "testsuite").first)
    #expect(suite.text("failures") == "0")
    #expect(suite.text("errors") == "1")
    #expect(suite.text("skipped") == "1")
    let last = try #require(suite.elements(forName: "testcase").last)
    #expect(last.elements(forName: "error").first?.stringValue == "timers were <late>")
  }

  @Test func `XML holds whatever a scenario is called`() throws {
    var record = SlowCopy.record
    record.scenario.name = "a < b & \"c\" \u{1}\u{fffe} 日本"
    let xml = try document(JUnitReport(record).text)
    let suite = try #require(xml.rootElement()?.elements(forName: "testsuite").first)
    #expect(suite.text("name") == "a < b & \"c\" \u{FFFD}\u{FFFD} 日本")
  }

  @Test func `the trace has a span for each request and each line, on named threads`() throws {
    var record = SlowCopy.record
    record.variants[1].statusLines.shown = [.init(at: 0, line: 0), .init(at: 0.9, line: 1)]
    let trace = try #require(
      try JSONSerialization.jsonObject(with: Data(TraceReport(record).text.utf8)) as? [String: Any])
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    let spans = events.filter { $0["ph"] as? String == "X" }
    let requests = record.variants.reduce(0) { $0 + $1.requests.count }
    #expect(spans.count == requests + 2)
    let copy = try #require(spans.first { $0["name"] as? String == "copy" })
    #expect(copy["ts"] as? Int == 200_000)
    #expect(copy["dur"] as? Int == 70_900_000)
    let counters = events.filter { $0["ph"] as? String == "C" }
    #expect(counters.count == record.variants.reduce(0) { $0 + $1.timeline.count })
    // Every thread that has a span has a name.
    func place(_ event: [String: Any]) -> [Int?] { [event["pid"] as? Int, event["tid"] as? Int] }
    let named = events.filter { $0["name"] as? String == "thread_name" }.map(place)
    #expect(spans.allSatisfy { named.contains(place($0)) })
  }

  @Test func `the archive has each request at its time, and its whole length as wait`() throws {
    let text = ArchiveReport(SlowCopy.record).text
    let archive = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String: Any]])
    let log = try #require(archive["log"])
    #expect(log["version"] as? String == "1.2")
    let entries = try #require(log["entries"] as? [[String: Any]])
    #expect(entries.count == SlowCopy.record.variants.reduce(0) { $0 + $1.requests.count })
    #expect(entries[1]["startedDateTime"] as? String == "2026-01-01T00:02:11.200Z")
    #expect((entries[1]["timings"] as? [String: Double])?["wait"] == 70_900)
    #expect((entries[1]["response"] as? [String: Any])?["status"] as? Int == 0)
  }

  @Test func `an archive of very many requests has the first, and says so`() {
    func archive(_ count: Int) -> String {
      var record = SlowCopy.record
      let request = record.variants[0].requests[0]
      record.variants = [record.variants[0]]
      record.variants[0].requests = Array(repeating: request, count: count)
      return ArchiveReport(record).text
    }
    func entries(_ text: String) -> Int { text.split(separator: "\"pageref\"").count - 1 }
    let limit = ArchiveReport.entryLimit
    let (full, over) = (archive(limit), archive(limit + 2))
    #expect(entries(full) == limit && entries(over) == limit)
    #expect(!full.contains("left out"))
    #expect(over.contains("2 later requests left out; result.json has all."))
    #expect(over.utf8.count < 10_000_000)
  }

  private func document(_ text: String) throws -> XMLDocument {
    try XMLDocument(data: Data(text.utf8))
  }
}

extension XMLElement {
  fileprivate func text(_ attribute: String) -> String? {
    self.attribute(forName: attribute)?.stringValue
  }
}
