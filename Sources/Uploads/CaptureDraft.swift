package import Captures

/// A capture on its way into the outbox: its files, and what is known of it before ids are minted.
package struct CaptureDraft: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    package var step: StepName
    /// Where it is now; the outbox copies it from there, unless it was `made`.
    package var path: String
    /// Its bytes, when the client has made them from the file at `path`.
    package var made: [UInt8]?
    /// Its length when it was looked at.
    package var bytes: Int
    package var type: String

    package init(step: StepName, path: String, bytes: Int, type: String) {
      self.step = step
      self.path = path
      self.bytes = bytes
      self.type = type
    }

    package init(step: StepName, made: [UInt8], from path: String, type: String) {
      self.init(step: step, path: path, bytes: made.count, type: type)
      self.made = made
    }
  }

  package var capture: String
  package var kind: OutboxEntry.Kind
  package var note: String
  /// By the camera's own clock, as ``OutboxEntry/capturedAt``; nil when no photo tells it.
  package var taken: String?
  package var timeZone: String
  package var place: Place?
  package var files: [File]

  package init(
    capture: String, kind: OutboxEntry.Kind, note: String = "", taken: String? = nil,
    timeZone: String, place: Place? = nil, files: [File]
  ) {
    self.capture = capture
    self.kind = kind
    self.note = note
    self.taken = taken
    self.timeZone = timeZone
    self.place = place
    self.files = files
  }
}

/// What a photo says of itself.
package struct CameraFacts: Hashable, Sendable {
  /// By the camera's own clock, as ``OutboxEntry/capturedAt``.
  package var taken: String?
  package var place: Place?

  package init(taken: String? = nil, place: Place? = nil) {
    self.taken = taken
    self.place = place
  }
}

/// Reads the facts out of the first bytes of a photo; nothing known is an answer too.
package typealias CameraFactsReading = @Sendable (_ head: [UInt8]) -> CameraFacts

/// Makes the SHA-256 of one file from its pieces, in order.
package protocol FileDigest: AnyObject {
  func update(_ bytes: [UInt8])

  /// Lowercase hexadecimal digits; called once, last.
  func finish() -> String
}

/// Makes a fresh digest for each file.
package typealias FileDigestMaking = @Sendable () -> any FileDigest

/// Why a capture was not saved, in words for the user.
package struct SaveFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
