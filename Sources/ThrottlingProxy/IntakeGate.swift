import EventLoop
import LinkModel

/// How many bytes of one direction of a connection the path may take in.
///
/// The buffer that is declared counts in what the kernels hold for the sender: its own send queue,
/// and what the proxy has received and not read. Theirs swings by some 10 KB with each refill, so
/// the proxy's own part is the buffer less the running mean of theirs: then the mean of the whole
/// is what was declared.
final class IntakeGate {
  /// The kernels' part is not asked for while more room than this is left: the built-in client's is
  /// 42 KB at most.
  ///
  /// It is also what is assumed until it was read, up to half of the buffer: what was taken in too
  /// much could not be given back.
  private static let kernelPartMax = 65_536
  /// The proxy's own part is never smaller: were it to run empty, the link would stand still while
  /// the sender has bytes, and a sender whose kernels hold more than the buffer would never go on.
  private static let ownPartMin = 4 * LinkDirection.packetBytes
  /// A sender that was kept waiting goes on once there is room for this share of the buffer, and for
  /// two packets at most: each time costs more than the bytes do.
  private static let stepShare = 16
  /// The mean is that of all readings up to this many; later ones weigh as much as the last of them.
  private static let readingsMax = 32
  /// Asking costs about as much as a packet does: after each so many readings one chance more is
  /// passed over between two of them.
  private static let readingsPerPace = 16

  var buffer: Int
  private let sender: SenderKernelPart?
  private var kernelPart: Double
  private var readings = 0
  private var chancesPassed = 0
  /// There is no room: what the source goes on writing stays in its kernel.
  private(set) var isFull = false

  /// Without a sender to ask about, the kernels' part counts as nothing.
  init(buffer: Int, sender: SenderKernelPart?) {
    self.buffer = buffer
    self.sender = sender
    kernelPart = sender == nil ? 0 : Double(min(Self.kernelPartMax, buffer / 2))
  }

  private var step: Int { min(buffer / Self.stepShare, 2 * LinkDirection.packetBytes) }

  /// There have been readings enough to rely on their mean.
  var isSettled: Bool { sender == nil || readings >= Self.readingsMax }

  /// Bytes that may be taken in while `queued` of the `takenIn` wait to leave; zero when there is no
  /// room.
  ///
  /// The proxy's own part is at least `refill`, up to half of the buffer: what leaves while a sender
  /// that was kept waiting is woken. `reading` says that the kernels' part is worth a reading: only
  /// while the sender is being kept waiting are they as full as they get; in the middle of a burst
  /// they may be nearly empty.
  func room(queued: Int, takenIn: Int, refill: Int, reading: Bool) -> Int {
    var room = buffer - queued - Self.kernelPartMax
    if sender == nil || room <= 0 {
      if reading { read(takenIn: takenIn) }
      let ownPartMin = max(Self.ownPartMin, min(refill, buffer / 2))
      // On average half a step is missing.
      room = max(buffer + step / 2 - Int(kernelPart), ownPartMin) - queued
    }
    isFull = room < (isFull ? step : 1)
    return isFull ? 0 : room
  }

  /// Nothing that is taken in has to wait.
  func open() {
    isFull = false
  }

  private func read(takenIn: Int) {
    guard let sender else { return }
    chancesPassed += 1
    guard chancesPassed > readings / Self.readingsPerPace else { return }
    chancesPassed = 0
    readings += 1
    let weight = Double(min(readings, Self.readingsMax))
    kernelPart += (Double(sender.measure(takenIn: takenIn)) - kernelPart) / weight
  }
}
