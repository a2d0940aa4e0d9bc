/// Paints shapes into the planes of a picture, one row of one shape at a time, back to front.
///
/// The loops run over raw memory with integers: millions of pixels have to be quick in a debug
/// build too (about 6 ns a pixel).
struct ScenePainter {
  let sharp: Texture
  let soft: Texture

  func paint(_ shapes: [Shape], into picture: inout PixelPlanes) {
    let planes = picture.planes
    picture.pixels.withUnsafeMutableBufferPointer { pixels in
      for shape in shapes {
        for (index, plane) in planes.enumerated() {
          paint(
            shape, plane: index, plane,
            into: UnsafeMutableBufferPointer(
              rebasing: pixels[plane.start..<plane.start + plane.width * plane.height]))
        }
      }
    }
  }

  private func paint(
    _ shape: Shape, plane index: Int, _ plane: PixelPlanes.Plane,
    into pixels: UnsafeMutableBufferPointer<UInt8>
  ) {
    let height = Double(plane.height)
    let range = shape.verticalRange
    let depth = max(range.upperBound - range.lowerBound, 1e-9)
    // Colour has little detail of its own in nature: a fraction of that of brightness.
    let detail = index == 0 ? 1.0 : 0.12
    var row = SpanPaint(
      slope: index == 0 ? Int32(shape.light * 65_536 / Double(plane.width)) : 0,
      sharpGain: Int32(shape.rough * detail * 256 / 127),
      softGain: Int32(shape.soft * detail * 256 / 127))
    let first = max(0, Int(range.lowerBound * height))
    let last = min(plane.height - 1, Int(range.upperBound * height))
    guard first <= last else { return }
    sharp.values.withUnsafeBufferPointer { sharp in
      soft.values.withUnsafeBufferPointer { soft in
        for y in first...last {
          let middle = (Double(y) + 0.5) / height
          let colour = shape.top.mixed(with: shape.bottom, (middle - range.lowerBound) / depth)
          let textureRow = (y &+ shape.texturePhase.y) & Texture.mask
          let softRow = (y &* 3 / 4 &+ shape.texturePhase.x) & Texture.mask
          row.sharp = UnsafeBufferPointer(rebasing: sharp[(textureRow * Texture.edge)...])
          row.soft = UnsafeBufferPointer(rebasing: soft[(softRow * Texture.edge)...])
          let crossings = shape.crossings(at: middle)
          for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
            let from = max(0, Int(crossings[pair] * Double(plane.width) + 0.5))
            let to = min(plane.width, Int(crossings[pair + 1] * Double(plane.width) + 0.5))
            guard from < to else { continue }
            row.base = Int32(colour[index] * 65_536) &+ Int32(from) &* row.slope
            row.phase = shape.texturePhase.x &+ from
            row.fill(
              UnsafeMutableBufferPointer(
                rebasing: pixels[y * plane.width + from..<y * plane.width + to]))
          }
        }
      }
    }
  }
}

/// How the pixels of one span come about: a ramp plus two textures.
private struct SpanPaint {
  /// 16 bits after the point, as `slope`, which is added per pixel.
  var base: Int32 = 0
  var slope: Int32
  /// 8 bits after the point.
  var sharpGain: Int32
  var softGain: Int32
  /// Where in the rows of texture the span begins.
  var phase = 0
  var sharp = UnsafeBufferPointer<Int8>(start: nil, count: 0)
  var soft = UnsafeBufferPointer<Int8>(start: nil, count: 0)

  init(slope: Int32, sharpGain: Int32, softGain: Int32) {
    self.slope = slope
    self.sharpGain = sharpGain
    self.softGain = softGain
  }

  func fill(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
    guard let target = pixels.baseAddress, let sharp = sharp.baseAddress,
      let soft = soft.baseAddress
    else { return }
    let (slope, sharpGain, softGain, count) = (slope, sharpGain, softGain, pixels.count)
    var value = base
    var at = phase
    var x = 0
    while x < count {
      // The soft texture runs at three quarters of the pace: together they repeat four times later.
      let texture =
        Int32(sharp[at & Texture.mask]) &* sharpGain
        &+ Int32(soft[(at &* 3 &>> 2) & Texture.mask]) &* softGain
      var pixel = value &>> 16 &+ texture &>> 8
      if pixel < 0 { pixel = 0 }
      if pixel > 255 { pixel = 255 }
      target[x] = UInt8(truncatingIfNeeded: pixel)
      value = value &+ slope
      at &+= 1
      x &+= 1
    }
  }
}
