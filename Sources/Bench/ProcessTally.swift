import Quantities
import Reports

/// What the processes of a command took in one run, one after the other.
struct ProcessTally {
  /// From its start to its end.
  struct Life: Hashable {
    var from: Instant
    /// Nil while it runs.
    var to: Instant?
  }

  private(set) var lives: [Life] = []
  /// How the last one ended by itself.
  private(set) var ending: ChildProcess.Ending?
  private(set) var used = ChildProcess.Usage()
  private(set) var memoryPeak: Int?
  /// Some printed more than is read.
  private(set) var isCut = false

  mutating func started(at now: Instant) {
    lives.append(Life(from: now))
    ending = nil
  }

  /// `ending` is nil of one that was ended.
  mutating func ended(
    _ ending: ChildProcess.Ending?, _ process: ForeignProcess, at now: Instant
  ) {
    if !lives.isEmpty { lives[lives.count - 1].to = now }
    self.ending = ending
    isCut = isCut || process.isCut
    memoryPeak = [memoryPeak, process.memoryPeak].compactMap(\.self).max()
    guard let usage = process.usage else { return }
    used.userSeconds += usage.userSeconds
    used.systemSeconds += usage.systemSeconds
  }

  /// As a run that ended at that time records it.
  func record(until end: Instant, unassigned: Int) -> ProcessRecord {
    var record = ProcessRecord(
      starts: lives.count,
      seconds: lives.reduce(0) { $0 + (min($1.to ?? end, end) - $1.from).inSeconds },
      userSeconds: used.userSeconds, systemSeconds: used.systemSeconds,
      memoryPeak: memoryPeak, unassigned: unassigned)
    switch ending {
    case .exited(let status): record.exit = Int(status)
    case .signalled(let signal): record.signal = Int(signal)
    case nil: break
    }
    return record
  }
}
