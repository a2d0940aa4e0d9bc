import Bench
import EventLoop
import Quantities
import Reports

/// Runs one part of the bench by itself, in real time, until Ctrl-C.
enum PartByHand {
  /// `make` starts the part and gives its address, its figures in words, and what stops it.
  static func run(
    quiet: Bool,
    _ make: (EventLoop) throws(SystemFailure) -> (SocketAddress, () -> String, () -> Void)
  ) throws -> ExitCode {
    DescriptorLimit.raise()
    let interruption = try Interruption()
    let loop = try EventLoop(scale: .starting(factor: 1))
    let address: SocketAddress
    let figures: () -> String
    let stop: () -> Void
    do {
      (address, figures, stop) = try make(loop)
    } catch {
      Terminal.complain("\(error)")
      return .usage
    }
    try interruption.watch(on: loop) { loop.stop() }
    Terminal.print("listening on \(address)")
    var last = ""
    func tick() {
      let text = figures()
      if text != last { Terminal.note(text) }
      last = text
      loop.schedule(at: loop.now + .seconds(1), tick)
    }
    if !quiet { tick() }
    try loop.run()
    stop()
    return .passed
  }
}
