import Quantities

/// A file that its user picked, read for the first time: what goes wrong is told in words.
extension FileSystem {
  /// Bytes of it; throws when it is not there, or larger than what is taken.
  func pickedSize(of path: String, atMost bytesMax: Int) throws(SaveFailure) -> Int {
    do throws(FileSystemError) {
      guard let size = try size(of: path) else {
        throw FileSystemError(path: path, cause: .notFound)
      }
      guard size <= bytesMax else {
        throw FileSystemError(
          path: path, cause: .other("it is larger than \(ByteCount(bytesMax))"))
      }
      return size
    } catch {
      throw SaveFailure(error.description)
    }
  }

  /// Its first bytes.
  func pickedBytes(of path: String, count: Int) throws(SaveFailure) -> [UInt8] {
    do throws(FileSystemError) {
      return try read(path, from: 0, count: count)
    } catch {
      throw SaveFailure(error.description)
    }
  }
}
