import Quantities
import ScratchEngine

/// The value of `keep-alive`: a time, or keys.
enum KeepAliveKeys {
  private static let time = Reading<Duration>.duration(ScenarioLimits.quiet, example: "5 s")

  static let timeout = Field(
    "timeout", time, "From an answer to the end of a connection that brings no further request.")
  static let close = Field(
    "close", Reading<ScriptedClose>.oneOfItsWords,
    "How it ends then: end, as servers do (when left out), reset or silence.")
  static let requests = Field(
    "requests", .whole(1...100_000, example: "100"),
    "The answer to so many of its requests closes a connection; any number when it is left out.")

  private static let keys = Reading<KeepAlive>.record([
    timeout.known, close.known, requests.known,
  ]) { record in
    let (timeout, requests) = (record.take(timeout), record.take(requests))
    if let mark = record.mark(of: close.key), record.mark(of: Self.timeout.key) == nil {
      record.problems.add(.needsKey(Self.timeout.key, for: close.key), at: mark)
    }
    return KeepAlive(
      timeout: timeout, close: record.take(close) ?? .end, requests: requests.map { Int($0) })
  }

  static let reading = Reading<KeepAlive>(
    schema: .anyOf([time.schema, keys.schema])
  ) { node, problems in
    if node.content.kind == .mapping { return keys.read(node, &problems) }
    return time.read(node, &problems).map { KeepAlive(timeout: $0) }
  }
}
