import Bench
import EventLoop
import Quantities
import Reports

/// Runs one part of the bench by itself, in real time, until Ctrl-C.
enum PartByHand {
  /// `make` starts the part and gives its first lines, its figures in words (nil when there is
  /// nothing to tell), and what stops it.
  ///
  /// It throws when what was asked for cannot be had.
  static func run(
    quiet: Bool,
    _ make: (EventLoop) throws -> (String, () -> String?, () -> Void)
  ) throws -> ExitCode {
    DescriptorLimit.raise()
    let interruption = try Interruption()
    let loop = try EventLoop(scale: .starting(factor: 1))
    let announcement: String
    let figures: () -> String?
    let stop: () -> Void
    do {
      (announcement, figures, stop) = try make(loop)
    } catch {
      Terminal.complain("\(error)")
      return .usage
    }
    try interruption.watch(on: loop) { [unowned loop] in loop.stop() }
    Terminal.print(announcement)
    var last: String?
    func tick() {
      let text = figures()
      if let text, text != last { Terminal.note(text) }
      last = text
      loop.schedule(at: loop.now + .seconds(1), tick)
    }
    if !quiet { tick() }
    try loop.run()
    stop()
    return .passed
  }
}
