import Captures
import Glibc
import Quantities
import TestSupport
import Testing

extension EndToEnd {
  /// What is believed of a photo, by hand: the same under every zone of the machine.
  @Suite struct Truth {
    private static let zones = ["UTC", "Asia/Kathmandu", "America/St_Johns"]

    /// A photo's head; without an offset if told so.
    private static func photo(offset: Bool) throws -> [UInt8] {
      var block = ExifBlock(
        time: try CaptureTime(rfc3339: "2026-05-04T19:12:33+02:00"),
        place: Place(latitude: 48.8583, longitude: -2.2945), width: 640, height: 480)
      if !offset { block.exposure.removeAll { (0x9010...0x9012).contains($0.tag) } }
      return [0xff, 0xd8] + block.segment()
        + JPEGSegments.segment(0xc0, [8, 0x01, 0xe0, 0x02, 0x80, 1, 1, 0x11, 0])
    }

    @Test func `the facts of a photo name their tags, and are the same in every zone`() async throws
    {
      let scratch = try Scratch()
      try scratch.write(try Self.photo(offset: true), as: "whole.jpg")
      try scratch.write(try Self.photo(offset: false), as: "local.jpg")
      try scratch.write("no photo", as: "note.txt")
      for zone in Self.zones {
        let ending = try await OnebarProcess(
          ["capture", "facts", "whole.jpg", "local.jpg", "note.txt", "--json"], in: scratch,
          environment: ["TZ=\(zone)"]
        ).end(within: 20)
        #expect(ending.code == 0)
        #expect(
          ending.output == """
            {"capturedAt":"2026-05-04T19:12:33+02:00","file":"whole.jpg","height":480,\
            "offset":"+02:00","orientation":1,"place":{"lat":48.8583,"lon":-2.2945},\
            "taken":"2026-05-04T19:12:33","width":640}
            {"capturedAt":"2026-05-04T19:12:33","file":"local.jpg","height":480,\
            "offset":null,"orientation":1,"place":{"lat":48.8583,"lon":-2.2945},\
            "taken":"2026-05-04T19:12:33","width":640}
            {"capturedAt":null,"file":"note.txt","height":null,"offset":null,\
            "orientation":null,"place":null,"taken":null,"width":null}

            """)
      }
      let told = try await onebar("capture", "facts", "local.jpg", in: scratch, within: 20)
      #expect(
        told.output == """
          local.jpg
            taken        2026-05-04T19:12:33  DateTimeOriginal, SubSecTimeOriginal
            offset       unknown              OffsetTimeOriginal
            place        48.8583, -2.2945     GPSLatitude, GPSLongitude and their references
            orientation  1, upright           Orientation
            width        640                  the frame header, as stored
            height       480                  the frame header, as stored

          """)
      let missing = try await onebar(
        "capture", "facts", "gone.jpg", "local.jpg", in: scratch, within: 20)
      #expect(missing.code == 2)
      #expect(missing.errors == "onebar: gone.jpg: no such file\n")
      #expect(missing.output == told.output)
    }

    @Test(arguments: zones)
    func `the engine dates a moment by its photo, else by today, in no zone of its own`(
      zone: String
    ) async throws {
      let scratch = try Scratch()
      let engine = try OnebarProcess(["engine"], in: scratch, environment: ["TZ=\(zone)"])
      let port = try await ByHand.port(of: engine)
      func ask(_ method: String, _ target: String, _ body: [UInt8] = []) throws -> String {
        let socket = try #require(BlockingSocket.connect(port: port))
        let head =
          "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
          + "Content-Length: \(body.count)\r\n\r\n"
        socket.send(Array(head.utf8) + body)
        return String(decoding: socket.receiveAll().bytes, as: UTF8.self)
      }
      let moment = "/api/moments/01J8Z0000000000000000000AB"
      let record = try ask("PUT", moment, Array(#"{"request_id":"e1","kind":"photo"}"#.utf8))
      let today = CivilTime.rfc3339(milliseconds: Int64(time(nil)) * 1_000)
      // To the minute, or the one before: the test may straddle its end.
      let before = CivilTime.rfc3339(milliseconds: (Int64(time(nil)) - 60) * 1_000)
      let date = record.firstMatch(
        of: /"captured_at":"(\S{16}):\d\d\+00:00","captured_at_source":"engine"/)
      let minute = try #require(date?.output.1)
      #expect([today.prefix(16), before.prefix(16)].contains(minute))

      #expect(
        try ask("PUT", "\(moment)/media/o1?role=original", try Self.photo(offset: false)).hasPrefix(
          "HTTP/1.1 201 "))
      let read = try ask("GET", moment)
      #expect(read.contains(#""captured_at":"2026-05-04T19:12:33","captured_at_source":"camera""#))
      #expect(read.contains(#""place":{"lat":48.8583,"lon":-2.2945},"place_source":"camera""#))
      // The head of a photo has no picture to show.
      let shown = try ask("GET", "\(moment)/media/o1?as=display")
      #expect(shown.hasPrefix("HTTP/1.1 404 "))
      #expect(shown.contains("The media o1 has no display copy: this JPEG cannot be worked on: "))
      engine.signal(SIGINT)
      #expect(try await engine.end(within: 10).code == 0)
    }
  }
}
