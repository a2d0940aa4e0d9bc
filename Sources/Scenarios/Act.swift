package import Quantities

/// Something that the user, the system or the world does to the client's device at a link time.
package struct Act: Hashable, Sendable {
  package enum Deed: Hashable, Sendable {
    /// The client's process is killed (SIGKILL): what it has written stays.
    case kill
    /// The device loses its power: the client ends, and what it had not synced may be lost.
    case powerLoss
    /// The client is started again, on the same outbox.
    case start
    /// The user asks for a drain.
    case refresh
    /// The user sends the capture of that name now, whatever keeps it back.
    case sendNow(String)
    /// The user gives the capture of that name up.
    case discard(String)
    /// The disk takes no more bytes, until it is freed.
    case fillDisk
    case freeDisk
    /// The device's wall clock jumps, back where it is negative.
    case setClock(by: Duration)
  }

  package var at: Instant
  package var deed: Deed
  /// Where the deed stands in the file.
  package var mark: Mark

  package init(at: Instant, deed: Deed, mark: Mark = .start) {
    self.at = at
    self.deed = deed
    self.mark = mark
  }
}

extension Act.Deed {
  /// The device's power and disk are simulated; those of the machine that runs the bench are not
  /// its to take.
  package var isVirtualOnly: Bool {
    switch self {
    case .powerLoss, .fillDisk, .freeDisk: true
    case .kill, .start, .refresh, .sendNow, .discard, .setClock: false
    }
  }

  /// It is done to any process, whatever that understands.
  var isOfAnyClient: Bool { self == .kill || self == .start }

  /// The capture that the user acts on, by its name.
  var capture: String? {
    switch self {
    case .sendNow(let name), .discard(let name): name
    case .kill, .powerLoss, .start, .refresh, .fillDisk, .freeDisk, .setClock: nil
    }
  }

  /// As a scenario writes it.
  var word: ActWord {
    switch self {
    case .kill: .kill
    case .powerLoss: .powerLoss
    case .start: .start
    case .refresh: .refresh
    case .sendNow: .sendNow
    case .discard: .discard
    case .fillDisk: .fillDisk
    case .freeDisk: .freeDisk
    case .setClock: .setClock
    }
  }
}

extension Scenario {
  /// Why it cannot be run with real processes, an error for each act; nil when it can.
  package var refusalOfARealRun: ScenarioErrors? {
    var problems = ProblemList()
    for act in acts where act.deed.isVirtualOnly {
      problems.add(.virtualOnly(act.deed.word.rawValue), at: act.mark)
    }
    return problems.items.isEmpty ? nil : ScenarioErrors(problems, file: file)
  }
}
