import Quantities

/// Encodes a picture as a file of exactly a size.
///
/// The quality brings it close from below, grain over a share of the picture closer, and at most
/// 1 % of padding fills the rest. Sizes grow evenly enough that it takes five encodings or so.
struct PhotoFitter {
  /// Below 10 a picture is blocks; above 97 most bytes hold rounding noise.
  static let qualities = 10...97
  /// Bytes of padding in 1,000 of a file at most.
  static let mostPadding = 10
  /// Bytes of padding in 1,000 that are aimed at.
  private static let aimedPadding = 4
  /// A quality is good enough when grain need not add more than this part of the file.
  private static let grainShare = 0.14
  /// In 1/16 of a brightness step; twice this is snow.
  private static let strongestGrain = 1_024
  /// Of the search for the share of grain; half of them would do.
  private static let mostSteps = 24

  let file: String
  let exif: [UInt8]
  let size: Int
  private let encoder: JPEGEncoder

  init(file: String, exif: [UInt8], size: Int, for picture: PixelPlanes) throws {
    self.file = file
    self.exif = exif
    self.size = size
    encoder = try JPEGEncoder(
      width: picture.width, height: picture.height, sampling: picture.sampling)
  }

  /// The size without padding that is wanted, and the largest that is allowed.
  private var aim: Int { largest - size * Self.aimedPadding / 1_000 }
  private var largest: Int { size - PhotoFile.smallestPadding }
  private var smallest: Int { size - size * Self.mostPadding / 1_000 }

  /// Makes the file; `picture` then has the grain that was laid over it.
  ///
  /// Throws when the picture is larger than `size` at the lowest quality, or smaller at the highest
  /// with the strongest grain.
  func fit(_ picture: inout PixelPlanes, _ random: inout SeededRandom) throws -> [UInt8] {
    let (quality, plain) = try findQuality(picture)
    if plain < smallest { try addGrain(&picture, quality: quality, plain: plain, &random) }
    let encoded = encoder.encoded
    let padding = PhotoFile.padding(
      size - PhotoFile.byteCount(encoded: encoded.count, exif: exif), &random)
    return PhotoFile.assembled(encoded, segments: exif, padding: padding)
  }

  private func encode(_ picture: PixelPlanes, quality: Int) throws -> Int {
    PhotoFile.byteCount(
      encoded: try encoder.encode(picture, quality: quality), exif: exif)
  }

  /// A quality whose size is at most ``largest`` and less than ``grainShare`` below it, or else the
  /// highest.
  private func findQuality(_ picture: PixelPlanes) throws -> (quality: Int, size: Int) {
    var (low, high) = (Self.qualities.lowerBound - 1, Self.qualities.upperBound + 1)
    var quality = 90
    while true {
      let bytes = try encode(picture, quality: quality)
      if bytes <= largest {
        if Double(bytes) >= Double(aim) * (1 - Self.grainShare)
          || quality == Self.qualities.upperBound
        {
          return (quality, bytes)
        }
        low = quality
      } else {
        guard quality > Self.qualities.lowerBound else {
          throw CaptureError.tooSmall(
            file: file, asked: size, smallest: bytes + PhotoFile.smallestPadding)
        }
        high = quality
      }
      guard high - low > 1 else {
        // The step from one quality to the next is larger than the share of grain.
        return (low, try encode(picture, quality: low))
      }
      let guess = Self.quality(after: quality, bytes: bytes, aim: Double(aim) * 0.95)
      quality = min(max(guess, low + 1), high - 1)
    }
  }

  /// The quality at which a picture of so many bytes should come to `aim`.
  ///
  /// libjpeg divides by steps in proportion to `5000 / quality` below 50 and `200 - 2 x quality`
  /// above; the size goes about with the power -0.7 of them, that is, the steps with -1.4 of it.
  private static func quality(after quality: Int, bytes: Int, aim: Double) -> Int {
    let scale = quality < 50 ? 5_000 / Double(quality) : 200 - 2 * Double(quality)
    let ratio = Double(bytes) / aim
    // ratio to the power of 1.4, near enough, without the mathematics library.
    let wanted = scale * (ratio * (1 + 0.4 * (ratio - 1) / (0.7 + 0.3 * ratio)))
    let guess = wanted > 100 ? 5_000 / wanted : (200 - wanted) / 2
    return Int(min(100, max(1, guess)))
  }

  /// Lays as much grain over the picture as brings its size between ``smallest`` and ``largest``.
  private func addGrain(
    _ picture: inout PixelPlanes, quality: Int, plain: Int, _ random: inout SeededRandom
  ) throws {
    var grain = Grain(over: picture, &random)
    var strength = Self.firstStrength(quality: quality)
    var low = (share: 0.0, bytes: plain)
    var high = (share: 1.0, bytes: 0)
    while true {
      grain.lay(strength: strength, share: 1, over: &picture)
      high.bytes = try encode(picture, quality: quality)
      if high.bytes >= smallest { break }
      guard strength < Self.strongestGrain else {
        throw CaptureError.tooLarge(
          file: file, asked: size, largest: high.bytes + PhotoFile.smallestPadding)
      }
      strength *= 2
    }
    var bytes = high.bytes
    for step in 0..<Self.mostSteps where bytes < smallest || bytes > largest {
      let even = Double(aim - low.bytes) / Double(high.bytes - low.bytes)
      // Halving, now and then, gets out where sizes do not grow evenly.
      let share = low.share + (high.share - low.share) * (step % 4 == 3 ? 0.5 : even)
      grain.lay(strength: strength, share: share, over: &picture)
      bytes = try encode(picture, quality: quality)
      if bytes < smallest { low = (share, bytes) } else { high = (share, bytes) }
    }
    guard bytes >= smallest, bytes <= largest else {
      throw CaptureError.notReached(file: file, asked: size)
    }
  }

  /// Half of a typical step of the quantisation, in 1/16: less would be rounded away.
  private static func firstStrength(quality: Int) -> Int {
    let scale = quality < 50 ? 5_000 / quality : 200 - 2 * quality
    return max(24, 30 * scale * 8 / 100)
  }
}
