/// A picture in the planes that JPEG stores: brightness, then two colour differences unless grey.
///
/// The planes stand one after the other in one buffer, without padding, as TurboJPEG takes them.
package struct PixelPlanes: Sendable {
  package struct Plane: Hashable, Sendable {
    package let start: Int
    package let width: Int
    package let height: Int
  }

  package let width: Int
  package let height: Int
  let sampling: JPEGSampling
  package let planes: [Plane]
  package var pixels: [UInt8]

  init(width: Int, height: Int, sampling: JPEGSampling) {
    self.width = width
    self.height = height
    self.sampling = sampling
    var start = 0
    planes = (0..<sampling.planeCount).map { index in
      let size = sampling.planeSize(index, width: width, height: height)
      defer { start += size.width * size.height }
      return Plane(start: start, width: size.width, height: size.height)
    }
    pixels = [UInt8](repeating: 0, count: start)
  }

  /// The picture with its long edge made that short; as it is if it is not longer.
  ///
  /// Each new pixel is the mean of the area that it covers, in integers, so that every machine
  /// gives the same bytes. Colour differences that were stored otherwise become so by the same rule.
  package func reduced(longEdge: Int) -> PixelPlanes {
    reduced(longEdge: longEdge, sampling: sampling)
  }

  func reduced(longEdge: Int, sampling: JPEGSampling) -> PixelPlanes {
    let long = max(width, height)
    let edge = longEdge > 0 ? min(long, longEdge) : long
    guard edge < long || sampling != self.sampling else { return self }
    func scaled(_ old: Int) -> Int { max(1, (old * edge + long / 2) / long) }
    var result = PixelPlanes(width: scaled(width), height: scaled(height), sampling: sampling)
    pixels.withUnsafeBufferPointer { source in
      result.pixels.withUnsafeMutableBufferPointer { target in
        for (old, new) in zip(planes, result.planes) {
          Self.reduce(
            UnsafeBufferPointer(rebasing: source[old.start...]), old,
            into: UnsafeMutableBufferPointer(rebasing: target[new.start...]), new)
        }
      }
    }
    return result
  }

  private static func reduce(
    _ source: UnsafeBufferPointer<UInt8>, _ old: Plane,
    into target: UnsafeMutableBufferPointer<UInt8>, _ new: Plane
  ) {
    let columns = PixelSpan.all(from: old.width, to: new.width)
    let rows = PixelSpan.all(from: old.height, to: new.height)
    var sums = [UInt32](repeating: 0, count: old.width)
    sums.withUnsafeMutableBufferPointer { sums in
      var at = 0
      for row in rows {
        sums.update(repeating: 0)
        guard let sums = sums.baseAddress, let source = source.baseAddress else { return }
        for y in row.first...row.last {
          PixelSpan.add(
            source + y * old.width, count: old.width, times: row.weight(of: y), to: sums)
        }
        for column in columns {
          target[at] = column.mean(of: sums)
          at &+= 1
        }
      }
    }
  }
}

/// Which old rows or columns a new one covers, and by how much.
private struct PixelSpan {
  /// The weights of a span sum to this.
  private static let whole = 65_536

  let first: Int
  let last: Int
  private let firstWeight: UInt64
  private let innerWeight: UInt64
  private let lastWeight: UInt64

  static func all(from old: Int, to new: Int) -> [PixelSpan] {
    (0..<new).map { PixelSpan(index: $0, from: old, to: new) }
  }

  private init(index: Int, from old: Int, to new: Int) {
    // In units of 1 / new of an old pixel: a new one covers `old` of them from `index * old`.
    let start = index * old
    first = start / new
    last = (start + old - 1) / new
    let inner = Self.whole * new / old
    let head = first < last ? Self.whole * ((first + 1) * new - start) / old : Self.whole
    // What rounding left over goes to the last, so that the sum is exact.
    let tail = first < last ? Self.whole - head - (last - first - 1) * inner : 0
    (firstWeight, innerWeight, lastWeight) = (UInt64(head), UInt64(inner), UInt64(tail))
  }

  func weight(of index: Int) -> UInt32 {
    UInt32(index == first ? firstWeight : index == last ? lastWeight : innerWeight)
  }

  static func add(
    _ row: UnsafePointer<UInt8>, count: Int, times weight: UInt32,
    to sums: UnsafeMutablePointer<UInt32>
  ) {
    var x = 0
    while x < count {
      sums[x] = sums[x] &+ UInt32(row[x]) &* weight
      x &+= 1
    }
  }

  func mean(of sums: UnsafePointer<UInt32>) -> UInt8 {
    var mean: UInt64 = 1 << 31
    mean = mean &+ UInt64(sums[first]) &* firstWeight
    var x = first &+ 1
    while x < last {
      mean = mean &+ UInt64(sums[x]) &* innerWeight
      x &+= 1
    }
    mean = mean &+ UInt64(sums[last]) &* lastWeight
    return UInt8(truncatingIfNeeded: mean &>> 32)
  }
}
