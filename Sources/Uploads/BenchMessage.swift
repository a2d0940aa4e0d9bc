package import Captures
package import Quantities

/// What the bench tells a built-in client, as JSON lines on an inherited descriptor.
package enum BenchCommand: Hashable, Sendable, Codable {
  /// Get ready, touch nothing, and say `ready`.
  case prepare(ClientSetup)
  /// Link time is as the scale says: open the outbox, recover, and work.
  case go(TimeScale)
  /// Commit the capture of that name from the folder of captures now, and count it as kept at
  /// `keptAt`, or once it is committed if that is later.
  ///
  /// The client's own work does not dilate, so a bench asks for it a little ahead.
  case save(capture: String, keptAt: Instant = .zero)
  /// Start a drain.
  case refresh
  /// The user sends an entry now, whatever keeps it back; named by its capture, or by its own id.
  case sendNow(String)
  /// The user gives an entry up; named by its capture, or by its own id.
  case discard(String)
  /// The device's wall clock is so far ahead of what it was at the start of the run; behind it
  /// where that is negative.
  case wallClock(ahead: Duration)
  /// The state of the modelled link has changed.
  case link(LinkState)
  /// End as soon as possible, with exit status 0.
  case stop
}

/// What a built-in client needs to know before it goes.
package struct ClientSetup: Hashable, Sendable, Codable {
  package var policy: UploadPolicy
  /// Base URL of the engine through the link, without a slash at its end.
  package var engine: String
  /// Folder of the outbox; kept across restarts.
  package var outbox: String
  /// Folder of the captures and of `captures.json`.
  package var captures: String
  /// Seeds the ids that the client mints.
  package var seed: UInt64
  /// Captures of which the device keeps a copy once they are sent.
  package var deviceCopies: Int

  package init(
    policy: UploadPolicy, engine: String, outbox: String, captures: String, seed: UInt64,
    deviceCopies: Int = Outbox.defaultCopiesMax
  ) {
    self.policy = policy
    self.engine = engine
    self.outbox = outbox
    self.captures = captures
    self.seed = seed
    self.deviceCopies = deviceCopies
  }
}

/// What a built-in client tells the bench, as JSON lines on an inherited descriptor.
package enum BenchReport: Hashable, Sendable, Codable {
  case ready
  /// A capture is kept: the ids under which the engine will see it.
  case saved(capture: String, moment: String, media: [String: StepName])
  /// A capture was found in the outbox at the start, with the steps that landed before.
  case recovered(
    capture: String, moment: String, media: [String: StepName] = [:], done: [StepName])
  case notSaved(capture: String, reason: String)
  /// A further try goes out under ids of its own.
  case renamed(capture: String, moment: String, media: [String: StepName] = [:])
  /// A request began to go out; `attempt` counts from 1 per step of a capture in this process.
  case began(capture: String, step: StepName, attempt: Int)
  /// It ended; `counted` is the body bytes that the client counted itself, its claim.
  case ended(capture: String, step: StepName, attempt: Int, counted: Int, outcome: String)
  case state(capture: String, EntryState)
  /// A status line is about to be printed, and this is the claim behind it.
  case shown(String, LineClaim)
  /// The system gave a connection no larger send buffer than this, in bytes, though more was asked
  /// for.
  case sendBuffer(granted: Int)
  /// A pass over the queue has ended.
  case passed
  /// A `sendNow` or `discard` has had its effect, if there was anything for it to act on.
  case obeyed
  /// A timer of the client fired later than any before: so late may its limits have been.
  case late(Duration)
}

/// The states of an entry of the outbox.
package enum EntryState: String, Hashable, Sendable, Codable {
  case kept, waiting, sending, done, parked
  /// Its file needs a faster link, or the user.
  case held
  /// The user gave it up, and it is no longer on this device.
  case discarded
}
