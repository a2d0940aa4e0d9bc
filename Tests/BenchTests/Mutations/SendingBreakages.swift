import Bench
import Captures
import Quantities
import Uploads

extension Breakage {
  /// Of what the client sends, and of what it makes of answers.
  static let sending = [
    Breakage(
      "the client mints new ids for each try", in: "taken-away", red: "duplicates",
      says: "after: captures that the engine holds twice: expected 0, measured 1"
    ) { $0.policy = { $0.with(\.stableIDs, false) } },
    Breakage(
      "the client stages each try under an id of its own", in: "offline-plate", red: "duplicates",
      says: "after: captures that the engine holds twice: expected 0, measured 1"
    ) { $0.policy = { $0.with(\.stableIDs, false) } },
    Breakage(
      "the client sends no request id with a turn", in: "captive-portal", red: "parked",
      also: ["attempts", "landed", "finished"],
      says: "after: parked captures: expected 0, measured 1"
    ) {
      $0.onTheWay { transport in
        transport.request = { request in
          guard request.path.hasSuffix("/turns"), case .bytes(let body, let type) = request.body
          else { return request }
          let text = String(decoding: body, as: UTF8.self).replacing("request_id", with: "id")
          var other = request
          other.body = .bytes(Array(text.utf8), type: type)
          return other
        }
      }
    },
    Breakage(
      "the client sends each file twice", in: "document", red: "attempts.document",
      also: ["repeated"], says: "after: attempts of the document: expected 1, measured 2"
    ) { $0.onTheWay { $0.repeats = { $0.sendsFile } } },
    Breakage(
      "the client waits in a tunnel for as long as it takes", in: "offline-plate",
      red: "attempts.staged", also: ["finished", "abandoned"],
      says: "after: attempts of the staged photos: expected 5, measured 4"
    ) { $0.policy = { $0.with(\.idle, .fixed(.seconds(1_000))) } },
    Breakage(
      "something sends each file twice, and tells nobody", in: "document", red: nil,
      says: "In doubt: after: the engine saw 2 attempts at document-1 document, and the client"
        + " reported 1"
    ) {
      $0.onTheWay { transport in
        transport.repeats = { $0.sendsFile }
        transport.tells = false
      }
    },
    Breakage(
      "the client takes an original for sent that never left", in: "two-captures", red: "landed",
      also: ["attempts", "finished"],
      says: "after: files that landed: expected all, measured 2 of 4"
    ) { $0.takingForSent("original") },
    Breakage(
      "the client ignores Retry-After", in: "asked-to-wait", red: "finished",
      says: "after: time of the last receipt: expected 155.5 s +- 2 %, measured 35"
    ) {
      $0.onTheWay { transport in
        transport.answer = { _, answer in
          var answer = answer
          answer.headers.removeAll { $0.name == "Retry-After" }
          return answer
        }
      }
    },
    Breakage(
      "the client tries again every second", in: "captive-portal", red: "overhead",
      says: "after: overhead bytes: expected <= 5 KB, measured"
    ) { $0.policy = { $0.with(\.syncPause, .seconds(1)) } },
    Breakage(
      "the client tries again what is refused for good", in: "gap-400", red: "parked",
      also: ["attempts", "landed"], says: "after: parked captures: expected 1, measured 0"
    ) { $0.taking(400, as: 503) },
    Breakage(
      "the client parks what may pass", in: "document", red: "parked",
      says: "after: parked captures: expected 0, measured 1"
    ) { $0.taking(503, as: 400) },
    Breakage(
      "the client sends what was taken last first", in: "refused", red: "attempts.original",
      says: "after: attempts of the original: expected 3, measured 2",
      and: "the large original was begun 1 time (1 was answered 400 after 19.5 s) and did not land"
    ) { $0.policy = { $0.with(\.order, .newestFirst) } },
    Breakage(
      "the client sends an original before its copy", in: "two-captures", red: "finished",
      says: "after: time of the last receipt: expected 162 s +- 2 %, measured 156.7 s"
    ) { $0.policy = { $0.with(\.order, .originalFirst) } },
    Breakage(
      "the client lets no body stand still for more than 60 s", in: "tunnel", red: "abandoned",
      also: ["attempts", "finished", "lines.longest-silence"],
      says: "after: abandoned bytes: expected 0 B, measured 794.24 KB"
    ) { $0.policy = { $0.with(\.idle, .fixed(.seconds(60))) } },
    Breakage(
      "the client has no ceiling", in: "ceiling", "before", red: "wire.original",
      also: ["attempts.original", "landed"],
      says: "before: bytes of the original on the wire: expected 13.97 MB +- 1 %, measured 4 MB"
    ) { $0.policy = { $0.with(\.ceiling, .seconds(10_000)) } },
    Breakage(
      "the client sends again and again what is too slow", in: "ceiling-held", "beyond",
      red: "held", also: ["attempts.document", "landed", "abandoned"],
      says: "beyond: held captures: expected 1, measured 0"
    ) { $0.policy = { $0.with(\.holdsSlow, false) } },
    Breakage(
      "the client closes where it has to reset", in: "slow-copy", "before", red: "wire.copy",
      says: "before: bytes of the copy on the wire: expected 9.93 MB +- 1 %, measured 11.55 MB"
    ) { $0.policy = { $0.with(\.cut, .close) } },
    Breakage(
      "the client sends a finished step again", in: "turn-503", red: "repeated",
      also: ["attempts", "finished"],
      says: "after: repeated bytes: expected 0 B, measured 300 KB"
    ) { $0.policy = { $0.with(\.doneSet, false) } },
    Breakage(
      "the client sends a copy again for its turn", in: "taken-away", red: "attempts.copy",
      also: ["repeated"], says: "after: attempts of the copy: expected 2, measured 3"
    ) { $0.policy = { $0.with(\.doneSet, false) } },
  ]
}

extension UploadPolicy {
  /// The same but for one setting.
  func with<Value>(_ setting: WritableKeyPath<UploadPolicy, Value>, _ value: Value) -> UploadPolicy
  {
    var policy = self
    policy[keyPath: setting] = value
    return policy
  }
}

extension VirtualParts {
  /// Puts somebody between the client and its transport.
  mutating func onTheWay(_ tamper: @escaping (inout TamperedTransport) -> Void) {
    transport = { real in
      var transport = TamperedTransport(real: real)
      tamper(&transport)
      return transport
    }
  }

  /// The client believes to have the receipt of the file of a step, and sends nothing.
  fileprivate mutating func takingForSent(_ role: String) {
    var kept: (any FileSystem)?
    fileSystem = { real in
      kept = real
      return real
    }
    onTheWay { transport in
      guard let files = kept else { return }
      transport.madeUp = { request in
        guard case .file(let path, let count, _) = request.body,
          let media = request.path.firstMatch(of: /media\/(.+)\?role=(.+)/), media.2 == role,
          let bytes = try? files.read(path, from: 0, count: count)
        else { return nil }
        let receipt =
          #"{"id":"\#(media.1)","bytes":\#(count),"sha256":"\#(sha256(of: bytes))"}"#
        return HTTPAnswer(status: 201, body: Array(receipt.utf8))
      }
    }
  }

  /// The client takes one status for another.
  mutating func taking(_ status: Int, as other: Int) {
    onTheWay { transport in
      transport.answer = { _, answer in
        var answer = answer
        if answer.status == status { answer.status = other }
        return answer
      }
    }
  }
}
