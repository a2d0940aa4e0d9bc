import Captures
import FoundationEssentials
import Quantities

/// Finds a capture in the folder of captures, and settles what is true of it.
///
/// Of its files it reads no more than the heads of photos; the outbox copies them.
package struct CaptureIntake: Sendable {
  /// The largest file that is taken.
  package static let defaultFileBytesMax = 256_000_000

  /// Files of one capture, which the engine takes in one encounter.
  package static let filesMax = PlatePlan.count.upperBound

  private let fileSystem: any FileSystem
  private let folder: String
  private let timeZone: String
  private let facts: CameraFactsReading
  private let fileBytesMax: Int

  package init(
    fileSystem: any FileSystem, folder: String, timeZone: String,
    facts: @escaping CameraFactsReading,
    fileBytesMax: Int = CaptureIntake.defaultFileBytesMax
  ) {
    self.fileSystem = fileSystem
    self.folder = folder
    self.timeZone = timeZone
    self.facts = facts
    self.fileBytesMax = fileBytesMax
  }

  /// Throws when the capture is not listed, a file cannot be read, or one is too large.
  package func draft(of name: String, note: String = "") throws(SaveFailure) -> CaptureDraft {
    let truth = try listed(name)
    var files: [CaptureDraft.File] = []
    for (step, source) in truth.files {
      files.append(
        CaptureDraft.File(
          step: step, path: path(source.file),
          bytes: try fileSystem.pickedSize(of: path(source.file), atMost: fileBytesMax),
          type: Self.type(of: source.file)))
    }
    guard let first = files.first else {
      throw SaveFailure("\(name) has no files in \(CaptureSet.fileName); make the captures again")
    }
    guard files.count <= Self.filesMax else {
      throw SaveFailure("\(name) has \(files.count) photos, and a plate \(Self.filesMax) at most")
    }
    var known = CameraFacts()
    // The original is what the camera wrote; the copy is asked for what it leaves out. Of the photos
    // of a plate the first that tells is believed.
    let photos =
      files.filter { $0.step == .original } + files.filter { $0.step == .copy }
      + files.filter { $0.step.step == .staged }
    for photo in photos where known.taken == nil || known.place == nil {
      let facts = facts(
        try fileSystem.pickedBytes(of: photo.path, count: min(photo.bytes, PhotoFacts.headBytes)))
      known.taken = known.taken ?? facts.taken
      known.place = known.place ?? facts.place
    }
    return CaptureDraft(
      capture: name, kind: Self.kind(of: first.step), note: Self.trimmed(note),
      taken: known.taken, timeZone: timeZone, place: known.place, files: files)
  }

  private static func kind(of first: StepName) -> OutboxEntry.Kind {
    switch first.step {
    case .document: .document
    case .staged: .plate
    default: .photo
    }
  }

  private func listed(_ name: String) throws(SaveFailure) -> CaptureTruth {
    let bytes = try fileSystem.pickedBytes(
      of: path(CaptureSet.fileName),
      count: try fileSystem.pickedSize(of: path(CaptureSet.fileName), atMost: fileBytesMax))
    let captures: [CaptureTruth]
    do {
      captures = try JSONDecoder().decode(CaptureSet.self, from: Data(bytes)).captures
    } catch {
      throw SaveFailure("\(folder)/\(CaptureSet.fileName) is no list of captures; make it again")
    }
    guard let truth = captures.first(where: { $0.name == name }) else {
      let known = captures.map(\.name).joined(separator: ", ")
      throw SaveFailure("no capture is named \"\(name)\" in \(folder); there are: \(known)")
    }
    return truth
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  static func trimmed(_ note: String) -> String {
    let rest = note.drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "jpg", "jpeg": "image/jpeg"
    case "pdf": "application/pdf"
    case "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    default: "application/octet-stream"
    }
  }
}
