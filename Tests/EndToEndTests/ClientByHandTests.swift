import FoundationEssentials
import Glibc
import JSON
import TestSupport
import Testing

extension EndToEnd {
  /// The client as someone uses it who has a folder of photos.
  @Suite struct ClientByHand {
    @Test func `photos and a document land once each, through a proxy, and are kept no longer`()
      async throws
    {
      let desk = try await Desk()
      let added = try await onebar(
        "client", "add", "photos", "--outbox", "outbox", "--note", "a view", "--json",
        in: desk.scratch)
      #expect(added.code == 0, "\(added.errors)")
      let lines = try added.output.split(separator: "\n").map { try EndToEnd.fields(of: $0) }
      #expect(
        lines.map { $0["capture"] }
          == ["photo-1-copy.jpg", "photo-1.jpg", "photo-2-copy.jpg", "photo-2.jpg"]
          .map { .string($0) })
      #expect(lines.allSatisfy { $0["capturedAtSource"] == .string("camera") })
      let again = try await onebar(
        "client", "add", "photos/photo-1.jpg", "photos/document-1.pdf", "--outbox", "outbox/",
        in: desk.scratch)
      #expect(again.code == 0)
      #expect(again.output.contains("photos/photo-1.jpg: the same bytes are kept already"))
      #expect(again.output.contains(#/kept \w{26}  document-1\.pdf, .* \(now\)\n/#))

      let proxy = try OnebarProcess(
        ["proxy", "--to", "127.0.0.1:\(desk.port)", "--quiet"], in: desk.scratch)
      let drain = try await desk.drain(through: try await ByHand.port(of: proxy))
      #expect(drain.code == 0, "\(drain.output)\(drain.errors)")
      #expect(drain.output.hasSuffix("5 landed, 0 left, 0 parked\n"))
      #expect(drain.output.contains("photo-2.jpg: done, the photo is kept by the engine in both"))
      let stored = try desk.stored()
      #expect(stored.count == 9, "two files for each photo, and the document")
      #expect(Set(stored).count == 9)
      #expect(desk.scratch.names(in: "outbox") == ["adding", "lock"])
      #expect(try await desk.drain().output == "nothing to send in outbox\n")
    }

    @Test func `an address that is not found is said so, and everything waits for it`()
      async throws
    {
      let desk = try await Desk()
      _ = try await onebar("client", "add", "photos", "--outbox", "outbox", in: desk.scratch)
      // The name is reserved: it never resolves (RFC 6761).
      let drain = try await onebar(
        "client", "drain", "--outbox", "outbox", "--engine", "http://engine.invalid:8080",
        "--once", in: desk.scratch)
      #expect(drain.code == 1)
      #expect(drain.output.contains("resolve host"), "\(drain.output)")
      #expect(!drain.output.contains("down"))
      #expect(drain.output.contains("\n0 landed, 4 left, 0 parked;"))
      #expect(try await desk.drain().output.hasSuffix("4 landed, 0 left, 0 parked\n"))
    }

    @Test func `a drain that is interrupted goes on later, and one at a time may drain`()
      async throws
    {
      let desk = try await Desk()
      _ = try await onebar("client", "add", "photos", "--outbox", "outbox", in: desk.scratch)
      let proxy = try OnebarProcess(
        ["proxy", "--to", "127.0.0.1:\(desk.port)", "--up", "150KB/s", "--quiet"],
        in: desk.scratch)
      let slow = try await ByHand.port(of: proxy)
      let drain = try OnebarProcess(desk.draining(slow), in: desk.scratch)
      #expect(await eventually(within: 30) { (try? desk.stored().count) ?? 0 > 0 })

      let second = try await desk.drain()
      #expect(second.code == 2)
      #expect(second.errors.contains("outbox: another process drains or changes it"))
      let added = try await onebar(
        "client", "add", "photos/document-1.pdf", "--outbox", "outbox", in: desk.scratch)
      #expect(added.code == 0)
      let list = try await onebar("client", "list", "--outbox", "outbox", in: desk.scratch)
      #expect(list.output.contains("landed: record, copy"))
      #expect(list.output.contains("document-1.pdf"))

      drain.signal(SIGINT)
      let ending = try await drain.end(within: 20)
      #expect(ending.code == 130)
      #expect(ending.output.contains(" left, 0 parked; the next drain goes on"))
      let last = try await desk.drain()
      #expect(last.code == 0, "\(last.output)\(last.errors)")
      let stored = try desk.stored()
      #expect(stored.count == 9, "nothing is stored twice, and nothing is lost")
      #expect(Set(stored).count == 9)
    }

