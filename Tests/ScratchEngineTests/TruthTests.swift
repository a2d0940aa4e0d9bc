import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

/// What is believed of a moment, and on whose word.
struct TruthTests {
  /// Photos of a few bytes, of which the first says what the photo tells.
  struct StandInPhotos: PhotoReader {
    static let silent: [UInt8] = [0]
    static let timed: [UInt8] = [1]
    static let local: [UInt8] = [2]
    static let placed: [UInt8] = [4]
    static let timedAndPlaced: [UInt8] = [5]
    static let broken: [UInt8] = [8]

    func facts(of photo: [UInt8]) -> PhotoFacts {
      var facts = PhotoFacts()
      let says = photo.first ?? 0
      if says & 3 != 0 { facts.taken = "2025-12-31T23:59:59" }
      if says & 1 != 0 { facts.offset = "+05:45" }
      if says & 4 != 0 { facts.place = Place(latitude: -33.5, longitude: 0) }
      return facts
    }

    func copy(_ kind: DerivedCopy, of photo: [UInt8]) throws -> [UInt8] {
      if photo.first == 8 { throw CaptureError.jpeg("it ends early") }
      return Array(kind.rawValue.utf8) + photo
    }
  }

  private static let byCamera = ("2025-12-31T23:59:59+05:45", "camera")
  private static let byClient = ("2026-05-04T19:12:33+02:00", "client")
  private static let byEngine = ("2026-01-01T00:00:00+00:00", "engine")
  private static let placedByCamera = (#"{"lat":-33.5,"lon":0.0}"#, #""camera""#)
  private static let placedByClient = (#"{"lat":48.8583,"lon":-2.2945}"#, #""client""#)
  private static let nowhere = ("null", "null")
  private static let bare = #"{"request_id":"e1","kind":"photo"}"#

  private static func expect(
    _ talk: inout Talk, _ time: (String, String), _ place: (String, String), _ note: Comment? = nil
  ) {
    let text = talk.send("GET", "/api/moments/\(Talk.moment)")?.text ?? ""
    #expect(
      text.contains(#""captured_at":"\#(time.0)","captured_at_source":"\#(time.1)""#), note)
    #expect(text.contains(#""place":\#(place.0),"place_source":\#(place.1)"#), note)
  }

  @Test func `the camera is believed before the client, and the client before the engine`() {
    let photos: [([UInt8], (String, String)?, (String, String)?)] = [
      (StandInPhotos.silent, nil, nil), (StandInPhotos.timed, Self.byCamera, nil),
      (StandInPhotos.placed, nil, Self.placedByCamera),
      (StandInPhotos.timedAndPlaced, Self.byCamera, Self.placedByCamera),
      (StandInPhotos.local, ("2025-12-31T23:59:59", "camera"), nil),
    ]
    for (photo, time, place) in photos {
      for (record, said, saidPlace) in [
        (Talk.record, Self.byClient, Self.placedByClient), (Self.bare, Self.byEngine, Self.nowhere),
      ] {
        for role in ["copy", "original"] {
          var talk = Talk(photos: StandInPhotos())
          talk.putRecord(record)
          Self.expect(&talk, said, saidPlace)
          talk.putMedia("m1", role, photo)
          Self.expect(&talk, time ?? said, place ?? saidPlace, "\(photo) as \(role)")
        }
      }
    }
  }

  @Test func `the original speaks before the copy, in whichever order they come`() {
    var talk = Talk(photos: StandInPhotos())
    talk.putRecord(Self.bare)
    talk.putMedia("c1", "copy", StandInPhotos.local)
    Self.expect(&talk, ("2025-12-31T23:59:59", "camera"), Self.nowhere)
    talk.putMedia("o1", "original", StandInPhotos.timed)
    Self.expect(&talk, Self.byCamera, Self.nowhere)
    // What the original leaves out, the copy may tell.
    talk.putMedia("c2", "copy", StandInPhotos.placed)
    Self.expect(&talk, Self.byCamera, Self.placedByCamera)
  }

  @Test func `a document tells nothing, and neither do photos that nobody reads`() {
    var talk = Talk(photos: StandInPhotos())
    talk.putRecord()
    talk.putMedia("d1", "document", StandInPhotos.timedAndPlaced)
    Self.expect(&talk, Self.byClient, Self.placedByClient)
    talk = Talk()
    talk.putRecord()
    talk.putMedia("o1", "original", StandInPhotos.timedAndPlaced)
    Self.expect(&talk, Self.byClient, Self.placedByClient)
  }

  @Test func `what a photo tells does not make a repeated record another one`() {
    var talk = Talk(photos: StandInPhotos())
    talk.putRecord()
    talk.putMedia("o1", "original", StandInPhotos.timedAndPlaced)
    let again = talk.putRecord()
    #expect(again?.status == 200)
    #expect(again?.text.contains(#""captured_at_source":"camera""#) == true)
    #expect(talk.send("GET", "/api/moments")?.text.contains(#""place_source":"camera""#) == true)
  }

  @Test func `the engine's date is that of the record's storing`() {
    var talk = Talk(photos: StandInPhotos())
    talk.now = Instant(seconds: 90)
    talk.putRecord(Self.bare)
    talk.now = Instant(seconds: 900)
    Self.expect(&talk, ("2026-01-01T00:01:30+00:00", "engine"), Self.nowhere)
  }

  private static func path(_ id: String, _ query: String) -> String {
    "/api/moments/\(Talk.moment)/media/\(id)\(query)"
  }

  @Test func `a photo is given as it was stored, for display and as a thumbnail`() {
    var talk = Talk(photos: StandInPhotos())
    talk.putRecord()
    talk.putMedia("o1", "original", StandInPhotos.timed)
    #expect(talk.send("GET", Self.path("o1", ""))?.body == StandInPhotos.timed)
    for kind in ["display", "thumbnail"] {
      let answer = talk.send("GET", Self.path("o1", "?as=\(kind)"))
      #expect(answer?.body == Array(kind.utf8) + StandInPhotos.timed)
      #expect(answer?.fields == [HeaderField("Content-Type", "image/jpeg")])
    }
  }

  @Test func `a photo that cannot be decoded is stored, and has no copy for a reason`() {
    var talk = Talk(photos: StandInPhotos())
    talk.putRecord()
    #expect(talk.putMedia("o1", "original", StandInPhotos.broken)?.status == 201)
    #expect(talk.send("GET", Self.path("o1", ""))?.body == StandInPhotos.broken)
    let answer = talk.send("GET", Self.path("o1", "?as=display"))
    #expect(answer?.status == 404)
    #expect(
      answer?.text
        == #"{"error":{"code":"no_copy","message":"The media o1 has no display copy: this JPEG cannot be worked on: it ends early."}}"#
    )
  }

  @Test func `what is no photo, no copy or not read is refused in words`() {
    var talk = Talk(photos: StandInPhotos())
    talk.putRecord()
    talk.putMedia("d1", "document", StandInPhotos.timed)
    #expect(
      talk.send("GET", Self.path("d1", "?as=thumbnail"))?.text.contains(
        "The media d1 has no thumbnail copy: it is a document.") == true)
    let poster = talk.send("GET", Self.path("d1", "?as=poster"))
    #expect(poster?.status == 422)
    #expect(poster?.text.contains(#""code":"bad_copy""#) == true)
    #expect(talk.send("GET", Self.path("x1", "?as=display"))?.status == 404)
    talk = Talk()
    talk.putRecord()
    talk.putMedia("o1", "original", StandInPhotos.timed)
    #expect(
      talk.send("GET", Self.path("o1", "?as=display"))?.text.contains(
        "this engine reads no photos") == true)
  }
}
