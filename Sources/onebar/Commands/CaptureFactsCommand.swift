import Captures
import JSON
import Quantities
import Reports
import UploadAdapters
import Uploads

struct CaptureFactsCommand: CommandLineCommand {
  let command = Command(
    ["capture", "facts"],
    help: """
      usage: onebar capture facts FILE... [--json]

      What client and engine believe of a photo: when and where it was taken, which way up
      it is stored, and the tag that says so. An offset is OffsetTimeOriginal's alone; a
      time without one is local time, and never read as UTC or by this machine's zone.

        --json   a line of JSON for each file

      exit codes: 0 all were read, 2 one could not be

      example
        onebar capture facts captures/photo-1.jpg
      """, options: [.flag("--json")], argument: "FILE", argumentCount: 1...1_000)

  func run(_ arguments: Arguments) throws -> ExitCode {
    var code = ExitCode.passed
    for file in arguments.positional {
      do throws(FileSystemError) {
        let facts = try Self.facts(of: file)
        Terminal.print(
          arguments.has("--json") ? Self.json(facts, file) : Self.text(facts, file))
      } catch {
        Terminal.complain("\(error)")
        code = .usage
      }
    }
    return code
  }

  private static func facts(of file: String) throws(FileSystemError) -> PhotoFacts {
    let files = PosixFileSystem()
    guard let size = try files.size(of: file) else {
      throw FileSystemError(path: file, cause: .notFound)
    }
    return PhotoFacts(jpeg: try files.read(file, from: 0, count: min(size, PhotoFacts.headBytes)))
  }

  private static func text(_ facts: PhotoFacts, _ file: String) -> String {
    let rows: [(String, String?, String)] = [
      ("taken", facts.taken, "DateTimeOriginal, SubSecTimeOriginal"),
      ("offset", facts.offset, "OffsetTimeOriginal"),
      (
        "place", facts.place.map { "\($0.latitude), \($0.longitude)" },
        "GPSLatitude, GPSLongitude and their references"
      ),
      ("orientation", facts.orientation.map { "\($0.rawValue), \($0)" }, "Orientation"),
      ("width", facts.width.map { "\($0)" }, "the frame header, as stored"),
      ("height", facts.height.map { "\($0)" }, "the frame header, as stored"),
    ]
    let width = rows.map { ($0.1 ?? "unknown").count }.max() ?? 0
    let lines = rows.map { name, value, source in
      let value = value ?? "unknown"
      return "  " + padded(name, to: 13) + padded(value, to: width + 2) + source
    }
    return ([file] + lines).joined(separator: "\n")
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func json(_ facts: PhotoFacts, _ file: String) -> String {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func number(_ value: Int?) -> JSONValue { value.map { JSONValue($0) } ?? .null }
    return JSONValue.object([
      "file": .string(file), "capturedAt": text(facts.capturedAt), "taken": text(facts.taken),
      "offset": text(facts.offset),
      "place": facts.place.map {
        .object(["lat": JSONValue($0.latitude), "lon": JSONValue($0.longitude)])
      } ?? .null,
      "orientation": number(facts.orientation?.rawValue),
      "width": number(facts.width), "height": number(facts.height),
    ]).line
  }
}