    @Test func `what was added is whole or not there when the adding is killed`() async throws {
      let desk = try await Desk()
      let names = try (1...60).map { number in
        let name = "many/\(number).pdf"
        if number == 1 { _ = try desk.scratch.folder("many") }
        try desk.scratch.write("%PDF-1.4 \(number)", as: name)
        return name
      }
      // Two at once, of which one is killed in the middle.
      let words = ["client", "add", "--outbox", "outbox"]
      let killed = try OnebarProcess(words + names[..<30], in: desk.scratch)
      let other = try OnebarProcess(words + names[30...], in: desk.scratch)
      #expect(await eventually(within: 30) { killed.outputSoFar.contains("kept") })
      killed.signal(SIGKILL)
      _ = try await killed.end(within: 10)
      let kept = killed.outputSoFar.split(separator: "\n").count
      #expect(try await other.end(within: 60).code == 0)
      let list = try await onebar("client", "list", "--outbox", "outbox", in: desk.scratch)
      let listed = list.output.split(separator: "\n")
      #expect(!list.output.contains("damaged"))
      // One may have been kept that had no time to be told of.
      #expect((30 + kept...31 + kept).contains(listed.count))
      let drain = try await desk.drain()
      #expect(drain.code == 0, "\(drain.errors)")
      #expect(Set(try desk.stored()).count == listed.count)
      #expect(desk.scratch.names(in: "outbox") == ["adding", "lock"])
    }

    @Test func `what the engine refuses is parked, and sent again or discarded by the user`()
      async throws
    {
      let desk = try await Desk(
        script: """
          script:
            - when: { step: record }
              times: 2
              then: { answer: 400 }
          """)
      _ = try await onebar(
        "client", "add", "photos/photo-1.jpg", "photos/photo-2.jpg", "--outbox", "outbox",
        in: desk.scratch)
      let drain = try await desk.drain()
      #expect(drain.code == 1)
      #expect(drain.output.contains("400. (HTTP 400) [Send now, Discard]\n"))
      #expect(drain.output.contains("0 landed, 0 left, 2 parked; onebar client list"))

      let list = try await onebar(
        "client", "list", "--outbox", "outbox", "--json", in: desk.scratch)
      let entries = try list.output.split(separator: "\n").map { try EndToEnd.fields(of: $0) }
      #expect(entries.allSatisfy { $0["state"] == .string("parked") })
      guard case .string(let first)? = entries.first?["id"],
        case .string(let second)? = entries.last?["id"]
      else {
        Issue.record("\(list.output)")
        return
      }
      let unknown = try await onebar(
        "client", "send-now", "ZZ", "--outbox", "outbox", in: desk.scratch)
      #expect(unknown.code == 2)
      #expect(unknown.errors.contains("there are: \(first) (photo-1.jpg), \(second)"))
      let several = try await onebar(
        "client", "discard", "0", "--outbox", "outbox", in: desk.scratch)
      #expect(several.code == 2)
      #expect(several.errors.contains("\"0\" begins the ids of several, write more of it: "))
      let sent = try await onebar(
        "client", "send-now", first.lowercased(), "--outbox", "outbox", in: desk.scratch)
      #expect(sent.output == "\(first)  photo-1.jpg: the next drain sends it again\n")
      let discarded = try await onebar(
        "client", "discard", second, "--outbox", "outbox", in: desk.scratch)
      #expect(discarded.output == "\(second)  photo-2.jpg: discarded\n")
      #expect(try await desk.drain().output.hasSuffix("1 landed, 0 left, 0 parked\n"))
      #expect(desk.scratch.names(in: "outbox") == ["adding", "lock"])
    }

    @Test func `to a stranger nothing is sent, and nobody at home leaves all as it is`()
      async throws
    {
      let desk = try await Desk(
        script: "script: [{ when: { path: /api/health }, then: { answer: 404 } }]")
      _ = try await onebar(
        "client", "add", "photos/photo-1.jpg", "--outbox", "outbox", in: desk.scratch)
      let stranger = try await desk.drain()
      #expect(stranger.code == 2)
      #expect(stranger.errors.contains("is no engine of onebar (HTTP 404); nothing was sent"))
      let nobody = try await onebar(
        "client", "drain", "--outbox", "outbox", "--engine", "http://127.0.0.1:1", "--once",
        in: desk.scratch)
      #expect(nobody.code == 1)
      #expect(nobody.output.contains("photo-1.jpg: kept, waits for the engine: no connection: "))
      #expect(nobody.output.contains("0 landed, 1 left, 0 parked"))
      // It is retried until it is told to stop.
      let patient = try OnebarProcess(desk.draining(1), in: desk.scratch)
      #expect(await eventually(within: 20) { patient.outputSoFar.contains("waits for") })
      patient.signal(SIGTERM)
      #expect(try await patient.end(within: 10).code == 130)
    }

