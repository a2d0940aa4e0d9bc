import Quantities

/// A landscape drawn from a seed: sky, ridges, a plain, houses, trees and stones.
///
/// Only the four basic operations are used on fractions, so that every machine draws the same.
struct Scene: Sendable {
  private(set) var shapes: [Shape] = []

  init(_ random: inout SeededRandom) {
    let weather = random.pick(Weather.all)
    let horizon = random.real(0.42...0.56)
    addSky(weather, horizon, &random)
    addRidges(weather, horizon, &random)
    addPlain(weather, horizon, &random)
    addHouses(weather, horizon, &random)
    addTrees(weather, horizon, &random)
    addStones(weather, &random)
  }

  private mutating func add(
    _ corners: [ScenePoint], _ top: SceneColour, _ bottom: SceneColour, rough: Double, soft: Double,
    light: Double = 0, _ random: inout SeededRandom
  ) {
    shapes.append(
      Shape(
        corners: corners, top: top, bottom: bottom, rough: rough, soft: soft, light: light,
        texturePhase: (random.whole(0...Texture.mask), random.whole(0...Texture.mask))))
  }

  private mutating func addSky(
    _ weather: Weather, _ horizon: Double, _ random: inout SeededRandom
  ) {
    add(
      Self.box(0, 0, 1, horizon + 0.02), weather.skyTop, weather.skyBottom, rough: 10, soft: 46,
      light: random.real(-24...24), &random)
    let radius = random.real(0.02...0.04)
    let centre = ScenePoint(
      random.real(0.15...0.85), random.real(0.08...0.5) * horizon)
    add(
      Self.disc(centre, radius, radius * 4 / 3, jitter: 0, &random), weather.sun, weather.sun,
      rough: 5, soft: 3, &random)
  }

  private mutating func addRidges(
    _ weather: Weather, _ horizon: Double, _ random: inout SeededRandom
  ) {
    let count = random.whole(2...4)
    for index in 0..<count {
      let nearness = Double(index + 1) / Double(count)
      let height = horizon - (0.26 - 0.2 * nearness) * random.real(0.7...1.3)
      let line = Self.ridge(height: height, spread: 0.09, &random)
      let colour = weather.skyBottom.mixed(with: weather.rock, 0.3 + 0.6 * nearness)
      add(
        line + [ScenePoint(1, horizon + 0.03), ScenePoint(0, horizon + 0.03)], colour,
        colour.mixed(with: weather.grass, 0.5), rough: 18 + 50 * nearness, soft: 20,
        light: random.real(-20...20), &random)
    }
  }

  private mutating func addPlain(
    _ weather: Weather, _ horizon: Double, _ random: inout SeededRandom
  ) {
    // In bands, because what is nearer shows more contrast.
    let bands = 4
    for index in 0..<bands {
      let top = horizon + (1 - horizon) * Double(index * index) / Double(bands * bands)
      let next = horizon + (1 - horizon) * Double((index + 1) * (index + 1)) / Double(bands * bands)
      // As deep as the next one may leave open.
      let bottom = min(1, next + 0.05)
      let line = Self.ridge(height: top, spread: 0.012, &random)
      let near = Double(index) / Double(bands)
      let colour = weather.grass.mixed(with: weather.earth, random.real(0...0.7))
      add(
        line + [ScenePoint(1, bottom), ScenePoint(0, bottom)], colour,
        colour.mixed(with: weather.earth, 0.4), rough: 55 + 45 * near, soft: 34,
        light: random.real(-24...24), &random)
    }
    let foot = random.real(0.2...0.7)
    let end = random.real(0.3...0.7)
    add(
      [
        ScenePoint(end, horizon + 0.01), ScenePoint(end + 0.015, horizon + 0.01),
        ScenePoint(foot + 0.25, 1), ScenePoint(foot, 1),
      ], weather.earth, weather.earth.mixed(with: weather.sun, 0.25), rough: 48, soft: 18, &random)
  }

  private mutating func addHouses(
    _ weather: Weather, _ horizon: Double, _ random: inout SeededRandom
  ) {
    for _ in 0..<random.whole(3...7) {
      let size = random.real(0.04...0.1)
      let left = random.real(0.02...0.9)
      let foot = horizon + size * random.real(0.5...1.1)
      let top = foot - size * random.real(0.8...1.3)
      let wall = SceneColour(
        random.real(90...200), random.real(108...128), random.real(124...150))
      add(
        Self.box(left, top, left + size, foot), wall, wall.mixed(with: weather.earth, 0.3),
        rough: 26, soft: 12, &random)
      let roof = SceneColour(
        random.real(50...100), random.real(108...124), random.real(134...160))
      add(
        [
          ScenePoint(left - size * 0.1, top), ScenePoint(left + size * 0.5, top - size * 0.5),
          ScenePoint(left + size * 1.1, top),
        ], roof, roof, rough: 40, soft: 8, &random)
      addWindows(left: left, top: top, size: size, foot: foot, &random)
    }
  }

