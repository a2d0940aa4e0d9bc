/// One file that was made, as `captures.json` states it.
package struct CaptureFile: Hashable, Sendable, Codable {
  /// Its name inside the folder of the captures.
  package var file: String
  package var bytes: Int
  /// Lowercase hexadecimal digits.
  package var sha256: String
  /// Pixels; nil for a document.
  package var width: Int?
  package var height: Int?

  package init(file: String, bytes: Int, sha256: String, width: Int? = nil, height: Int? = nil) {
    self.file = file
    self.bytes = bytes
    self.sha256 = sha256
    self.width = width
    self.height = height
  }
}

/// What is true of one capture: its files, when and where it was taken.
package struct CaptureTruth: Hashable, Sendable, Codable {
  package var name: String
  /// RFC 3339 with offset.
  package var taken: String?
  package var place: Place?
  /// A photo has an original and a copy; a document has a document; a plate has photos.
  package var original: CaptureFile?
  package var copy: CaptureFile?
  package var document: CaptureFile?
  /// In their order; nil when it is no plate.
  package var photos: [CaptureFile]?

  package init(
    name: String, taken: String? = nil, place: Place? = nil, original: CaptureFile? = nil,
    copy: CaptureFile? = nil, document: CaptureFile? = nil, photos: [CaptureFile]? = nil
  ) {
    self.name = name
    self.taken = taken
    self.place = place
    self.original = original
    self.copy = copy
    self.document = document
    self.photos = photos
  }

  /// Its files by the step that sends them, in the order in which they are sent.
  package var files: [(step: StepName, file: CaptureFile)] {
    let single: [(StepName, CaptureFile?)] = [
      (.copy, copy), (.original, original), (.document, document),
    ]
    return single.compactMap { step, file in file.map { (step, $0) } }
      + (photos ?? []).enumerated().map { (.staged($0.offset + 1), $0.element) }
  }
}

/// The content of `captures.json`: everything that was made from one seed.
package struct CaptureSet: Hashable, Sendable, Codable {
  package static let fileName = "captures.json"

  package var seed: UInt64
  package var captures: [CaptureTruth]

  package init(seed: UInt64, captures: [CaptureTruth]) {
    self.seed = seed
    self.captures = captures
  }
}
