package import Captures
package import LinkModel
package import Quantities
package import ScratchEngine

/// One scenario file, read and validated.
package struct Scenario: Hashable, Sendable {
  package var name: String
  /// The path it was read from, as given.
  package var file: String
  /// Of the file's bytes, followed by the digests of the files that it names, in their order;
  /// lowercase hexadecimal digits.
  package var sha256: String
  package var seed: UInt64
  /// The run ends here at the latest.
  package var horizon: Duration
  package var link: LinkConditions
  /// The published link that the file names; its other keys may go over it.
  package var preset: LinkPreset?
  package var captures: [PlannedCapture]
  package var engine: EngineScript
  package var acts: [Act]
  /// In the order of the file.
  package var variants: [Variant]
  package var expectations: [Expectation]

  package init(
    name: String, file: String, sha256: String, seed: UInt64, horizon: Duration,
    link: LinkConditions, preset: LinkPreset?, captures: [PlannedCapture], engine: EngineScript,
    acts: [Act],
    variants: [Variant], expectations: [Expectation]
  ) {
    self.name = name
    self.file = file
    self.sha256 = sha256
    self.seed = seed
    self.horizon = horizon
    self.link = link
    self.preset = preset
    self.captures = captures
    self.engine = engine
    self.acts = acts
    self.variants = variants
    self.expectations = expectations
  }
}

/// A capture, and when the device has it safe.
package struct PlannedCapture: Hashable, Sendable {
  package var plan: CapturePlan
  package var at: Instant

  package init(plan: CapturePlan, at: Instant) {
    self.plan = plan
    self.at = at
  }
}
