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

  @Test func `in beyond a 4xx that is not in the engine's words may pass, except a 400`() {
    for status in 400..<500 {
      let passing = [401, 403, 408, 425, 429].contains(status)
      for (body, isEngines) in [("<html>", false), (Self.refusal, true)] {
        let judged = Judgement(
          answer(status, body), for: .record, of: entry, strangers: .wait)
        #expect(
          isTransient(judged) == (passing || (!isEngines && status != 400)), "\(status) \(body)")
      }
    }
    #expect(
      Judgement(
        answer(404, "", [HTTPField("Retry-After", "30")]), for: .record, of: entry,
        strangers: .wait)
        == .transient(
          "something else than the engine answered with HTTP 404", retryAfter: .seconds(30)))
  }

  private static let refusal = #"{"error":{"code":"x","message":"No."}}"#

  @Test func `a conflict with this very step means that it is there`() {
    let plan = entry.plan
    let receipt = #"{"bytes":1650000,"id":"COPY","sha256":"c0"}"#
    #expect(judge(answer(409, receipt), plan[1]) == .landed)
    #expect(judge(answer(409, #"{"id":"MOMENT"}"#), plan[0]) == .landed)
    #expect(isPermanent(judge(answer(409, receipt), plan[3])))
    #expect(isPermanent(judge(answer(409, Self.refusal), plan[1])))
  }

  @Test func `the refusal of a file is one of 413, 415 and 422, and only a file has it`() {
    for status in [400, 404, 409, 411, 413, 415, 422] {
      let ofFile = [413, 415, 422].contains(status)
      #expect(
        judge(answer(status), entry.plan[1]) == .permanent("HTTP \(status)", ofFile: ofFile))
      #expect(judge(answer(status), entry.plan[2]) == .permanent("HTTP \(status)"))
    }
  }

  @Test func `a limit that has passed may pass, and is named`() {
    #expect(
      judge(.expired(.noAnswer(.seconds(60)))) == .transient("no answer in 60 s"))
  }

  @Test func `a file of the device's own that cannot be read is for good`() {
    #expect(
      judge(.failed(.file("no such file")))
        == .permanent("a file of it cannot be read: no such file", ofFile: true, as: .unsendable))
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
    #expect(isTransient(judge(answer(200, "[]"), plan[4])))
  }

  /// The record of the entry, as this engine answers it.
  private let record = """
    {"id":"MOMENT","request_id":"ENTRY","kind":"photo","note":"",
    "captured_at":"2026-05-04T19:12:33+02:00","captured_at_source":"client",
    "time_zone":"Europe/Paris","place":{"lat":48.8583,"lon":-2.2945},"place_source":"client",
    "media":[{"id":"COPY","role":"copy","bytes":1650000,"sha256":"c0"},
    {"id":"ORIGINAL","role":"original","bytes":4310000,"sha256":"0f"}],
    "turns":[{"request_id":"TURN","media_id":"COPY","answer":null}],"texts":[]}
    """

  @Test(arguments: [
    ("", "", nil),
    // A photo that tells its time and place is believed more than its client.
    (#"12:33+02:00","captured_at_source":"client"#, #"12:34","captured_at_source":"camera"#, nil),
    (#"48.8583,"lon":-2.2945},"place_source":"client"#, #"1,"lon":2},"place_source":"camera"#, nil),
    (#""note":"""#, #""note":null"#, nil),
    (#""note":"""#, #""note":"other""#, "the note"),
    ("ENTRY", "OTHER", "its request id"), (#""kind":"photo""#, #""kind":"plate""#, "its kind"),
    ("12:33+02:00", "12:33Z", "the time"), ("Europe/Paris", "Etc/UTC", "the time zone"),
    ("48.8583", "48.8584", "the place"),
    (
      #"{"lat":48.8583,"lon":-2.2945},"place_source":"client""#, #"null,"place_source":null"#,
      "the place"
    ),
    (#"{"id":"COPY""#, #"{"id":"NONE""#, "the copy, which is missing"),
    (#""role":"original""#, #""role":"document""#, "what the original is for"),
    ("4310000", "4309999", "the bytes of the original"), ("0f", "0e", "the bytes of the original"),
    (#"{"request_id":"TURN","media_id":"COPY","answer":null}"#, "", "the turn, which is missing"),
  ])
  func `a record that is read back lands when it is what was sent, and is parked otherwise`(
    old: String, new: String, difference: String?
  ) {
    let judged = judge(answer(200, record.replacing(old, with: new)), .readback)
    let words = "the record that was read back differs from what was sent in "
    #expect(judged == difference.map { .permanent(words + $0, as: .unconfirmed) } ?? .landed)
  }

  @Test func `a plate that is read back is compared with all its photos`() {
    let entry = plateEntry()
    func judge(_ body: String) -> Judgement {
      Judgement(answer(200, body), for: .readback, of: entry)
    }
    let files = (1...3).map { #"{"id":"PAGE\#($0)","bytes":600000,"sha256":"\#($0)\#($0)"}"# }
    let plate = """
      {"encounters":[{"id":"plate-4","request_id":"ENTRY","kind":"plate","note":"",
      "captured_at":"2026-05-04T19:12:33+02:00","time_zone":"Europe/Paris",
      "place":{"lat":48.8583,"lon":-2.2945},"staged":[\(files.joined(separator: ","))]}],"next":null}
      """
    #expect(judge(plate) == .landed)
    let words = "the record that was read back differs from what was sent in "
    #expect(
      judge(plate.replacing("33", with: "34"))
        == .permanent(words + "the time", as: .unconfirmed))
    #expect(
      judge(plate.replacing(#""sha256":"22""#, with: #""sha256":"21""#))
        == .permanent(words + "the bytes of photo 2", as: .unconfirmed))
    #expect(
      judge(#"{"encounters":[],"next":null}"#)
        == .permanent("the engine has no record of this plate", as: .unconfirmed))
    #expect(isTransient(judge("[]")))
    #expect(isTransient(judge(record)))
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
