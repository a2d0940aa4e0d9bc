import EventLoop

/// What the lanes of a proxy use in turn: room for one read, and pipes.
///
/// A lane has a pipe only while bytes are in it, so that connections that rest cost neither memory nor
/// descriptors.
final class RelayStock {
  /// One read takes in at most this many bytes.
  static let readSize = 65_536
  /// Pipes kept for the next lane: making one costs as much as moving some 10 KB.
  private static let spareMax = 4

  let room = UnsafeMutableRawBufferPointer.allocate(byteCount: RelayStock.readSize, alignment: 16)
  private var spare: [TransitPipe] = []

  deinit {
    room.deallocate()
  }

  /// An empty pipe; nil when the system has none to give.
  func takePipe() -> TransitPipe? {
    spare.popLast() ?? (try? TransitPipe())
  }

  /// A pipe that still holds bytes is closed, and they are gone.
  func giveBack(_ pipe: TransitPipe) {
    if pipe.count == 0, spare.count < Self.spareMax { spare.append(pipe) }
  }
}
