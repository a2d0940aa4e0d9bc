import Glibc

/// A failed call of the system: its number, and the system's words for it.
struct SystemFailure: Error, Hashable {
  var number: Int32

  var words: String { String(cString: strerror(number)) }
}

/// Makes a call that reports failure as -1, again as long as a signal interrupts it.
///
/// Throws `SystemFailure` with `errno` for any other failure. The rule is written here only.
@discardableResult
func retrying<Result: SignedInteger>(
  _ call: () -> Result
) throws(SystemFailure) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let number = errno
    if number != EINTR { throw SystemFailure(number: number) }
  }
}

/// Writes all the bytes, in as many calls as the system makes of it.
func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
) throws(SystemFailure) {
  var rest = bytes
  while let base = rest.baseAddress, !rest.isEmpty {
    let written = try retrying { write(descriptor, base, rest.count) }
    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
  }
}

/// Writes all the bytes, in as many calls as the system makes of it.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
  // `withUnsafeBytes` does not pass a typed error on, so that it travels as a value.
  let result = bytes.withUnsafeBytes { bytes in
    Result { () throws(SystemFailure) in try writeAll(bytes, to: descriptor) }
  }
  try result.get()
}

/// A write to a pipe without a reader is an outcome (EPIPE), not the end of the process.
///
/// The setting belongs to the whole process and is inherited by what it executes.
func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}
