import Glibc
import Uploads

/// The bytes of a request's body, read piece by piece from memory or from the file itself.
struct BodySource: ~Copyable {
  /// A body that ends early or cannot be read; the words for it.
  struct Failure: Error, Hashable {
    var words: String
  }

  /// Bytes that were promised in the head.
  let count: Int
  private var offset = 0
  private let memory: [UInt8]
  private let path: String
  private let file: OwnedDescriptor?

  /// Opens the file of the body; it has to have the length that the request says.
  init(_ body: OutgoingRequest.Body) throws(Failure) {
    switch body {
    case .none:
      (memory, path, count) = ([], "", 0)
      file = nil
    case .bytes(let bytes, _):
      (memory, path, count) = (bytes, "", bytes.count)
      file = nil
    case .file(let path, let bytes, _):
      (memory, self.path, count) = ([], path, bytes)
      let length: Int
      do throws(SystemFailure) {
        let opened = try OwnedDescriptor(opening: path, O_RDONLY)
        length = try opened.size()
        file = consume opened
      } catch {
        file = nil
        throw Failure(words: "\(path): \(error.words)")
      }
      if length != bytes {
        throw Failure(words: "\(path): has \(length) bytes, and had \(bytes)")
      }
    }
  }

  /// The next bytes; 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    let wanted = UnsafeMutableRawBufferPointer(
      rebasing: buffer[..<min(buffer.count, count - offset)])
    switch file {
    case .none:
      wanted.copyBytes(from: memory[offset..<(offset + wanted.count)])
    case .some(let opened):
      let got: Int
      do throws(SystemFailure) {
        got = try opened.read(into: wanted, from: offset)
      } catch {
        throw Failure(words: "\(path): \(error.words)")
      }
      if got < wanted.count {
        throw Failure(words: "\(path): ends after \(offset + got) of \(count) bytes")
      }
    }
    offset += wanted.count
    return wanted.count
  }

  /// Goes back, or on, to that byte of the body; false outside it.
  mutating func seek(to position: Int) -> Bool {
    guard (0...count).contains(position) else { return false }
    offset = position
    return true
  }
}
