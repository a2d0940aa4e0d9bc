import EventLoop
import Glibc
import Reports

/// Reads whole lines from a pipe, each as soon as it has come.
final class LinePipe {
  private static let readSize = 65_536

  private let descriptor: Descriptor
  private let loop: EventLoop
  private var splitter = LineSplitter()
  private var watch: EventLoop.Watch?
  private var take: (String) -> Void = { _ in }

  init(_ descriptor: Descriptor, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  deinit {
    stop()
  }

  func start(_ take: @escaping (String) -> Void) throws(SystemFailure) {
    self.take = take
    guard fcntl(descriptor.number, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemFailure("preparing a pipe")
    }
    watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
      _ = readOnce()
    }
  }

  /// Takes all that is in the pipe now.
  func drain() {
    while watch != nil, readOnce() {}
  }

  /// Returns false when nothing was there; at the end of the pipe, and when it is broken, nothing
  /// more will be.
  private func readOnce() -> Bool {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, filled in
      repeat {
        count = read(descriptor.number, buffer.baseAddress, Self.readSize)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    if count > 0 {
      for line in splitter.feed(bytes) { take(line) }
      return true
    }
    if count == 0 || errno != EAGAIN {
      stop()
      if let rest = splitter.finish() { take(rest) }
    }
    return false
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
