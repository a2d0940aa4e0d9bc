import Quantities

/// What runs in the virtual world took of this machine: told, and part of no result, which has the
/// same bytes every time.
package struct VirtualEffort: Sendable {
  /// Link time that was simulated.
  private var simulated: Duration
  /// Jobs of tasks that ran.
  private var jobs: Int
  /// Deadlines that came up, of sleeping tasks and of simulated packets.
  private var deadlines: Int
  private var began: ContinuousClock.Instant
  private var ended = ContinuousClock.now

  /// What was done since `began`, until now.
  init(of time: VirtualTime, simulated: Duration, since began: ContinuousClock.Instant) {
    self.simulated = simulated
    self.began = began
    jobs = time.jobsRun
    deadlines = time.deadlinesMet
  }

  /// Takes in what was done beside it, before it or after it.
  package mutating func add(_ other: VirtualEffort) {
    simulated += other.simulated
    jobs += other.jobs
    deadlines += other.deadlines
    began = min(began, other.began)
    ended = max(ended, other.ended)
  }

  /// Such as `virtual: 1,204 link s in 0.06 s; 9,715 jobs and 15,310 deadlines, 0.4 M/s`.
  ///
  /// The time is from the beginning of the first to the end of the last, side by side or not.
  package var text: String {
    let wall = (ended - began).inSeconds
    let seconds = Int(simulated.inSeconds)
    let hours = seconds < 36_000 ? "" : " (\(grouped(seconds / 3_600)) h)"
    let rate = fixed(Double(jobs + deadlines) / wall / 1e6, decimals: 1)
    return "virtual: \(grouped(seconds)) link s\(hours) in \(fixed(wall, decimals: 2)) s;"
      + " \(grouped(jobs)) jobs and \(grouped(deadlines)) deadlines, \(rate) M/s"
  }

  /// `1204` as `1,204`.
  private func grouped(_ number: Int) -> String {
    guard number >= 1_000 else { return "\(number)" }
    return "\(grouped(number / 1_000)),\(String(1_000 + number % 1_000).dropFirst())"
  }
}
