import EventLoop
import FoundationEssentials
import Glibc

/// The index of a store: a file of lines, one for each request that stored something.
final class StoreIndex {
  /// One line.
  struct Line: Codable {
    /// Nil of what was too large to be kept.
    var file: String?
    var method: String
    var target: String
    var type: String?
    var bytes: Int
    var sha256: String
    /// Milliseconds since 1970.
    var stored: Int64
  }

  /// The largest index that is read, in bytes; the engine's own limits are met far below.
  private static let sizeMax = 100_000_000
  static let name = "index.jsonl"

  private let path: String
  private let aside: String
  private var file: Descriptor
  private(set) var lines: [Line] = []
  /// Numbers of the lines that make no sense, from 1.
  private(set) var senseless: [Int] = []
  /// Bytes of the whole lines.
  private var size = 0

  /// Makes the index of a folder, or reads it.
  init(in folder: String, aside: String) throws(SystemFailure) {
    path = "\(folder)/\(Self.name)"
    self.aside = aside
    file = try Self.open(path)
    let bytes = try WholeFile.read(path, sizeMax: Self.sizeMax)
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, text) in texts.dropLast().enumerated() {
      if let line = try? JSONDecoder().decode(Line.self, from: Data(text)) {
        lines.append(line)
      } else {
        senseless.append(number + 1)
      }
    }
    // What follows the last line break is the line at which an engine was killed.
    size = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    guard ftruncate(file.number, size) == 0 else { throw SystemFailure("writing \(path)") }
  }

  private static func open(_ path: String) throws(SystemFailure) -> Descriptor {
    try Descriptor(
      Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644), doing: "opening \(path)")
  }

  /// Adds a line; throws, and adds nothing, when it cannot.
  func add(_ line: Line) throws(SystemFailure) {
    let bytes = try Self.bytes(of: line)
    let count = write(file.number, bytes, bytes.count)
    guard count == bytes.count else {
      let failure = SystemFailure("writing the index", code: count < 0 ? errno : ENOSPC)
      _ = ftruncate(file.number, size)
      throw failure
    }
    size += bytes.count
    lines.append(line)
  }

  /// Has these lines in place of all; the index as it was stays beside it under another name, which
  /// is returned.
  func replace(with lines: [Line]) throws(SystemFailure) -> String {
    let old = DamagedName.free(for: path)
    guard link(path, old) == 0 else { throw SystemFailure("making \(old)") }
    var bytes: [UInt8] = []
    for line in lines { bytes += try Self.bytes(of: line) }
    try WholeFile.write(bytes, to: path, aside: aside)
    file = try Self.open(path)
    (self.lines, senseless, size) = (lines, [], bytes.count)
    return old
  }

  private static func bytes(of line: Line) throws(SystemFailure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(line) else {
      throw SystemFailure("writing the index", code: EINVAL)
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}

/// The name under which a damaged file is set aside.
enum DamagedName {
  /// `NAME.damaged`, or `NAME.damaged-2` and so on where that is taken.
  static func free(for path: String) -> String {
    var name = "\(path).damaged"
    var number = 1
    while access(name, F_OK) == 0 {
      number += 1
      name = "\(path).damaged-\(number)"
    }
    return name
  }
}
