import Quantities

/// A square of seeded texture that repeats without a seam.
///
/// Photographs have about the same contrast in every octave of scale; so has this: noise is added
/// at every doubling of the resolution, each octave `persistence` times as strong as the last.
struct Texture: Sendable {
  /// Pixels of an edge: a power of two, so that repeating is one mask.
  static let edge = 1024
  static let mask = edge - 1

  /// Rows from the top; from -127 to 127.
  private(set) var values: [Int8]

  init(persistence: Double, _ random: inout SeededRandom) {
    var edge = 4
    // 1/256 of a step; the amplitudes sum to the range of the result.
    var amplitude = 127.0 * 256 * 0.4
    var field = (0..<edge * edge).map { _ in Int32(random.real(-1...1) * amplitude) }
    while edge < Self.edge {
      amplitude *= persistence
      field = Self.doubled(field, edge: edge, amplitude: Int32(amplitude), &random)
      edge *= 2
    }
    values = field.map { Int8(truncatingIfNeeded: max(-127, min(127, $0 / 256))) }
  }

  /// Twice as fine: each pixel a mean of its neighbours plus noise up to `amplitude`.
  private static func doubled(
    _ field: [Int32], edge: Int, amplitude: Int32, _ random: inout SeededRandom
  ) -> [Int32] {
    let newEdge = edge * 2
    var result = [Int32](repeating: 0, count: newEdge * newEdge)
    field.withUnsafeBufferPointer { field in
      result.withUnsafeMutableBufferPointer { result in
        guard let old = field.baseAddress, let new = result.baseAddress else { return }
        var bits: UInt64 = 0
        var y = 0
        while y < newEdge {
          let near = (y &>> 1) &* edge
          let far = (((y &>> 1) &+ (y & 1 == 0 ? edge &- 1 : 1)) & (edge &- 1)) &* edge
          var x = 0
          while x < newEdge {
            if x & 3 == 0 { bits = random.next() }
            let column = x &>> 1
            let beside = (column &+ (x & 1 == 0 ? edge &- 1 : 1)) & (edge &- 1)
            // Bilinear: 9, 3, 3 and 1 sixteenths.
            let mean =
              (9 &* old[near &+ column] &+ 3 &* old[near &+ beside] &+ 3 &* old[far &+ column]
                &+ old[far &+ beside]) &>> 4
            let noise = Int32(truncatingIfNeeded: bits & 0xffff) &- 32_768
            bits &>>= 16
            new[y &* newEdge &+ x] = mean &+ (noise &* (amplitude &>> 3)) &>> 12
            x &+= 1
          }
          y &+= 1
        }
      }
    }
    return result
  }
}
