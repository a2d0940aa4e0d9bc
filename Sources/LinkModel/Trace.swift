package import Quantities

/// Opportunities as they were recorded of a link, in the format of Mahimahi's `mm-link`.
///
/// Each line is a time in milliseconds at which one packet may leave; a time that stands there so
/// often is as many packets. A packet of 1,500 bytes has 1,460 of payload, which are what is counted
/// here. The trace starts at link time 0 and, unless it plays once, starts again at its last time;
/// played once, nothing crosses after it.
package struct Trace: Hashable, Sendable {
  /// Over an hour of one packet each millisecond, which are 12 Mbit/s.
  package static let linesMax = 4_000_000
  /// A day.
  package static let millisecondsMax = 86_400_000

  /// In order; the last one is above zero.
  package let milliseconds: [Int32]
  /// Bytes per opportunity are so many times those of a packet.
  package let scale: Double
  package let playsOnce: Bool

  /// Reads lines of whole numbers.
  ///
  /// Throws at the first line that is something else, with its number.
  package init(
    parsing bytes: [UInt8], scale: Double = 1, playsOnce: Bool = false
  ) throws(TraceError) {
    var milliseconds: [Int32] = []
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count <= Self.linesMax else { throw .tooManyLines(lines.count) }
    milliseconds.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      let digits = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let value = Self.number(digits) else {
        throw .notATime(String(decoding: digits.prefix(40), as: UTF8.self), line: index + 1)
      }
      guard value <= Self.millisecondsMax else { throw .tooLate(value, line: index + 1) }
      if let last = milliseconds.last, value < last {
        throw .decreasing(value, previous: Int(last), line: index + 1)
      }
      milliseconds.append(Int32(value))
    }
    guard let last = milliseconds.last else { throw .empty }
    guard last > 0 else { throw .noLength }
    self.milliseconds = milliseconds
    self.scale = scale
    self.playsOnce = playsOnce
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 12 else { return nil }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// From the start of one round to that of the next.
  package var length: Duration { .milliseconds(Int(milliseconds.last ?? 0)) }

  /// Bytes of all opportunities over the time of one round.
  package var meanRate: DataRate {
    let bytes = Double(milliseconds.count * LinkDirection.packetBytes) * scale
    return DataRate(bytesPerSecond: bytes / length.inSeconds)
  }

  func opportunities(outages: [Outage]) -> Opportunities {
    let bytes = Double(LinkDirection.packetBytes) * scale
    return Opportunities(
      at: milliseconds.map { Int64($0) * 1_000_000 }, round: length.nanoseconds,
      repeats: !playsOnce,
      work: Int128((bytes * 1e18).rounded()), outages: outages)
  }
}

/// Why bytes are no trace.
package enum TraceError: Error, Hashable, CustomStringConvertible {
  case empty, noLength
  case tooManyLines(Int)
  case notATime(String, line: Int)
  case decreasing(Int, previous: Int, line: Int)
  case tooLate(Int, line: Int)

  package var description: String {
    switch self {
    case .empty: "a trace has at least one line, and this one is empty"
    case .noLength: "every time is 0, so that the trace has no length; the last one is above 0"
    case .tooManyLines(let count):
      "\(count) lines; a trace has at most \(Trace.linesMax), so cut it, or keep each second line "
        + "and play it with scale: 2"
    case .notATime(let text, let line):
      "line \(line): \"\(text)\" is not a time; write whole milliseconds, one to a line"
    case .decreasing(let value, let previous, let line):
      "line \(line): \(value) ms comes after \(previous) ms; sort the lines by number"
    case .tooLate(let value, let line):
      "line \(line): \(value) ms is beyond a day (\(Trace.millisecondsMax) ms); cut the trace there"
    }
  }
}
