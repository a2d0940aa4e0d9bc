import Quantities

/// One file that was made, in memory.
package struct MadeFile: Hashable, Sendable {
  package var name: String
  package var bytes: [UInt8]
}

/// A capture that was made: its files and what is true of it.
package struct MadeCapture: Hashable, Sendable {
  package var truth: CaptureTruth
  /// A photo's original and copy, a document, or the photos of a plate.
  package var files: [MadeFile]
}

/// Makes photos and documents from a seed.
///
/// A capture depends on the seed and its own plan and name only, not on the others. The same seed
/// and the same version of libjpeg-turbo give the same bytes.
package struct CaptureMaker: Sendable {
  private let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
  }

  /// Makes one capture after the other and hands each over, so that one at a time is in memory.
  ///
  /// Throws before the first one when a name cannot be a file name or two would write one file.
  package func make(
    _ plans: [CapturePlan], each: (MadeCapture) throws -> Void
  ) throws -> CaptureSet {
    var names: Set<String> = []
    for plan in plans {
      try CaptureName.check(plan.name)
      for file in plan.files where !names.insert(file).inserted {
        throw CaptureError.sameFile(file)
      }
    }
    var set = CaptureSet(seed: seed, captures: [])
    for plan in plans {
      let made = try make(plan)
      try each(made)
      set.captures.append(made.truth)
    }
    return set
  }

  /// Makes one capture.
  package func make(_ plan: CapturePlan) throws -> MadeCapture {
    try CaptureName.check(plan.name)
    let random = SeededRandom(seed: seed).fork("capture \(plan.name)")
    switch plan.kind {
    case .photo(let photo):
      let made = try PhotoMaker(name: plan.name, plan: photo, random: random).make()
      let original = MadeFile(name: plan.files[0], bytes: made.original)
      let copy = MadeFile(name: plan.files[1], bytes: made.copy)
      let truth = CaptureTruth(
        name: plan.name, taken: made.time.rfc3339, place: made.place,
        original: CaptureFile(of: original, made.originalSize),
        copy: CaptureFile(of: copy, made.copySize))
      return MadeCapture(truth: truth, files: [original, copy])
    case .document(let document):
      var maker = DocumentMaker(
        file: plan.files[0], size: document.size.bytes, random: random)
      let file = MadeFile(name: plan.files[0], bytes: try maker.make())
      let truth = CaptureTruth(name: plan.name, document: CaptureFile(of: file, nil))
      return MadeCapture(truth: truth, files: [file])
    case .plate(let plate):
      return try make(plate, of: plan, random)
    }
  }

  /// All photos of a plate are of one time and place, those of the first.
  private func make(
    _ plate: PlatePlan, of plan: CapturePlan, _ random: SeededRandom
  ) throws -> MadeCapture {
    guard PlatePlan.count.contains(plate.photos) else {
      throw CaptureError.badPlate(plan.name, photos: plate.photos)
    }
    var photo = PhotoPlan(
      original: plate.size, copy: plate.size, taken: plate.taken, place: plate.place)
    var truth = CaptureTruth(name: plan.name, photos: [])
    var files: [MadeFile] = []
    for (number, name) in plan.files.enumerated() {
      let made = try PhotoMaker(
        name: String(name.dropLast(".jpg".count)), plan: photo,
        random: random.fork("photo \(number)")
      ).makeOriginal()
      (photo.taken, photo.place) = (made.time.rfc3339, made.place)
      files.append(MadeFile(name: name, bytes: made.bytes))
      truth.photos?.append(CaptureFile(of: files[number], made.size))
    }
    (truth.taken, truth.place) = (photo.taken, photo.place)
    return MadeCapture(truth: truth, files: files)
  }
}

extension CapturePlan {
  /// The files that it becomes: original and copy, the document, or the photos of a plate.
  package var files: [String] {
    switch kind {
    case .photo: ["\(name).jpg", "\(name)-copy.jpg"]
    case .document: ["\(name).pdf"]
    // The point keeps them apart from a photo that is named plate-1-2.
    case .plate(let plate): (0..<max(0, plate.photos)).map { "\(name).\($0 + 1).jpg" }
    }
  }
}

extension CaptureFile {
  fileprivate init(of file: MadeFile, _ size: (width: Int, height: Int)?) {
    self.init(
      file: file.name, bytes: file.bytes.count, sha256: Captures.sha256(of: file.bytes),
      width: size?.width, height: size?.height)
  }
}