    @Test func `files that cannot be kept are named, and the others are kept`() async throws {
      let desk = try await Desk()
      let photo = try Data(contentsOf: URL(filePath: "\(desk.scratch.path)/photos/photo-1.jpg"))
      _ = try desk.scratch.folder("odd/folder.jpg")
      let odd: [(String, [UInt8])] = [
        ("a b\n.jpg", Array(photo)), ("é 写真.JPEG", Array(photo) + [0]),
        ("-dash.jpg", Array(photo) + [1]), ("empty.jpg", []), ("cut.jpg", Array(photo[..<30])),
        ("text.jpg", Array("no photo".utf8)), ("other.txt", [1]), (".hidden.jpg", Array(photo)),
      ]
      for (name, bytes) in odd { try desk.scratch.write(bytes, as: "odd/\(name)") }
      #expect(mkfifo("\(desk.scratch.path)/odd/pipe.jpg", 0o600) == 0)
      let added = try await onebar(
        "client", "add", "odd", "none.jpg", "--outbox", "outbox", in: desk.scratch, within: 30)
      #expect(added.code == 1)
      #expect(added.output.split(separator: "\n").count == 3)
      #expect(added.output.contains("  a b .jpg, "))
      for words in [
        "odd/empty.jpg: it is empty", "odd/cut.jpg: it begins as a JPEG photo, and ends",
        "odd/text.jpg: it is neither", "odd/folder.jpg: it is no file",
        "odd/pipe.jpg: it is no file", "none.jpg: no such file", "1 of the folder passed over",
        "3 kept, 6 not",
      ] {
        #expect(added.errors.contains(words), "\(added.errors)")
      }
      let list = try await onebar("client", "list", "--outbox", "outbox", in: desk.scratch)
      #expect(list.output.split(separator: "\n").count == 3)
    }

    @Test func `an engine over HTTPS is trusted by its certificate, and not without`() async throws
    {
      let desk = try await Desk(options: ["--tls", "engine.pem"])
      _ = try await onebar(
        "client", "add", "photos/photo-1.jpg", "--outbox", "outbox", in: desk.scratch)
      let engine = "https://localhost:\(desk.port)"
      let words = ["client", "drain", "--outbox", "outbox", "--engine", engine]
      let untrusting = try await OnebarProcess(words + ["--once"], in: desk.scratch)
        .end(within: 30)
      #expect(untrusting.code == 1)
      #expect(untrusting.output.lowercased().contains("certificate"))
      let trusting = try await OnebarProcess(words + ["--cacert", "engine.pem"], in: desk.scratch)
        .end(within: 30)
      #expect(trusting.code == 0, "\(trusting.output)\(trusting.errors)")
    }

    @Test func `alone, the client shows what it can do`() async throws {
      let ending = try await onebar("client", in: try Scratch())
      #expect(ending.code == 2)
      for word in ["add FILE", "drain", "list", "send-now ID", "discard ID"] {
        #expect(ending.output.contains(word))
      }
    }
  }

  /// The fields of a line of JSON.
  private static func fields(of line: Substring) throws -> [String: JSONValue] {
    guard case .object(let fields) = try JSONValue(parsing: String(line)) else { return [:] }
    return fields
  }

  /// Two photos and a document in a folder, and an engine that writes its ledger.
  private struct Desk {
    let scratch: Scratch
    let port: UInt16
    private let engine: OnebarProcess

    init(script: String = "", options: [String] = []) async throws {
      scratch = try Scratch()
      let made = try await onebar(
        "capture", "--count", "2", "--photo", "original=300KB,copy=150KB", "--document", "50KB",
        "--out", "photos", in: scratch)
      try #require(made.code == 0)
      try scratch.write(script, as: "script.yaml")
      engine = try OnebarProcess(
        ["engine", "--ledger", "ledger.jsonl", "--quiet"] + options
          + (script.isEmpty ? [] : ["--script", "script.yaml"]), in: scratch)
      port = try await ByHand.port(of: engine)
    }

    func draining(_ port: UInt16) -> [String] {
      ["client", "drain", "--outbox", "outbox", "--engine", "http://127.0.0.1:\(port)"]
    }

    func drain(through port: UInt16? = nil) async throws -> OnebarProcess.Ending {
      try await OnebarProcess(draining(port ?? self.port), in: scratch).end(within: 60)
    }

    /// Digests of the files that the engine has stored, in order; a replay is none.
    func stored() throws -> [String] {
      try scratch.text(of: "ledger.jsonl").split(separator: "\n").compactMap { line in
        guard case .object(let entry)? = try EndToEnd.fields(of: line)["request"],
          entry["stored"] == .bool(true), entry["replayed"] == .bool(false),
          case .string(let step)? = entry["step"],
          ["copy", "original", "document"].contains(step),
          case .string(let digest)? = entry["sha256"], case .string(let media)? = entry["media"]
        else { return nil }
        return "\(media) \(digest)"
      }
    }
  }
}
