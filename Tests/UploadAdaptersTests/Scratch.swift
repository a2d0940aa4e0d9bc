import Glibc

@testable import UploadAdapters

/// A folder for one test, removed with its files when the test lets go of it.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/onebar-adapters-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(number: errno) }
    path = template.withUnsafeBufferPointer { bytes in
      String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  deinit {
    Self.remove(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func remove(_ path: String) {
    let names = (try? PosixFileSystem().list(path)) ?? []
    for name in names { remove("\(path)/\(name)") }
    Glibc.remove(path)
  }
}

/// Bytes that differ from place to place, so that a swap or a gap shows.
func pattern(_ count: Int) -> [UInt8] {
  var state: UInt32 = 1
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(state >> 24)
  }
}
