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
  /// The mean is that of all readings up to this many; later ones weigh as much as the last of them.
  private static let readingsMax = 32

  var buffer: Int
  private let sender: SenderKernelPart?
  private var kernelPart: Double
  private var readings = 0

  /// Without a sender to ask about, the kernels' part counts as nothing.
  init(buffer: Int, sender: SenderKernelPart?) {
    self.buffer = buffer
    self.sender = sender
    kernelPart = Double(min(Self.kernelPartMax, buffer / 2))
  }

  /// There have been readings enough to rely on their mean.
  var isSettled: Bool { sender == nil || readings == Self.readingsMax }

  /// Bytes that may be taken in while `queued` of the `takenIn` wait to leave; zero or less when
  /// there is no room.
  ///
  /// `reading` says that the kernels' part is worth a reading: only while the sender is being kept
  /// waiting are they as full as they get; in the middle of a burst they may be nearly empty.
  func room(queued: Int, takenIn: Int, reading: Bool) -> Int {
    guard let sender else { return buffer - queued }
    let room = buffer - queued - Self.kernelPartMax
    guard room <= 0 else { return room }
    if reading {
      readings = min(readings + 1, Self.readingsMax)
      kernelPart += (Double(sender.measure(takenIn: takenIn)) - kernelPart) / Double(readings)
    }
    return max(buffer - Int(kernelPart), Self.ownPartMin) - queued
  }
}
