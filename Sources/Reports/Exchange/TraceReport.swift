import JSON
import Quantities

/// `trace.json`: a run in the Trace Event Format, which Perfetto and Chrome's tracing open.
///
/// Each variant is a process; each step of its files, its other calls and the lines of each capture
/// are threads, and bytes are counters. Timestamps are microseconds of link time.
package struct TraceReport {
  package static let name = "trace.json"
  /// Points of the counters that are written of each variant, with the extremes kept.
  static let counterLimit = 20_000

  private let record: RunRecord

  package init(_ record: RunRecord) {
    self.record = record
  }

  package var text: String {
    let events = record.variants.enumerated().flatMap {
      self.events(of: $1, process: $0 + 1)
    }
    return JSONValue.object([
      "displayTimeUnit": .string("ms"),
      "otherData": .object([
        "scenario": .string(record.scenario.name), "times": .string("link time"),
      ]),
      "traceEvents": .array(events),
    ]).line + "\n"
  }

  private func events(of variant: VariantRecord, process: Int) -> [JSONValue] {
    var events = [meta("process_name", variant.name, process, 0)]
    let steps = variant.files.map(\.step).distinct
    for (place, title) in (steps + ["calls"]).enumerated() {
      events.append(meta("thread_name", title, process, place + 1))
    }
    for request in variant.requests {
      let thread = request.step.flatMap { steps.firstIndex(of: $0) } ?? steps.count
      events.append(
        span(
          request.stepLabel ?? "\(request.method) \(request.path)", from: request.at,
          lasting: request.seconds, process, thread + 1,
          [
            "attempt": JSONValue(request.attempt), "bodyBytes": JSONValue(request.bodyBytes),
            "capture": request.capture.map { .string($0) } ?? .null,
            "end": .string(request.ending), "path": .string(request.path),
            "status": request.status.map { JSONValue($0) } ?? .null,
          ]))
    }
    let lines = variant.statusLines.lines
    for (place, row) in ShownLines(variant).rows.enumerated() {
      let thread = steps.count + 2 + place
      let title = row.title.isEmpty ? "shown" : "shown of \(row.title)"
      events.append(meta("thread_name", title, process, thread))
      for stay in row.stays {
        let end = stay.end ?? max(lines[stay.line].last, stay.at)
        events.append(
          span(lines[stay.line].text, from: stay.at, lasting: end - stay.at, process, thread, [:]))
      }
    }
    let points = Timeline(variant.timeline).thinned(to: Self.counterLimit).points
    events += points.map { point in
      var values = [
        "handedOver": JSONValue(point.handedOver), "carried": JSONValue(point.carried),
      ]
      if let claimed = point.claimed { values["claimed"] = JSONValue(claimed) }
      return event("C", "bytes", process, 0, ["args": .object(values), "ts": micros(point.at)])
    }
    return events
  }

  private func meta(_ kind: String, _ name: String, _ process: Int, _ thread: Int) -> JSONValue {
    event("M", kind, process, thread, ["args": .object(["name": .string(name)])])
  }

  private func span(
    _ name: String, from start: Double, lasting seconds: Double, _ process: Int, _ thread: Int,
    _ values: [String: JSONValue]
  ) -> JSONValue {
    event(
      "X", name, process, thread,
      ["args": .object(values), "dur": micros(seconds), "ts": micros(start)])
  }

  private func event(
    _ phase: String, _ name: String, _ process: Int, _ thread: Int, _ rest: [String: JSONValue]
  ) -> JSONValue {
    var fields = rest
    fields["ph"] = .string(phase)
    fields["name"] = .string(name)
    fields["pid"] = JSONValue(process)
    fields["tid"] = JSONValue(thread)
    return .object(fields)
  }

  /// Records keep milliseconds.
  private func micros(_ seconds: Double) -> JSONValue {
    JSONValue(Int((seconds * 1e6).rounded()))
  }
}
