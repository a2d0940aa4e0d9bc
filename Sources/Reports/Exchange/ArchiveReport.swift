import JSON
import Quantities

/// `requests.har`: the requests of a run as an HTTP Archive (HAR 1.2), a page for each variant.
///
/// The engine saw them, so a time is that at the engine, and only their whole length was measured: it
/// stands as `wait`. A run has no date of its own: link time 0 is written as the start of 2026, as
/// the client's own clock has it. Of a variant with very many requests it has the first, and says how
/// many it leaves out: an archive is for a viewer, which holds all of it in memory.
package struct ArchiveReport {
  package static let name = "requests.har"
  /// Requests of each variant, of about a kilobyte each.
  static let entryLimit = 5_000

  private let record: RunRecord

  package init(_ record: RunRecord) {
    self.record = record
  }

  package var text: String {
    let pages = record.variants.enumerated().map { index, variant in
      JSONValue.object([
        "id": .string("variant-\(index)"), "title": .string(variant.name),
        "startedDateTime": date(0), "pageTimings": .object([:]),
      ])
    }
    let entries = record.variants.enumerated().flatMap { index, variant in
      variant.requests.prefix(Self.entryLimit).map { entry($0, page: "variant-\(index)") }
    }
    let left = record.variants.reduce(0) { $0 + max(0, $1.requests.count - Self.entryLimit) }
    let rest =
      left > 0
      ? " \(counted(left, "later request")) left out; \(ResultFile.name) has all." : ""
    return JSONValue.object([
      "log": .object([
        "version": .string("1.2"), "pages": .array(pages), "entries": .array(entries),
        "creator": .object([
          "name": .string(record.tool.name), "version": .string(record.tool.version),
        ]),
        "comment": .string(
          "Times are link time, and link time 0 is written as 2026-01-01T00:00:00Z. Only the whole"
            + " length of a request was measured; it stands as wait." + rest),
      ])
    ]).text
  }

  private func entry(_ request: RequestRecord, page: String) -> JSONValue {
    let milliseconds = JSONValue(rounded(request.seconds * 1_000, decimals: 3))
    let parts = request.path.split(separator: "?", maxSplits: 1)
    let query = parts.count < 2 ? [] : parts[1].split(separator: "&").map(Self.parameter)
    let empty = JSONValue.array([])
    return .object([
      "pageref": .string(page), "startedDateTime": date(request.at), "time": milliseconds,
      "request": .object([
        "method": .string(request.method), "url": .string("http://engine\(request.path)"),
        "httpVersion": .string("HTTP/1.1"), "cookies": empty, "headers": empty,
        "queryString": .array(query), "headersSize": JSONValue(-1),
        "bodySize": JSONValue(request.bodyBytes),
      ]),
      // Status 0 stands for no answer at all.
      "response": .object([
        "status": JSONValue(request.status ?? 0), "statusText": .string(""),
        "httpVersion": .string("HTTP/1.1"), "cookies": empty, "headers": empty,
        "content": .object(["size": JSONValue(0), "mimeType": .string("")]),
        "redirectURL": .string(""), "headersSize": JSONValue(-1), "bodySize": JSONValue(-1),
      ]),
      "cache": .object([:]),
      "timings": .object([
        "send": JSONValue(0), "wait": milliseconds, "receive": JSONValue(0),
      ]),
      "comment": .string(
        "\(request.stepLabel.map { "\($0), attempt \(request.attempt)" } ?? "call"): \(request.ending)"
      ),
    ])
  }

  private static func parameter(_ text: Substring) -> JSONValue {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return .object([
      "name": .string(String(parts[0])), "value": .string(parts.count > 1 ? String(parts[1]) : ""),
    ])
  }

  private func date(_ seconds: Double) -> JSONValue {
    let milliseconds = WallClock.defaultEpoch + Int64((seconds * 1_000).rounded())
    let whole = CivilTime.rfc3339(milliseconds: milliseconds).prefix(Self.wholeSeconds)
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return .string("\(whole).\(fraction)Z")
  }

  /// Characters of `2026-01-01T00:00:00`.
  private static let wholeSeconds = 19
}
