import Quantities

/// One file that was made, in memory.
package struct MadeFile: Hashable, Sendable {
  package var name: String
  package var bytes: [UInt8]
}

/// A capture that was made: its files and what is true of it.
package struct MadeCapture: Hashable, Sendable {
  package var truth: CaptureTruth
  /// A photo's original and copy, or a document.
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
    }
  }
}

extension CapturePlan {
  /// The files that it becomes: original and copy, or the document.
  package var files: [String] {
    switch kind {
    case .photo: ["\(name).jpg", "\(name)-copy.jpg"]
    case .document: ["\(name).pdf"]
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
