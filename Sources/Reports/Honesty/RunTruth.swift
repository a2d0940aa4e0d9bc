package import Captures
package import Quantities

/// What link and engine knew over the time of a run: what lines are judged by.
package struct RunTruth: Sendable {
  /// A request as the engine had it.
  package struct Request: Hashable, Sendable {
    package var capture: String?
    package var step: StepName?
    package var isHealthCheck = false
    package var startedAt: Instant
    /// When its client can have begun it, at the earliest: its connection was there, and free.
    package var begunAt: Instant
    /// When the last byte of an answer was sent, or the connection ended; nil while it was open.
    package var endedAt: Instant?
    /// Nil when it was not answered.
    package var status: Int?
    /// Of a whole file that the engine holds since, or held before.
    package var storedSHA256: String?
    /// Bytes of its body over time.
    package var trail: ByteCourse

    package init(
      capture: String? = nil, step: StepName? = nil, isHealthCheck: Bool = false,
      startedAt: Instant, begunAt: Instant? = nil, endedAt: Instant? = nil, status: Int? = nil,
      storedSHA256: String? = nil,
      trail: ByteCourse = ByteCourse()
    ) {
      self.capture = capture
      self.step = step
      self.isHealthCheck = isHealthCheck
      self.startedAt = startedAt
      self.begunAt = begunAt ?? startedAt
      self.endedAt = endedAt
      self.status = status
      self.storedSHA256 = storedSHA256
      self.trail = trail
    }

    /// An answer that accepts came to its end by then.
    func isAccepted(by instant: Instant) -> Bool {
      guard let endedAt, let status else { return false }
      return (200..<300).contains(status) && endedAt <= instant
    }

    /// A refusal for good was answered by then.
    func isRefused(by instant: Instant) -> Bool {
      guard let endedAt, let status else { return false }
      return (400..<500).contains(status) && endedAt <= instant
    }
  }

  /// An attempt as the client's own log has it, of any step.
  package struct Attempt: Hashable, Sendable {
    package var capture: String
    package var step: StepName
    package var began: Instant
    package var ended: Instant?

    package init(capture: String, step: StepName, began: Instant, ended: Instant? = nil) {
      self.capture = capture
      self.step = step
      self.began = began
      self.ended = ended
    }
  }

  /// A file as it was made.
  package struct File: Hashable, Sendable {
    package var capture: String
    package var step: StepName
    package var bytes: Int
    package var sha256: String

    package init(capture: String, step: StepName, bytes: Int, sha256: String) {
      self.capture = capture
      self.step = step
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  package var files: [File] = []
  /// In the order of their heads.
  package var requests: [Request] = []
  /// In the order in which they began.
  package var attempts: [Attempt] = []
  /// Bytes that had come out of the link, over all connections.
  package var carried = ByteCourse()
  /// Times in which bytes were on their way, in either direction.
  package var moving: [Range<Instant>] = []
  /// Of them, those in which bytes were on their way to the client.
  package var answering: [Range<Instant>] = []
  /// Times in which the modelled link carried nothing at all.
  package var down: [Range<Instant>] = []
  /// The least that an answer takes from the engine to the client.
  package var latencyDown = Duration.zero
  package var latencyUp = Duration.zero
  /// When the client's process was ended; what stood on its screen then stands no more.
  package var deaths: [Instant] = []
  package var endedAt = Instant.distantFuture
  /// The client's timers fired so late, at most: this machine kept it waiting.
  package var clientLateness = Duration.zero
  /// A line is read so much later than it is printed, and what connections do is seen, at most.
  package var stampLag = Duration.milliseconds(50)
  /// A line may follow what it is about by as much.
  package var grace = Duration.seconds(1)

  package init() {}
}
