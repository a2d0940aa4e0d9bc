import Quantities

extension PhotoPlan {
  /// Bytes; smaller files would be mostly headers.
  package static let smallestFile = 20_000
  /// Bytes; the largest photo that a phone takes is about half of it.
  package static let largestFile = 20_000_000
  /// The usual camera: 12 megapixels.
  private static let usualSize = (width: 4032, height: 3024)

  /// Pixels of the original: those of the usual camera where they suit the file's size.
  ///
  /// A photo holds 1 to 5 bits a pixel; outside of that the size of the picture follows, at 2.8.
  /// From 1.53 to 7.62 MB that is 4032 x 3024; 12 MB gives 6752 x 5064, 100 KB gives 608 x 456.
  package var pixelSize: (width: Int, height: Int) {
    let bits = original.bytes * 8
    let pixels = Self.usualSize.width * Self.usualSize.height
    if bits >= pixels, bits <= 5 * pixels { return Self.usualSize }
    // 4 : 3, in whole blocks: width = 16 x n, height = 12 x n, so pixels = 192 x n x n.
    let units = max(1, Int((Double(bits) / 2.8 / 192).squareRoot()))
    return (16 * units, 12 * units)
  }
}
