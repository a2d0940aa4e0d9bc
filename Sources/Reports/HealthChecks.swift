/// The requests by which a client asked whether the engine is there, told in one sentence.
package struct HealthChecks {
  private let requests: [RequestRecord]

  static func isOne(_ request: RequestRecord) -> Bool {
    request.step == nil && isOne(method: request.method, path: request.path)
  }

  package static func isOne(method: String, path: String) -> Bool {
    method == "GET" && path == "/api/health"
  }

  /// Nil when there was none.
  init?(of requests: [RequestRecord]) {
    self.requests = requests.filter(HealthChecks.isOne)
    if self.requests.isEmpty { return nil }
  }

  var sentence: String {
    let first = requests[0].at
    let last = requests[requests.count - 1].at
    let when =
      requests.count == 1
      ? "at \(secondsText(first))" : "from \(secondsText(first)) to \(secondsText(last))"
    let answered = requests.count { $0.status == 200 }
    return "The client asked after the engine's health \(counted(requests.count, "time")), \(when);"
      + (answered == requests.count
        ? " each was answered." : " \(answered) were answered with 200.")
  }
}
