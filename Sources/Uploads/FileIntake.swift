package import Captures
import Quantities

/// Settles what is true of a file that the user names, and makes the smaller copy of a photo.
///
/// Of a document it reads no more than the head; a photo is held in memory while its copy is made.
package struct FileIntake: Sendable {
  /// The largest file that is taken.
  package static let fileBytesMax = 4_000_000_000
  /// The largest photo of which a copy is made; twice what a camera of 100 megapixels writes.
  package static let photoBytesMax = 128_000_000

  /// Whose word a fact is.
  package enum Source: String, Hashable, Sendable {
    /// What the photo says of itself.
    case camera
    /// This device's clock, at the commit.
    case device
    case user
  }

  /// A capture to be kept, and how its facts are known.
  package struct Taken: Hashable, Sendable {
    package var draft: CaptureDraft
    package var timeSource = Source.device
    /// Nil without a place.
    package var placeSource: Source?
    /// Why a photo goes without its smaller size; nil when it has one, and of a document.
    package var withoutCopy: String?

    /// The first photo that tells a fact is believed, and then the user.
    fileprivate mutating func settle(_ facts: [PhotoFacts], _ place: Place?) {
      draft.taken = facts.lazy.compactMap(\.capturedAt).first
      timeSource = draft.taken == nil ? .device : .camera
      draft.place = facts.lazy.compactMap(\.place).first
      placeSource = draft.place == nil ? nil : .camera
      if draft.place == nil, let place {
        draft.place = place
        placeSource = .user
      }
    }
  }

  private let fileSystem: any FileSystem
  private let timeZone: String
  private let fileBytesMax: Int
  private let photoBytesMax: Int

  /// `timeZone` is this device's, as an identifier.
  package init(
    fileSystem: any FileSystem, timeZone: String, fileBytesMax: Int = fileBytesMax,
    photoBytesMax: Int = photoBytesMax
  ) {
    self.fileSystem = fileSystem
    self.timeZone = timeZone
    self.fileBytesMax = fileBytesMax
    self.photoBytesMax = photoBytesMax
  }

  /// Reads a file under its path; `capture` is what it will be called.
  ///
  /// The photo's own clock and place win over `place`. A photo of which no copy can be made is taken
  /// all the same: the engine keeps what it cannot read. Throws when it is neither photo nor
  /// document, is too large, or cannot be read.
  package func take(
    _ path: String, as capture: String, note: String = "", place: Place? = nil
  ) throws(SaveFailure) -> Taken {
    let size = try fileSystem.pickedSize(of: path, atMost: fileBytesMax)
    switch FileKind(
      head: try fileSystem.pickedBytes(of: path, count: min(size, FileKind.headBytes)), name: path)
    {
    case .other(let words): throw SaveFailure("\(path): \(words)")
    case .document(let type):
      return Taken(
        draft: CaptureDraft(
          capture: capture, kind: .document, note: CaptureIntake.trimmed(note),
          timeZone: timeZone, place: place,
          files: [.init(step: .document, path: path, bytes: size, type: type)]),
        placeSource: place == nil ? nil : .user)
    case .photo:
      let photo = try photo(path, size: size)
      var taken = Taken(
        draft: CaptureDraft(
          capture: capture, kind: .photo, note: CaptureIntake.trimmed(note), timeZone: timeZone,
          files: [.init(step: .original, path: path, bytes: size, type: "image/jpeg")]))
      taken.settle([photo.facts], place)
      do {
        guard let bytes = photo.bytes else {
          throw CaptureError.jpeg("it is larger than \(ByteCount(photoBytesMax))")
        }
        let copy = try SmallCopy.make(of: bytes)
        taken.draft.files.insert(
          .init(step: .copy, made: copy, from: path, type: "image/jpeg"), at: 0)
      } catch {
        taken.withoutCopy = "\(error)"
      }
      return taken
    }
  }

  /// Reads the photos of one plate, which goes as a whole or not at all.
  ///
  /// The first photo that tells a fact is believed. Throws when one of them is no photo, and when
  /// there are too few or too many of them.
  package func takePlate(
    _ paths: [String], as capture: String, note: String = "", place: Place? = nil
  ) throws(SaveFailure) -> Taken {
    let count = PlatePlan.count
    guard count.contains(paths.count) else {
      throw SaveFailure(
        "a plate has \(count.lowerBound) to \(count.upperBound) photos, and \(paths.count) are named"
      )
    }
    var taken = Taken(
      draft: CaptureDraft(
        capture: capture, kind: .plate, note: CaptureIntake.trimmed(note), timeZone: timeZone,
        files: []))
    var facts: [PhotoFacts] = []
    for (index, path) in paths.enumerated() {
      let size = try fileSystem.pickedSize(of: path, atMost: fileBytesMax)
      let head = try fileSystem.pickedBytes(of: path, count: min(size, FileKind.headBytes))
      guard case .photo = FileKind(head: head, name: path) else {
        throw SaveFailure("\(path): a plate is made of JPEG photos, and this is none")
      }
      facts.append(try photo(path, size: size).facts)
      taken.draft.files.append(
        .init(step: .staged(index + 1), path: path, bytes: size, type: "image/jpeg"))
    }
    taken.settle(facts, place)
    return taken
  }

  /// What a photo says of itself, and its bytes unless they are too many to be held.
  private func photo(
    _ path: String, size: Int
  ) throws(SaveFailure) -> (facts: PhotoFacts, bytes: [UInt8]?) {
    let isTooLarge = size > photoBytesMax
    let bytes = try fileSystem.pickedBytes(
      of: path, count: isTooLarge ? PhotoFacts.headBytes : size)
    guard JPEGSegments(bytes).size != nil else {
      throw SaveFailure("\(path): it begins as a JPEG photo, and ends before its picture does")
    }
    return (PhotoFacts(jpeg: bytes), isTooLarge ? nil : bytes)
  }
}
