import Testing
import Uploads

struct JudgementTests {
  private let entry = photoEntry()

  private func judge(_ result: SendResult, _ step: PlannedStep = .record) -> Judgement {
    Judgement(result, for: step, of: entry)
  }

  private func answer(
    _ status: Int, _ body: String = "", _ headers: [HTTPField] = []
  ) -> SendResult {
    .answered(HTTPAnswer(status: status, headers: headers, body: Array(body.utf8)))
  }

  private func isPermanent(_ judgement: Judgement) -> Bool {
    if case .permanent = judgement { true } else { false }
  }

  private func isTransient(_ judgement: Judgement) -> Bool {
    if case .transient = judgement { true } else { false }
  }

  @Test func `a 4xx is for good, except 401, 403, 408, 425 and 429`() {
    for status in 400..<500 {
      let passing = [401, 403, 408, 425, 429].contains(status)
      #expect(isPermanent(judge(answer(status))) == !passing, "HTTP \(status)")
      #expect(isTransient(judge(answer(status))) == passing, "HTTP \(status)")
    }
  }

  @Test(arguments: [300, 302, 500, 502, 503, 507, 511, 599])
  func `a 5xx, and an answer that is no answer, may pass`(status: Int) {
    #expect(isTransient(judge(answer(status))))
  }

  @Test(arguments: [
    TransportFailure.notConnected("refused"), .broken("reset"), .answerTooLarge, .cut,
  ])
  func `a failure of the link may pass`(failure: TransportFailure) {
    #expect(isTransient(judge(.failed(failure))))
  }

  @Test func `a limit that has passed may pass, and is named`() {
    #expect(
      judge(.expired(.noAnswer(.seconds(60)))) == .transient("no answer in 60 s"))
  }

  @Test func `a file of the device's own that cannot be read is for good`() {
    #expect(isPermanent(judge(.failed(.file("no such file")))))
  }

  @Test func `a step lands with this engine's receipt and with no other`() {
    let plan = entry.plan
    #expect(judge(answer(201, #"{"id":"MOMENT"}"#), plan[0]) == .landed)
    #expect(judge(answer(200, #"{"id":"MOMENT","replayed":true}"#), plan[0]) == .landed)
    #expect(isTransient(judge(answer(201, #"{"id":"OTHER"}"#), plan[0])))
    #expect(isTransient(judge(answer(200, "<html>Please log in</html>"), plan[0])))
    #expect(isTransient(judge(answer(200), plan[0])))

    let receipt = #"{"bytes":1650000,"id":"COPY","replayed":false,"sha256":"c0"}"#
    #expect(judge(answer(201, receipt), plan[1]) == .landed)
    for wrong in [
      #"{"bytes":1650001,"id":"COPY","sha256":"c0"}"#,
      #"{"bytes":1650000,"id":"COPY","sha256":"c1"}"#,
      #"{"bytes":1650000,"id":"ORIGINAL","sha256":"c0"}"#,
      #"{"bytes":1650000,"id":"COPY"}"#, #"{"ok":true}"#,
    ] {
      #expect(isTransient(judge(answer(201, wrong), plan[1])), "\(wrong)")
    }

    #expect(judge(answer(200, #"{"request_id":"TURN","answer":""}"#), plan[2]) == .landed)
    #expect(isTransient(judge(answer(200, #"{"request_id":"TEXT"}"#), plan[2])))
    #expect(judge(answer(200, #"{"id":"MOMENT"}"#), plan[4]) == .landed)
    #expect(isTransient(judge(answer(200, "[]"), plan[4])))
  }

  @Test func `a refusal carries the engine's own words, cut to a length`() {
    let body = #"{"error":{"code":"content_differs","message":"The first stays."}}"#
    #expect(judge(answer(422, body)) == .permanent("The first stays. (HTTP 422)"))
    let long = #"{"error":{"code":"x","message":"\#(String(repeating: "a", count: 900))"}}"#
    #expect(
      judge(answer(400, long))
        == .permanent(String(repeating: "a", count: 200) + " (HTTP 400)"))
    #expect(judge(answer(404, "<html>")) == .permanent("HTTP 404"))
  }

  private static let now = HTTPField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")

  @Test(arguments: [
    ([HTTPField("Retry-After", "30")], Duration.seconds(30)),
    ([HTTPField("retry-after", "0")], .zero),
    ([HTTPField("Retry-After", "86400")], .seconds(900)),
    ([HTTPField("Retry-After", "99999999999999999999")], .seconds(900)),
    ([HTTPField("Retry-After", "Sun, 06 Nov 1994 08:50:22 GMT"), now], .seconds(45)),
    ([HTTPField("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT"), now], .zero),
    ([HTTPField("Retry-After", "soon")], nil),
    ([HTTPField("Retry-After", "-5")], nil),
    ([HTTPField("Retry-After", "")], nil),
    ([HTTPField("Retry-After", "Sun, 06 Nov 1994 08:50:22 GMT")], nil),
    ([], nil),
  ])
  func `Retry-After is kept, in seconds or as a date, and capped`(
    headers: [HTTPField], wait: Duration?
  ) {
    guard case .transient(_, let retryAfter) = judge(answer(503, "", headers)) else {
      Issue.record("a 503 may pass")
      return
    }
    #expect(retryAfter == wait)
  }
}
