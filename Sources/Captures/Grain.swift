import Quantities

/// The grain of a sensor, laid over the brightness of a picture cell by cell.
///
/// It is the fine dial of a photo's size: each cell with grain costs some bytes more, and the cells
/// are taken in a scattered order, so that the size grows evenly with their share.
struct Grain {
  /// Cells are this high and a multiple of this wide: a block of JPEG with halved colours.
  private static let cellHeight = 16
  /// Enough columns for a fine dial; more would only cost time.
  private static let columns = 32
  /// Of shares: the number of ranks among which the cells are scattered.
  private static let ranks = 1 << 20
  private static let noiseMask = 0xffff

  private let noise: [Int8]
  private let clean: [UInt8]
  private let plane: PixelPlanes.Plane
  private let cellWidth: Int
  private var gain: Int32 = 0
  private var rank = 0

  init(over picture: PixelPlanes, _ random: inout SeededRandom) {
    var noise: [Int8] = []
    noise.reserveCapacity(Self.noiseMask + 1)
    while noise.count <= Self.noiseMask {
      var word = random.next()
      for _ in 0..<4 {
        // The mean of two even draws is nearer to a sensor's noise than one is.
        let first = Int8(truncatingIfNeeded: word) / 2
        noise.append(first + Int8(truncatingIfNeeded: word >> 8) / 2)
        word >>= 16
      }
    }
    self.noise = noise
    plane = picture.planes[0]
    clean = Array(picture.pixels[..<(plane.width * plane.height)])
    cellWidth = Self.cellHeight * max(1, plane.width / Self.cellHeight / Self.columns)
  }

  /// Lays grain of a strength over that share of the cells of `picture`, and takes it off the rest.
  ///
  /// `strength` is the mean deviation in 1/16 of a brightness step.
  mutating func lay(strength: Int, share: Double, over picture: inout PixelPlanes) {
    // The mean deviation of the noise is 42.
    let newGain = Int32(strength * 16 / 42)
    let newRank = Int(share * Double(Self.ranks))
    let rowsOfCells = (plane.height + Self.cellHeight - 1) / Self.cellHeight
    let cellsPerRow = (plane.width + cellWidth - 1) / cellWidth
    picture.pixels.withUnsafeMutableBufferPointer { pixels in
      for cell in 0..<rowsOfCells * cellsPerRow {
        let cellRank = Self.rank(of: cell)
        let (was, will) = (cellRank < rank, cellRank < newRank)
        guard was != will || (will && gain != newGain) else { continue }
        fill(
          UnsafeMutableBufferPointer(rebasing: pixels[..<clean.count]),
          x: cell % cellsPerRow * cellWidth, y: cell / cellsPerRow * Self.cellHeight,
          gain: will ? newGain : 0)
      }
    }
    gain = newGain
    rank = newRank
  }

  /// Scatters the numbers of cells: the finaliser of SplitMix64.
  private static func rank(of cell: Int) -> Int {
    var random = SeededRandom(seed: UInt64(cell))
    return Int(random.next() & UInt64(ranks - 1))
  }

  private func fill(
    _ pixels: UnsafeMutableBufferPointer<UInt8>, x: Int, y: Int, gain: Int32
  ) {
    let end = min(x + cellWidth, plane.width)
    clean.withUnsafeBufferPointer { clean in
      noise.withUnsafeBufferPointer { noise in
        guard let clean = clean.baseAddress, let noise = noise.baseAddress,
          let pixels = pixels.baseAddress
        else { return }
        for row in y..<min(y + Self.cellHeight, plane.height) {
          let offset = row &* 0x9e37 &* 31
          var at = row &* plane.width &+ x
          let last = row &* plane.width &+ end
          while at < last {
            let speck = Int32(noise[(at &+ offset) & Self.noiseMask]) &* gain
            var pixel = Int32(clean[at]) &+ (speck &+ 128) &>> 8
            if pixel < 0 { pixel = 0 }
            if pixel > 255 { pixel = 255 }
            pixels[at] = UInt8(truncatingIfNeeded: pixel)
            at &+= 1
          }
        }
      }
    }
  }
}
