package import Captures
package import Quantities

/// One file of one moment, over all its attempts.
package struct LedgerFile: Hashable, Sendable {
  package var moment: String
  /// copy, original or document.
  package var step: UploadStep
  package var attempts: Int
  /// Body bytes of all attempts.
  package var wireBytes: Int
  /// When it was stored first; nil when it never was.
  package var storedAt: Instant?
  /// What was stored first.
  package var storedBytes: Int?
  package var sha256: String?
  package var replays: Int
}

extension Ledger {
  /// Every file that was attempted, in order of the first attempt.
  package var files: [LedgerFile] {
    var files: [LedgerFile] = []
    var places: [StepKey: Int] = [:]
    for request in requests {
      guard let key = StepKey(request) else { continue }
      let place = places[key] ?? files.count
      if place == files.count {
        places[key] = place
        files.append(
          LedgerFile(moment: key.moment, step: key.step, attempts: 0, wireBytes: 0, replays: 0))
      }
      files[place].attempts += 1
      files[place].wireBytes += request.bodyBytes
      if request.replay { files[place].replays += 1 }
    }
    for place in storing {
      let request = requests[place]
      guard let key = StepKey(request), let file = places[key], files[file].storedAt == nil else {
        continue
      }
      files[file].storedAt = request.bodyEndedAt
      files[file].storedBytes = request.bodyBytes
      files[file].sha256 = request.sha256
    }
    return files
  }

  /// A file's place in its moment.
  private struct StepKey: Hashable {
    var moment: String
    var step: UploadStep

    /// Nil when the request sent no file.
    init?(_ request: LedgerRequest) {
      guard let moment = request.moment, let step = request.step, step.isFile else { return nil }
      self.moment = moment
      self.step = step
    }
  }

  /// Moments whose record was stored.
  package var momentsStored: Int {
    storing.count { requests[$0].step == .record }
  }

  /// Files that were stored once more than they should be.
  ///
  /// That is a second file for the same moment and step, or content that was stored for the step
  /// before, under any id. Moments that a client made twice show by their files.
  package var duplicates: Int {
    // Only asked whether they hold something.
    var slots: Set<StepKey> = []
    var contents: Set<FileContent> = []
    return storing.count { place in
      guard let key = StepKey(requests[place]), let content = FileContent(requests[place]) else {
        return false
      }
      let isNewSlot = slots.insert(key).inserted
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
  private var step: UploadStep
  private var sha256: String

  /// Nil when the request sent no whole file.
  init?(_ request: LedgerRequest) {
    guard let step = request.step, step.isFile, let sha256 = request.sha256 else { return nil }
    self.step = step
    self.sha256 = sha256
  }
}

extension UploadStep {
  /// Whether the body of its request is a file.
  var isFile: Bool {
    switch self {
    case .copy, .original, .document: true
    case .record, .turn, .text, .readback: false
    }
  }
}
