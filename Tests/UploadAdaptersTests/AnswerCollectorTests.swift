import Testing
import Uploads

@testable import UploadAdapters

struct AnswerCollectorTests {
  func collect(_ lines: [String]) -> AnswerCollector {
    var collector = AnswerCollector(bodyBytesMax: 10)
    for line in lines {
      let bytes = Array(line.utf8)
      let problem = bytes.withUnsafeBytes { collector.take(headerLine: $0) }
      #expect(problem == nil)
    }
    return collector
  }

  @Test func `fields keep their order, lose blanks, and fold`() {
    let collector = collect([
      "HTTP/1.1 200 OK\r\n", "A:  1 \r\n", "b:\r\n", "A: 2\r\n", "\t and more\r\n", "no colon\r\n",
      "\r\n",
    ])
    #expect(
      collector.answer(status: 200)?.headers
        == [HTTPField("A", "1"), HTTPField("b", ""), HTTPField("A", "2 and more")])
  }

  @Test func `trailers are left out, and an unfinished or interim head is no answer`() {
    #expect(collect(["HTTP/1.1 200 OK\r\n", "A: 1\r\n"]).answer(status: 200) == nil)
    #expect(collect(["HTTP/1.1 100 Continue\r\n", "\r\n"]).answer(status: 100) == nil)
    let trailed = collect(["HTTP/1.1 200 OK\n", "A: 1\n", "\n", "T: 1\n", "\n"])
    #expect(trailed.answer(status: 200)?.headers == [HTTPField("A", "1")])
    #expect(trailed.received == 28)
  }
}
