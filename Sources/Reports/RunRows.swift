/// The rows of a run as its reports list them: one list of columns for the page and for Markdown.
enum RunRows {
  static let expectationHeader = ["variant", "of", "expected", "measured", "result"]
  static let lineHeader = ["first", "last", "times", "true", "line"]
  static let requestHeader = [
    "at", "capture", "step", "attempt", "status", "body", "took", "end",
  ]

  /// Without the result, which each report marks in its own way.
  static func row(_ expectation: ExpectationRecord) -> [String] {
    [
      expectation.variant, expectation.name, expectation.expected,
      expectation.measured ?? "not measured",
    ]
  }

  static func row(_ line: StatusLinesRecord.Line) -> [String] {
    [
      secondsText(line.first), secondsText(line.last), String(line.times), line.verdict, line.text,
    ]
  }

  /// The requests of a variant, without those after the engine's health.
  static func requests(of variant: VariantRecord) -> [[String]] {
    variant.requests.filter { !HealthChecks.isOne($0) }.map { request in
      [
        secondsText(request.at), request.capture ?? "–",
        request.stepLabel ?? "\(request.method) \(shortened(request.path, to: 80))",
        String(request.attempt), request.status.map(String.init) ?? "–",
        sizeText(request.bodyBytes), secondsText(request.seconds), request.ending,
      ]
    }
  }
}
