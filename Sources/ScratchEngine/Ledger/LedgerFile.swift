package import Captures
package import Quantities

/// One file of one moment, or one upload outside of moments, over all its attempts.
package struct LedgerFile: Hashable, Sendable {
  /// Nil for an upload.
  package var moment: String?
  /// copy, original, document or staged; nil for any other upload.
  package var step: UploadStep?
  /// The name of the upload; nil for a file of a moment.
  package var upload: String?
  package var attempts = 0
  /// Body bytes of all attempts.
  package var wireBytes = 0
  /// When it was stored first; nil when it never was.
  package var storedAt: Instant?
  /// What was stored first.
  package var storedBytes: Int?
  package var sha256: String?
  package var replays = 0

  init(_ aim: Ledger.Aim) {
    moment = aim.moment
    step = aim.step
    upload = aim.upload
  }
}

extension Ledger {
  /// Every file that was attempted, in order of the first attempt.
  package var files: [LedgerFile] {
    var files: [LedgerFile] = []
    var places: [Aim: Int] = [:]
    for request in requests where request.sendsFile {
      guard let key = Aim(request) else { continue }
      let place = places[key] ?? files.count
      if place == files.count {
        places[key] = place
        files.append(LedgerFile(key))
      }
      files[place].attempts += 1
      files[place].wireBytes += request.bodyBytes
      if request.replay { files[place].replays += 1 }
    }
    for place in storing {
      let request = requests[place]
      guard let key = Aim(request), let file = places[key], files[file].storedAt == nil else {
        continue
      }
      files[file].storedAt = request.bodyEndedAt
      files[file].storedBytes = request.bodyBytes
      files[file].sha256 = request.sha256
    }
    return files
  }

  /// Moments whose record was stored, and encounters.
  package var momentsStored: Int {
    storing.count { requests[$0].step == .record || requests[$0].step == .encounter }
  }

  /// Files that were stored once more than they should be.
  ///
  /// That is a second file for the same moment and step, or content that was stored for the step, or
  /// uploaded outside of moments, before, under any id. Moments that a client made twice show by
  /// their files.
  package var duplicates: Int {
    // Only asked whether they hold something.
    var slots: Set<Aim> = []
    var contents: Set<FileContent> = []
    return storing.count { place in
      guard let key = Aim(requests[place]), let content = FileContent(requests[place]) else {
        return false
      }
      // Several files may go to one path.
      let isNewSlot = slots.insert(key).inserted || requests[place].upload?.isID == false
      let isNewContent = contents.insert(content).inserted
      return !isNewSlot || !isNewContent
    }
  }

  /// The body bytes of a step over all its attempts, of one moment or of all.
  package func wireBytes(_ step: UploadStep, moment: String? = nil) -> Int {
    requests.lazy.filter { $0.step == step && (moment == nil || $0.moment == moment) }
      .reduce(0) { $0 + $1.bodyBytes }
  }

  /// The attempts of a step, of one moment or of all.
  package func attempts(_ step: UploadStep, moment: String? = nil) -> Int {
    requests.count { $0.step == step && (moment == nil || $0.moment == moment) }
  }
}

/// What a whole file was, and what for.
struct FileContent: Hashable {
  /// Nil outside of moments.
  private var step: UploadStep?
  private var sha256: String

  /// Nil when the request sent no whole file.
  init?(_ request: LedgerRequest) {
    guard request.sendsFile, let sha256 = request.sha256 else { return nil }
    step = request.step
    self.sha256 = sha256
  }
}
