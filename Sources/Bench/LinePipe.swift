import EventLoop
import Glibc
import Quantities
import Reports

/// Reads whole lines from a pipe or a terminal, each as soon as it has come.
final class LinePipe {
  /// How much of a program is read that may print anything, and when.
  struct Screen {
    /// What stands at the end without a line end for so long is a line that a user sees.
    var standing: Duration
    /// Bytes that are read for lines; what comes beyond is read and thrown away.
    var bytesMax: Int
  }

  private static let readSize = 65_536
  /// Of a program that may print anything: the link waits while lines are looked at, which takes a
  /// millisecond or two for so many bytes, and it has its turn before the next.
  private static let screenReadSize = 4_096
  /// What a pipe can hold at most (pipe(7), `/proc/sys/fs/pipe-max-size`).
  static let capacityMax = 1_048_576

  private let descriptor: Descriptor
  private let loop: EventLoop
  private let screen: Screen?
  private var splitter = LineSplitter()
  private var watch: EventLoop.Watch?
  private var take: ([String]) -> Void = { _ in }
  private var reads = 0
  private(set) var bytesRead = 0

  init(_ descriptor: Descriptor, loop: EventLoop, screen: Screen? = nil) {
    self.descriptor = descriptor
    self.loop = loop
    self.screen = screen
  }

  /// Nobody can write to it any more.
  var hasEnded: Bool { watch == nil }
  /// More came than is read for lines.
  var isCut: Bool { screen.map { bytesRead > $0.bytesMax } ?? false }

  deinit {
    stop()
  }

  /// `take` gets the lines that one look at the pipe has brought.
  func start(_ take: @escaping ([String]) -> Void) throws(SystemFailure) {
    self.take = take
    guard fcntl(descriptor.number, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemFailure("preparing a pipe")
    }
    watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
      _ = readOnce()
    }
  }

  /// Takes all that is in the pipe now, and no more: somebody may write as fast as it is read.
  func drain() {
    let end = bytesRead + Self.capacityMax
    while watch != nil, bytesRead < end, readOnce() {}
  }

  /// Returns false when nothing was there; at the end of the pipe, and when it is broken, nothing
  /// more will be.
  private func readOnce() -> Bool {
    var count = 0
    let size = screen == nil ? Self.readSize : Self.screenReadSize
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      repeat {
        count = read(descriptor.number, buffer.baseAddress, size)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    if count > 0 {
      accept(bytes)
      return true
    }
    if count == 0 || errno != EAGAIN {
      close()
    }
    return false
  }

  private func accept(_ read: [UInt8]) {
    reads += 1
    bytesRead += read.count
    guard !isCut else { return }
    var lines = splitter.feed(read)
    // The same text again and again shows nothing new.
    if screen != nil {
      lines = lines.enumerated().filter { $0 == 0 || $1 != lines[$0 - 1] }.map(\.element)
    }
    if !lines.isEmpty { take(lines) }
    guard let screen else { return }
    let number = reads
    loop.schedule(at: loop.now + screen.standing) { [weak self] in
      guard let self, reads == number, watch != nil, let line = splitter.standing() else { return }
      take([line])
    }
  }

  /// Ends reading, whoever may still write.
  func close() {
    guard watch != nil else { return }
    stop()
    if let rest = splitter.finish() { take([rest]) }
  }

  private func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }
}

extension Descriptor {
  /// Writes all of the bytes, waiting where it must.
  ///
  /// Throws when the reader is gone.
  func writeAll(_ bytes: [UInt8]) throws(SystemFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw SystemFailure("writing to a pipe")
      }
    }
  }
}
