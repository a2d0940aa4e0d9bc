import CTurboJPEG

/// How a JPEG stores its colour differences, as TurboJPEG numbers it.
struct JPEGSampling: Hashable, Sendable {
  let code: Int32

  /// The colour differences at half the width and half the height, as phone cameras do.
  static let halved = JPEGSampling(code: Int32(TJSAMP_420.rawValue))
  /// Brightness alone.
  static let grey = JPEGSampling(code: Int32(TJSAMP_GRAY.rawValue))

  var planeCount: Int { self == .grey ? 1 : 3 }

  func planeSize(_ index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
    (
      Int(tjPlaneWidth(Int32(index), Int32(width), code)),
      Int(tjPlaneHeight(Int32(index), Int32(height), code))
    )
  }
}

/// Encodes pictures of one size with libjpeg-turbo; it owns the encoder and one output buffer.
///
/// The exact transform is used, whose result is the same on every machine.
final class JPEGEncoder {
  private let handle: tjhandle
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  init(width: Int, height: Int, sampling: JPEGSampling) throws {
    guard let handle = tjInitCompress() else { throw CaptureError.jpeg(turboError(nil)) }
    self.handle = handle
    buffer = .allocate(capacity: Int(tjBufSize(Int32(width), Int32(height), sampling.code)))
  }

  deinit {
    tjDestroy(handle)
    buffer.deallocate()
  }

  /// Encodes at a quality from 1 to 100 and gives the size; the bytes stay here until the next.
  func encode(_ picture: PixelPlanes, quality: Int) throws -> Int {
    var size = UInt(buffer.count)
    var output = buffer.baseAddress
    let status = tjCompressFromYUV(
      handle, picture.pixels, Int32(picture.width), 1, Int32(picture.height),
      picture.sampling.code, &output, &size, Int32(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    guard status == 0 else { throw CaptureError.jpeg(turboError(handle)) }
    count = Int(size)
    return count
  }

  /// What was encoded last.
  var encoded: [UInt8] { Array(buffer[..<count]) }
}

/// Decodes a JPEG into its planes, without turning or converting them.
package enum JPEGDecoder {
  /// Pixels; more than any phone camera has, and less than a hostile header can ask memory for.
  static let mostPixels = 120_000_000
  /// Without the limit on scans (500), a few bytes could ask for hours of work.
  private static let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS

  struct Header {
    var width: Int
    var height: Int
    var sampling: JPEGSampling
  }

  static func header(of jpeg: [UInt8]) throws -> Header {
    try withHandle { try header(of: jpeg, $0) }
  }

  /// Decodes a picture, by the shortest way for one whose long edge need be no longer than that.
  ///
  /// A picture of at least twice that edge is halved, or quartered, or made an eighth, in the
  /// transform itself: of 100 megapixels those that are made are then 6 and not 100.
  package static func decode(
    _ jpeg: [UInt8], forLongEdge longEdge: Int = .max
  ) throws -> PixelPlanes {
    try withHandle { handle in
      let header = try header(of: jpeg, handle)
      let part = [8, 4, 2].first { max(header.width, header.height) / $0 >= longEdge } ?? 1
      func scaled(_ length: Int) -> Int { (length + part - 1) / part }
      var picture = PixelPlanes(
        width: scaled(header.width), height: scaled(header.height), sampling: header.sampling)
      let status = tjDecompressToYUV2(
        handle, jpeg, UInt(jpeg.count), &picture.pixels, Int32(picture.width), 1,
        Int32(picture.height), flags)
      guard status == 0 else { throw CaptureError.jpeg(turboError(handle)) }
      return picture
    }
  }

  private static func withHandle<Result>(_ body: (tjhandle) throws -> Result) throws -> Result {
    guard let handle = tjInitDecompress() else { throw CaptureError.jpeg(turboError(nil)) }
    defer { tjDestroy(handle) }
    return try body(handle)
  }

  private static func header(of jpeg: [UInt8], _ handle: tjhandle) throws -> Header {
    var (width, height, sampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &colours) == 0
    else { throw CaptureError.jpeg(turboError(handle)) }
    guard Int(width) * Int(height) <= mostPixels else {
      throw CaptureError.jpeg("\(width) x \(height) is more than \(mostPixels) pixels")
    }
    guard sampling >= 0,
      [TJCS_YCbCr, TJCS_GRAY].contains(where: { Int32($0.rawValue) == colours })
    else { throw CaptureError.jpeg("its colours are not stored as cameras store them (YCbCr)") }
    return Header(
      width: Int(width), height: Int(height), sampling: JPEGSampling(code: sampling))
  }
}

private func turboError(_ handle: tjhandle?) -> String {
  guard let text = tjGetErrorStr2(handle) else { return "no reason given" }
  return String(cString: text)
}
