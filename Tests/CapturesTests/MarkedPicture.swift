import CTurboJPEG
import Captures
import Testing

/// A picture with a colour of its own in each quarter, stored in any way that JPEG and EXIF have.
struct MarkedPicture {
  /// As it stands upright.
  var width = 96
  var height = 64
  var orientation = Orientation.upright
  var sampling = TJSAMP_420
  var flags: Int32 = 0

  /// Brightness of the quarters: upper left, upper right, lower left, lower right.
  static let quarters: [UInt8] = [40, 100, 160, 220]

  private func quarter(_ x: Int, _ y: Int) -> Int {
    (x * 2 < width ? 0 : 1) + (y * 2 < height ? 0 : 2)
  }

  /// Where a stored pixel is seen, by EXIF 2.32: what row 0 and column 0 are of the upright picture.
  private func seen(column: Int, row: Int) -> (x: Int, y: Int) {
    let (right, bottom) = (width - 1, height - 1)
    return switch orientation.rawValue {
    case 1: (x: column, y: row)  // top, left
    case 2: (x: right - column, y: row)  // top, right
    case 3: (x: right - column, y: bottom - row)  // bottom, right
    case 4: (x: column, y: bottom - row)  // bottom, left
    case 5: (x: row, y: column)  // left, top
    case 6: (x: right - row, y: column)  // right, top
    case 7: (x: right - row, y: bottom - column)  // right, bottom
    default: (x: row, y: bottom - column)  // left, bottom
    }
  }

  /// The JPEG of it, with those segments in front.
  func jpeg(_ segments: [[UInt8]] = [], cmyk: Bool = false) throws -> [UInt8] {
    let (columns, rows) = orientation.rawValue > 4 ? (height, width) : (width, height)
    let format = cmyk ? TJPF_CMYK : TJPF_RGB
    func light(_ column: Int, _ row: Int) -> UInt8 {
      let at = seen(column: column, row: row)
      return Self.quarters[quarter(at.x, at.y)]
    }
    // Two kinds of rows, each of two parts: pixel by pixel it would take seconds.
    let part = (0..<columns).first { light($0, 0) != light(0, 0) } ?? columns
    let pixels = (0..<rows).flatMap { row in
      [(light(0, row), part), (light(columns - 1, row), columns - part)].flatMap {
        [UInt8](repeating: $0, count: $1 * (cmyk ? 4 : 3))
      }
    }
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let status = tjCompress2(
      handle, pixels, Int32(columns), 0, Int32(rows), Int32(format.rawValue), &bytes, &count,
      Int32(sampling.rawValue), 95, flags)
    try #require(status == 0)
    let encoded = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    return encoded[..<2] + segments.flatMap { $0 } + encoded[2...]
  }

  /// EXIF data with its orientation, and another one of a thumbnail.
  func exif(thumbnail: Orientation? = nil) -> [UInt8] {
    var forge = ExifForge.photo()
    forge.image.fields = [forge.short(0x0112, UInt16(orientation.rawValue))]
    if let thumbnail {
      forge.thumbnail = .init(fields: [forge.short(0x0112, UInt16(thumbnail.rawValue))])
    }
    return JPEGSegments.segment(0xe1, forge.payload)
  }

  /// The mean brightness of the inner part of each quarter, as in ``quarters``.
  static func quarters(of jpeg: [UInt8]) throws -> [Int] {
    let picture = try JPEGDecoder.decode(jpeg)
    return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      let (left, top) = (picture.width * x / 4, picture.height * y / 4)
      let columns = left..<max(left + 1, left + picture.width / 8)
      let rows = top..<max(top + 1, top + picture.height / 8)
      let sum = rows.reduce(0) { sum, row in
        columns.reduce(sum) { $0 + Int(picture.pixels[row * picture.planes[0].width + $1]) }
      }
      return sum / (columns.count * rows.count)
    }
  }
}
