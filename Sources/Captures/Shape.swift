/// A position in a scene, in parts of its width and of its height, from the top left.
struct ScenePoint: Hashable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// Brightness and the two colour differences as JPEG stores them, 0 to 255.
struct SceneColour: Hashable, Sendable {
  var luma: Double
  var blue: Double
  var red: Double

  init(_ luma: Double, _ blue: Double, _ red: Double) {
    self.luma = luma
    self.blue = blue
    self.red = red
  }

  func mixed(with other: SceneColour, _ share: Double) -> SceneColour {
    SceneColour(
      luma + (other.luma - luma) * share, blue + (other.blue - blue) * share,
      red + (other.red - red) * share)
  }

  subscript(plane: Int) -> Double { plane == 0 ? luma : plane == 1 ? blue : red }
}

/// A surface of a scene: a polygon with a vertical gradient and texture.
struct Shape: Sendable {
  var corners: [ScenePoint]
  var top: SceneColour
  var bottom: SceneColour
  /// Brightness steps that the sharp texture adds at most.
  var rough: Double
  /// Brightness steps that the soft texture adds at most.
  var soft: Double
  /// Brightness steps that the light adds from the left edge of the scene to the right.
  var light: Double = 0
  /// Where in the textures the shape begins, so that no two look alike.
  var texturePhase: (x: Int, y: Int)

  /// Where a row of pixels enters and leaves the polygon: x in parts of the width, ascending.
  ///
  /// The even-odd rule; an edge takes its upper end and not its lower one, so corners count once.
  func crossings(at y: Double) -> [Double] {
    var result: [Double] = []
    var from = corners[corners.count - 1]
    for to in corners {
      if (from.y <= y) != (to.y <= y) {
        result.append(from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y)))
      }
      from = to
    }
    result.sort()
    return result
  }

  var verticalRange: ClosedRange<Double> {
    var (low, high) = (corners[0].y, corners[0].y)
    for corner in corners {
      low = min(low, corner.y)
      high = max(high, corner.y)
    }
    return low...high
  }
}
