/// One request, as the engine's ledger has it.
package struct RequestRecord: Hashable, Sendable {
  package var at: Double
  package var method: String
  package var path: String
  /// The capture that it was about; nil when it was about none, or none that is known.
  package var capture: String?
  /// The upload step that it was for; nil when it was for none.
  package var step: String?
  /// Which photo of a plate, from 1; nil of anything else.
  package var photo: Int?
  package var attempt: Int
  /// Nil when it was not answered.
  package var status: Int?
  package var bodyBytes: Int
  package var seconds: Double
  /// answered, reset, closed, or open at the end of the run.
  package var end: String
  /// engine, script or client; nil while it was open, or when it is not known.
  package var endedBy: String?
  /// How far it came until then: head, body, whole, decided or answer.
  package var phase: String?

  package init(
    at: Double, method: String, path: String, capture: String? = nil, step: String? = nil,
    photo: Int? = nil, attempt: Int = 1, status: Int?, bodyBytes: Int = 0, seconds: Double,
    end: String,
    endedBy: String? = nil, phase: String? = nil
  ) {
    self.at = toMilliseconds(at)
    self.method = method
    self.path = path
    self.capture = capture
    self.step = step
    self.photo = photo
    self.attempt = attempt
    self.status = status
    self.bodyBytes = bodyBytes
    self.seconds = toMilliseconds(seconds)
    self.end = end
    self.endedBy = endedBy
    self.phase = phase
  }

  /// The script's part in it.
  var isScripted: Bool { endedBy == "script" }

  /// `copy` or `staged-2`; nil when it was for no step.
  var stepLabel: String? {
    step.map { step in photo.map { "\(step)-\($0)" } ?? step }
  }

  /// How it ended, and where the script ended it.
  var ending: String {
    isScripted ? "\(end) by the script\(phase.map { " (\($0))" } ?? "")" : end
  }
}