  private mutating func addWindows(
    left: Double, top: Double, size: Double, foot: Double, _ random: inout SeededRandom
  ) {
    let columns = random.whole(2...4)
    let rows = random.whole(1...3)
    let width = size / Double(columns)
    let height = (foot - top) / Double(rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let x = left + width * (Double(column) + 0.25)
        let y = top + height * (Double(row) + 0.2)
        let glass = SceneColour(
          random.real(24...230), random.real(110...140), random.real(118...140))
        add(
          Self.box(x, y, x + width * 0.5, y + height * 0.55), glass,
          glass.mixed(with: SceneColour(40, 128, 128), 0.6), rough: 12, soft: 10, &random)
      }
    }
  }

  private mutating func addTrees(
    _ weather: Weather, _ horizon: Double, _ random: inout SeededRandom
  ) {
    for index in 0..<random.whole(8...18) {
      let nearness = Double(index) / 18
      let size = (0.03 + 0.09 * nearness) * random.real(0.7...1.3)
      let x = random.real(0...1)
      let foot = horizon + 0.02 + 0.22 * nearness
      let crown = foot - size * 1.6
      let bark = SceneColour(random.real(34...70), 122, 134)
      add(
        Self.box(x - size * 0.07, crown, x + size * 0.07, foot), bark, bark, rough: 40, soft: 10,
        &random)
      let leaf = weather.grass.mixed(with: SceneColour(30, 118, 122), random.real(0.3...0.8))
      for _ in 0..<4 {
        let centre = ScenePoint(
          x + size * random.real(-0.35...0.35), crown + size * random.real(-0.4...0.4))
        let radius = size * random.real(0.3...0.55)
        add(
          Self.disc(centre, radius, radius * 4 / 3, jitter: 0.25, &random),
          leaf.mixed(with: weather.sun, 0.25), leaf, rough: 96, soft: 40, &random)
      }
    }
  }

  private mutating func addStones(_ weather: Weather, _ random: inout SeededRandom) {
    for _ in 0..<random.whole(5...12) {
      let radius = random.real(0.01...0.06)
      let centre = ScenePoint(random.real(0...1), random.real(0.8...1))
      add(
        Self.disc(centre, radius, radius * 0.8, jitter: 0.18, &random),
        weather.rock.mixed(with: weather.sun, random.real(0.2...0.5)),
        weather.rock.mixed(with: SceneColour(20, 128, 128), 0.5), rough: 60, soft: 40, &random)
    }
  }

  private static func box(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double
  ) -> [ScenePoint] {
    [
      ScenePoint(left, top), ScenePoint(right, top), ScenePoint(right, bottom),
      ScenePoint(left, bottom),
    ]
  }

  /// A line from the left edge to the right one, rough at every scale: the middle of each piece is
  /// displaced by up to half of what it was a step before.
  private static func ridge(
    height: Double, spread: Double, _ random: inout SeededRandom
  ) -> [ScenePoint] {
    var heights = [height, height]
    var displacement = spread
    for _ in 0..<6 {
      var finer: [Double] = []
      for (left, right) in zip(heights, heights.dropFirst()) {
        finer += [left, (left + right) / 2 + displacement * random.real(-1...1)]
      }
      heights = finer + [heights[heights.count - 1]]
      displacement *= 0.55
    }
    return heights.enumerated().map { index, y in
      ScenePoint(Double(index) / Double(heights.count - 1), y)
    }
  }

  /// A round outline of 32 corners, each up to `jitter` of the radius off.
  private static func disc(
    _ centre: ScenePoint, _ radiusX: Double, _ radiusY: Double, jitter: Double,
    _ random: inout SeededRandom
  ) -> [ScenePoint] {
    var corners: [ScenePoint] = []
    // The rational points of a circle, a quarter at a time: no sine is needed.
    for (signX, signY, swapped) in [
      (1.0, 1.0, false), (-1, 1, true), (-1, -1, false), (1, -1, true),
    ] {
      for step in 0..<8 {
        let t = Double(step) / 8
        let along = (1 - t * t) / (1 + t * t)
        let across = 2 * t / (1 + t * t)
        let off = 1 + jitter * random.real(-1...1)
        corners.append(
          ScenePoint(
            centre.x + radiusX * off * signX * (swapped ? across : along),
            centre.y + radiusY * off * signY * (swapped ? along : across)))
      }
    }
    return corners
  }
}

/// The colours of a kind of light.
private struct Weather: Sendable {
  var skyTop: SceneColour
  var skyBottom: SceneColour
  var sun: SceneColour
  var rock: SceneColour
  var grass: SceneColour
  var earth: SceneColour

  static let all = [
    Weather(
      skyTop: SceneColour(112, 158, 104), skyBottom: SceneColour(196, 138, 122),
      sun: SceneColour(240, 116, 132), rock: SceneColour(96, 130, 126),
      grass: SceneColour(104, 102, 118), earth: SceneColour(128, 110, 140)),
    Weather(
      skyTop: SceneColour(84, 146, 122), skyBottom: SceneColour(190, 96, 156),
      sun: SceneColour(236, 92, 146), rock: SceneColour(74, 128, 134),
      grass: SceneColour(76, 108, 128), earth: SceneColour(98, 108, 144)),
    Weather(
      skyTop: SceneColour(150, 132, 126), skyBottom: SceneColour(204, 130, 127),
      sun: SceneColour(226, 128, 129), rock: SceneColour(104, 129, 127),
      grass: SceneColour(90, 112, 122), earth: SceneColour(110, 118, 134)),
  ]
}
