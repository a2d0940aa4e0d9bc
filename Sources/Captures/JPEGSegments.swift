/// The marker segments of a JPEG before its scan.
///
/// Source: ITU-T T.81, annex B. Any bytes are accepted; reading ends at the scan, at the end, or at
/// the first thing that is no segment.
package struct JPEGSegments: Sendable {
  package struct Segment: Hashable, Sendable {
    /// The second byte of the marker: 0xE1 for APP1, 0xFE for a comment.
    package var marker: UInt8
    /// Where the whole segment stands, marker and length included.
    package var range: Range<Int>

    /// Where its content stands.
    package var payload: Range<Int> { range.lowerBound + 4..<range.upperBound }
  }

  /// The largest content of a segment, in bytes: its length field counts itself.
  package static let largestPayload = 65_533
  package static let exifTag = Array("Exif\0\0".utf8)
  /// Begins a piece of the colour profile, in APP2 (ICC.1, annex B.4).
  private static let profileTag = Array("ICC_PROFILE\0".utf8)

  package private(set) var segments: [Segment] = []
  /// The pixel size that the frame header states.
  package private(set) var size: (width: Int, height: Int)?
  /// The whole segment that holds the EXIF data; the first one, if there are several.
  package private(set) var exif: Segment?
  /// Comments and the colour profile, which belong to the picture in any copy of it.
  package private(set) var aboutThePicture: [Segment] = []
  /// Where the scan's own data begins; nil if it was not reached.
  package private(set) var scanData: Int?

  package init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { read($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 2, bytes[0] == 0xff, bytes[1] == 0xd8 else { return }
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xff {
      let marker = bytes[at + 1]
      if marker == 0xff {  // A fill byte.
        at += 1
        continue
      }
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard marker >= 0xc0, !(0xd0...0xd9).contains(marker), length >= 2,
        at + 2 + length <= bytes.count
      else { return }
      let segment = Segment(marker: marker, range: at..<at + 2 + length)
      segments.append(segment)
      note(segment, in: bytes)
      at = segment.range.upperBound
      if marker == 0xda {
        scanData = at
        return
      }
    }
  }

  private mutating func note(_ segment: Segment, in bytes: UnsafeBufferPointer<UInt8>) {
    let start = segment.payload.lowerBound
    func begins(with tag: [UInt8]) -> Bool {
      segment.payload.count > tag.count
        && tag.indices.allSatisfy { bytes[start + $0] == tag[$0] }
    }
    switch segment.marker {
    case 0xe1 where exif == nil && begins(with: Self.exifTag): exif = segment
    case 0xfe: aboutThePicture.append(segment)
    case 0xe2 where begins(with: Self.profileTag): aboutThePicture.append(segment)
    case 0xc0...0xcf
    where ![0xc4, 0xc8, 0xcc].contains(segment.marker) && segment.payload.count >= 5:
      size = (
        width: Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]),
        height: Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
      )
    default: break
    }
  }

  /// A segment with that marker and content, ready to stand in a file.
  package static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= largestPayload)
    let length = payload.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + payload
  }
}
