package import EventLoop
import Glibc

/// Files that are there whole or not at all.
package enum WholeFile {
  /// Writes aside, beside the path unless another place is named, then renames.
  ///
  /// Throws, and leaves nothing aside, when the disk is full or the folder takes no files.
  package static func write(
    _ bytes: [UInt8], to path: String, aside other: String? = nil
  ) throws(SystemFailure) {
    let aside = other ?? path + ".part"
    do throws(SystemFailure) {
      let file = try Descriptor(
        open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644), doing: "making \(path)")
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemFailure("writing \(path)") }
        rest = rest.dropFirst(count)
      }
      guard rename(aside, path) == 0 else { throw SystemFailure("renaming to \(path)") }
    } catch {
      unlink(aside)
      throw error
    }
  }

  /// Reads all of a file.
  ///
  /// Throws when it cannot be read, or has more bytes than `sizeMax`.
  static func read(_ path: String, sizeMax: Int) throws(SystemFailure) -> [UInt8] {
    let file = try Descriptor(open(path, O_RDONLY | O_CLOEXEC), doing: "opening \(path)")
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw SystemFailure("reading \(path)") }
    guard status.st_size <= sizeMax else { throw SystemFailure("reading \(path)", code: EFBIG) }
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let moved = Glibc.read(
          file.number, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        if moved < 0, errno == EINTR { continue }
        if moved < 0 { failure = SystemFailure("reading \(path)") }
        guard moved > 0 else { return }
        count += moved
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
