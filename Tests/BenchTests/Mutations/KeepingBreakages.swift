import Bench
import Captures
import Uploads

extension Breakage {
  /// Of what the client keeps on its device.
  static let keeping = [
    Breakage(
      "the client never sends an original", in: "two-captures", red: "attempts",
      also: ["landed", "finished", "lost"],
      says: "after: attempts of the files: expected each 1, measured photo-1 copy 1, photo-1"
        + " original 0"
    ) {
      $0.onDisk { files in
        files.bytes = { path, bytes in
          guard path.hasSuffix("/\(CaptureSet.fileName)") else { return bytes }
          let text = String(decoding: bytes, as: UTF8.self)
          return Array(text.replacing(#""original""#, with: #""origina1""#).utf8)
        }
      }
    },
    Breakage(
      "the client keeps no record in its outbox", in: "web-card", "app", red: "lost",
      also: ["landed", "attempts.original", "finished"],
      says: "app: lost captures: expected 0, measured 1"
    ) { $0.onDisk { files in files.skipsNaming = { $0.hasSuffix(".json") } } },
    Breakage(
      "the client does not let go of what its user discards", in: "refused", red: "discarded",
      also: ["landed", "parked"], says: "after: discarded captures: expected 2, measured 0"
    ) { $0.onDisk { files in files.failsRemoving = { $0.hasSuffix(".json") } } },
    Breakage(
      "the client does not sync a file that it keeps", in: "virtual/power-loss", red: "lost",
      also: ["landed", "parked"], says: "after: lost captures: expected 0, measured"
    ) {
      $0.onDisk { files in
        files.skipsSync = { $0.hasSuffix(".document") || $0.hasSuffix(".original") }
      }
    },
    Breakage(
      "the client does not sync its record before it is named", in: "virtual/power-loss",
      red: "lost", also: ["landed"], says: "after: lost captures: expected 0, measured"
    ) { $0.onDisk { files in files.skipsSync = { $0.hasSuffix(".json.new") } } },
    Breakage(
      "the client does not sync the folder of its outbox", in: "virtual/power-loss", red: "lost",
      also: ["landed"], says: "after: lost captures: expected 0, measured"
    ) { $0.onDisk { files in files.skipsSync = { $0.hasSuffix("/outbox") } } },
  ]
}

extension VirtualParts {
  /// Puts somebody between the client and its disk.
  mutating func onDisk(_ tamper: @escaping (inout TamperedFileSystem) -> Void) {
    fileSystem = { real in
      var files = TamperedFileSystem(real: real)
      tamper(&files)
      return files
    }
  }
}
