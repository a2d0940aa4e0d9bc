import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct MomentTests {
  @Test func `a record is stored once and replayed`() {
    var talk = Talk()
    let first = talk.putRecord()
    let members =
      #"{"id":"01J8Z0000000000000000000AB","request_id":"e1","kind":"photo","note":"A street","#
      + #""captured_at":"2026-05-04T19:12:33+02:00","captured_at_source":"client","#
      + #""time_zone":"Europe/Paris","place":{"lat":48.8583,"lon":-2.2945},"#
      + #""place_source":"client","media":[],"turns":[],"texts":[]"#
    #expect(first?.status == 201)
    #expect(first?.text == members + #","replayed":false}"#)
    #expect(first?.fields == [HeaderField("Content-Type", "application/json")])

    // The same content in another order of keys.
    let again = talk.putRecord(
      #"{"place":{"lon":-2.2945,"lat":48.8583},"kind":"photo","time_zone":"Europe/Paris","#
        + #""captured_at":"2026-05-04T19:12:33+02:00","note":"A street","request_id":"e1"}"#)
    #expect(again?.status == 200)
    #expect(again?.text == members + #","replayed":true}"#)
    #expect(talk.send("GET", "/api/moments/\(Talk.moment)")?.text == members + "}")
    #expect(talk.ledger.momentsStored == 1)
    #expect(talk.ledger.requests.map(\.replay) == [false, true, false])
    #expect(talk.ledger.requests.map(\.step) == [.record, .record, .readback])
  }

  @Test func `a record with other content is refused and the first stays`() {
    var talk = Talk()
    talk.putRecord()
    let other = talk.putRecord(Talk.record.replacing("A street", with: "A lane"))
    #expect(other?.status == 422)
    #expect(
      other?.text
        == #"{"error":{"code":"content_differs","message":"The moment 01J8Z0000000000000000000AB is stored with other content; the first stays. Use a new id."}}"#
    )
    let back = talk.send("GET", "/api/moments/\(Talk.moment)")
    #expect(back?.text.contains(#""note":"A street""#) == true)
  }

  @Test func `a request id is not taken for a second moment`() {
    var talk = Talk()
    talk.putRecord()
    let second = talk.putRecord(moment: "01J8Z0000000000000000000CD")
    #expect(second?.status == 422)
    #expect(talk.ledger.momentsStored == 1)
  }

  @Test func `only request id and kind are needed`() {
    var talk = Talk()
    let answer = talk.putRecord(#"{"request_id":"e1","kind":"document"}"#)
    #expect(answer?.status == 201)
    #expect(
      answer?.text.contains(
        #""note":null,"captured_at":"2026-01-01T00:00:00+00:00","captured_at_source":"engine","#
          + #""time_zone":null,"place":null,"place_source":null"#)
        == true)
  }

  @Test(arguments: [
    "2026-05-04T19:12:33", "2026-05-04T19:12:33.25", "2026-05-04t19:12:33.25z",
    "2026-05-04T19:12:33-00:00",
  ])
  func `a time is read back as it was written, with its offset or without`(_ time: String) {
    var talk = Talk()
    talk.putRecord(#"{"request_id":"e1","kind":"photo","captured_at":"\#(time)"}"#)
    let back = talk.send("GET", "/api/moments/\(Talk.moment)")
    #expect(back?.text.contains(#""captured_at":"\#(time)""#) == true)
  }

  @Test(arguments: [
    ("", 400, "bad_json", "The body is not valid JSON in UTF-8."),
    ("{", 400, "bad_json", "The body is not valid JSON in UTF-8."),
    ("[]", 422, "invalid_field", "The body is of the wrong type."),
    (#"{"kind":"photo"}"#, 422, "invalid_field", "request_id is missing."),
    (#"{"request_id":7,"kind":"photo"}"#, 422, "invalid_field", "request_id is of the wrong type."),
    (
      #"{"request_id":"a b","kind":"photo"}"#, 422, "invalid_field",
      "request_id is not an id: 1 to 64 letters, digits, or any of - . _ ~"
    ),
    (#"{"request_id":"e1","kind":""}"#, 422, "invalid_field", "kind is empty."),
    (
      #"{"request_id":"e1","kind":"photo","captured_at":"2026-02-29T00:00:00Z"}"#, 422,
      "invalid_field",
      "captured_at is not an RFC 3339 time; only the offset may be left out, if unknown."
    ),
    (
      #"{"request_id":"e1","kind":"photo","captured_at":"2026-05-04T19:12:33 +02:00"}"#, 422,
      "invalid_field",
      "captured_at is not an RFC 3339 time; only the offset may be left out, if unknown."
    ),
    (
      #"{"request_id":"e1","kind":"photo","place":{"lat":1}}"#, 422, "invalid_field",
      "place.lon is missing."
    ),
    (
      #"{"request_id":"e1","kind":"photo","place":{"lat":91,"lon":0}}"#, 422, "invalid_field",
      "place is not on Earth: lat is -90 to 90, lon is -180 to 180."
    ),
  ])
  func `a record that is none is refused with what is wrong`(
    _ body: String, _ status: Int, _ code: String, _ message: String
  ) {
    var talk = Talk()
    let answer = talk.putRecord(body)
    #expect(answer?.status == status)
    #expect(answer?.text == #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#)
    #expect(talk.ledger.momentsStored == 0)
  }

  @Test func `the list holds the moments in order of storing`() {
    var talk = Talk()
    #expect(talk.send("GET", "/api/moments")?.text == #"{"moments":[],"next":null}"#)
    for (id, request) in [("B", "e1"), ("A", "e2")] {
      talk.putRecord(
        #"{"request_id":"\#(request)","kind":"photo"}"#,
        moment: "01J8Z000000000000000000000".dropLast() + id)
    }
    let list = talk.send("GET", "/api/moments")?.text ?? ""
    #expect(
      list.ranges(of: #""request_id":"e1""#).first.map { first in
        list.ranges(of: #""request_id":"e2""#).first.map { first.lowerBound < $0.lowerBound }
      } == true)
  }

  @Test func `the list comes in pages`() {
    var limits = EngineLimits()
    limits.listed = 2
    var talk = Talk(limits: limits)
    let ids = (1...5).map { "01J8Z00000000000000000000\($0)" }
    for id in ids { talk.putRecord(#"{"request_id":"\#(id)","kind":"photo"}"#, moment: id) }
    func page(_ query: String) -> [String] {
      let text = talk.send("GET", "/api/moments\(query)")?.text ?? ""
      return ids.filter { text.contains(#""id":"\#($0)""#) }
        + (text.hasSuffix(#""next":null}"#) ? ["end"] : [])
    }
    #expect(page("") == [ids[0], ids[1]])
    #expect(page("?after=\(ids[1])") == [ids[2], ids[3]])
    #expect(page("?after=\(ids[3])&limit=1") == [ids[4], "end"])
    #expect(page("?after=\(ids[4])") == ["end"])
    for query in ["?limit=0", "?limit=3", "?limit=x", "?after=nothing"] {
      #expect(talk.send("GET", "/api/moments\(query)")?.status == 422)
    }
  }
}
