import Captures
import Foundation
import JSON
import Quantities
import UploadAdapters
import Uploads

/// What the commands of the client by hand have in common: this device, and an outbox on it.
struct ClientByHand {
  let files = PosixFileSystem()
  /// Link time is real time, from the start of the command.
  let clock = ScaledClock(TimeScale(epoch: ScaledClock.monotonic, factor: 1))
  let mint: IdentityMint
  let timeZone = TimeZone.current.identifier

  init() {
    let today = Int64(Date().timeIntervalSince1970 * 1_000)
    mint = IdentityMint(
      random: SeededRandom(seed: .random(in: 0 ... .max)), clock: WallClock(epoch: today))
  }

  /// The folder of the outbox, as it was given; no slash ends it.
  static func outbox(_ arguments: Arguments, of command: String) throws -> String {
    guard let folder = arguments.value("--outbox") else {
      throw ArgumentError.missingOption("--outbox DIR", command: "client \(command)")
    }
    return withoutSlash(folder)
  }

  static func withoutSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// Throws when there is no outbox in that folder, so that no other folder is worked on.
  func expectOutbox(_ folder: String) throws {
    let reason: String
    do throws(FileSystemError) {
      switch try Outbox.nature(of: folder, on: files) {
      case .outbox: return
      case .missing: reason = "\(folder): there is no such folder"
      case .empty, .stranger: reason = "\(folder) is no outbox"
      }
    } catch {
      reason = "\(error)"
    }
    throw ArgumentError.badValue(
      option: "--outbox", reason: "\(reason); onebar client add FILE --outbox DIR makes one")
  }

  /// Opens an outbox for a change of one entry; nobody else may drain it meanwhile.
  func open(_ folder: String, entry id: String) async throws -> (Outbox, OutboxEntry) {
    let (outbox, recovery) = try await Outbox.openShared(
      folder, on: files, mint: mint, digest: { SHA256Digest() }, clock: clock)
    let fitting = recovery.entries.filter { $0.id.hasPrefix(id.uppercased()) }
    guard let entry = fitting.first, fitting.count == 1 else {
      throw EntryError(id: id, fitting: fitting, all: recovery.entries)
    }
    return (outbox, entry)
  }

  /// What the user is told when an outbox cannot be opened.
  static func words(_ error: any Error, _ folder: String) -> String {
    let isInUse = (error as? FileSystemError)?.cause == .locked
    return line(
      isInUse
        ? "\(folder): another process drains or changes it; let it end, or end it first"
        : "\(error)")
  }

  /// A line for people: what a name or an engine's words hold must not break it.
  static func line(_ text: String) -> String { StatusPrinter.printed(text) }

  static func json(_ fields: [String: JSONValue]) -> String { JSONValue.object(fields).line }

  static func json(_ place: Place?) -> JSONValue {
    place.map { .object(["lat": JSONValue($0.latitude), "lon": JSONValue($0.longitude)]) } ?? .null
  }

  static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension OutboxEntry {
  /// Bytes of all its files.
  var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
}

/// An id that names no entry, or several.
struct EntryError: Error, CustomStringConvertible {
  /// Entries that are named.
  private static let namedMax = 10

  let id: String
  let fitting: [OutboxEntry]
  let all: [OutboxEntry]

  var description: String {
    let known = fitting.isEmpty ? all : fitting
    if known.isEmpty { return "the outbox is empty: there is no entry \"\(id)\"" }
    let names = known.prefix(Self.namedMax).map { "\($0.id) (\($0.capture))" }
    let more = known.count > names.count ? " and \(known.count - names.count) more" : ""
    let fact =
      fitting.isEmpty
      ? "no entry has an id that begins with \"\(id)\"; there are: "
      : "\"\(id)\" begins the ids of several, write more of it: "
    return fact + names.joined(separator: ", ") + more
  }
}
