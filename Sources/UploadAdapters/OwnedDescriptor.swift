import Glibc

/// An open descriptor that is closed when its owner lets go of it.
struct OwnedDescriptor: ~Copyable {
  let number: Int32

  /// Opens a file; it is closed in programs that this process executes.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemFailure) {
    number = try retrying { open(path, flags | O_CLOEXEC, mode) }
  }

  deinit {
    // Linux releases the number even when close fails, so there is nothing to try again.
    close(number)
  }

  /// Bytes of the file, as its folder entry says now.
  func size() throws(SystemFailure) -> Int {
    var status = stat()
    try retrying { fstat(number, &status) }
    return Int(status.st_size)
  }

  /// At most as many bytes as fit, from `offset`; fewer only at the end of the file.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(SystemFailure) -> Int {
    var count = 0
    while count < buffer.count, let base = buffer.baseAddress {
      let got = try retrying {
        pread(number, base + count, buffer.count - count, off_t(offset + count))
      }
      if got == 0 { break }
      count += got
    }
    return count
  }
}
