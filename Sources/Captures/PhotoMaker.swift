import Quantities

/// Makes a photo and its copy from a seed.
struct PhotoMaker {
  let name: String
  let plan: PhotoPlan
  let random: SeededRandom

  struct Made {
    var time: CaptureTime
    var place: Place
    var original: [UInt8]
    var copy: [UInt8]
    var originalSize: (width: Int, height: Int)
    var copySize: (width: Int, height: Int)
  }

  /// A photo as the camera wrote it.
  struct Original {
    var time: CaptureTime
    var place: Place
    var bytes: [UInt8]
    var size: (width: Int, height: Int)
    fileprivate var picture: PixelPlanes
    fileprivate var exif: [UInt8]
  }

  func make() throws -> Made {
    let copyFile = "\(name)-copy.jpg"
    try Self.check(plan.copy, file: copyFile)
    let original = try makeOriginal()
    var smaller = original.picture.reduced(longEdge: SmallCopy.longEdge)
    var copyRandom = random.fork("copy")
    let copy = try PhotoFitter(
      file: copyFile, exif: original.exif, size: plan.copy.bytes, for: smaller
    ).fit(&smaller, &copyRandom)
    return Made(
      time: original.time, place: original.place, original: original.bytes, copy: copy,
      originalSize: original.size, copySize: (smaller.width, smaller.height))
  }

  /// The photo alone; the copy of the plan is left out.
  func makeOriginal() throws -> Original {
    let file = "\(name).jpg"
    try Self.check(plan.original, file: file)
    let (time, place) = try whenAndWhere()
    let (width, height) = plan.pixelSize
    let exif = ExifBlock(time: time, place: place, width: width, height: height).segment()

    var picture = PixelPlanes(width: width, height: height, sampling: .halved)
    var sceneRandom = random.fork("scene")
    let painter = ScenePainter(
      sharp: Texture(persistence: 0.95, &sceneRandom), soft: Texture(persistence: 0.5, &sceneRandom)
    )
    painter.paint(Scene(&sceneRandom).shapes, into: &picture)

    var originalRandom = random.fork("original")
    let bytes = try PhotoFitter(
      file: file, exif: exif, size: plan.original.bytes, for: picture
    ).fit(&picture, &originalRandom)
    return Original(
      time: time, place: place, bytes: bytes, size: (width, height), picture: picture, exif: exif)
  }

  private static func check(_ size: ByteCount, file: String) throws {
    if size.bytes < PhotoPlan.smallestFile {
      throw CaptureError.tooSmall(
        file: file, asked: size.bytes, smallest: PhotoPlan.smallestFile)
    }
    if size.bytes > PhotoPlan.largestFile {
      throw CaptureError.tooLarge(file: file, asked: size.bytes, largest: PhotoPlan.largestFile)
    }
  }

  private func whenAndWhere() throws -> (CaptureTime, Place) {
    var facts = random.fork("facts")
    let drawnTime = CaptureTime(from: &facts)
    // Not at the poles, where nobody takes photos, and not in the sea of 0, 0.
    let latitude = facts.whole(1_000_000...65_000_000) * (facts.fraction() < 0.5 ? 1 : -1)
    let longitude = facts.whole(1_000_000...179_000_000) * (facts.fraction() < 0.5 ? 1 : -1)
    let drawnPlace = Place(
      latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6)
    return (
      try plan.taken.map { try CaptureTime(rfc3339: $0) } ?? drawnTime,
      try plan.place.map(Self.writable) ?? drawnPlace
    )
  }

  /// The place as the EXIF data can hold it: to 1e-7 degrees, which is 1 cm.
  private static func writable(_ place: Place) throws -> Place {
    func rounded(_ degrees: Double) -> Double {
      let value = (degrees * 1e7).rounded() / 1e7
      return value == 0 ? 0 : value
    }
    let result = Place(latitude: rounded(place.latitude), longitude: rounded(place.longitude))
    guard result.latitude.magnitude <= 90, result.longitude.magnitude <= 180,
      result.latitude != 0 || result.longitude != 0
    else { throw CaptureError.badPlace(latitude: place.latitude, longitude: place.longitude) }
    return result
  }
}
