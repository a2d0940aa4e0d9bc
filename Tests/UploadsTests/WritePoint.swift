import Bench
import Uploads

/// The calls of a client's life by their meaning, such as `commit: record renamed` or
/// `done set with copy: record renamed`.
struct WritePoint: Hashable, CustomStringConvertible {
  var part: String
  var what: String

  var description: String { "\(part): \(what)" }

  private static let files = ["copy", "original", "document"]
  private static let photoSteps = ["record", "copy", "turn", "original", "readback"]
  private static let documentSteps = ["record", "document", "text", "readback"]

  /// Names each call of a life that no fault has cut short; the calls of one part stand together.
  static func points(of calls: [DiskCall]) -> [WritePoint] {
    var points: [WritePoint] = []
    var part = "open"
    /// By record, the steps that are still to be noted; an unknown record is being committed.
    var steps: [String: [String]] = [:]
    var committing = photoSteps
    for call in calls {
      let name = call.path.split(separator: "/").last.map(String.init) ?? ""
      let ending = name.split(separator: ".").last.map(String.init) ?? ""
      let record = name.split(separator: ".").first.map(String.init) ?? ""
      var what = "\(files.contains(ending) ? ending : "record") "
      switch (call.kind, ending) {
      case (.create, "new"):
        if let step = steps[record]?.first {
          steps[record]?.removeFirst()
          part = "done set with \(step)"
        }
        what += "written aside"
      case (.create, _):
        part = "commit"
        committing = ending == "document" ? documentSteps : photoSteps
        what += "written"
      case (.sync, "new"): what += "aside synced"
      case (.sync, _) where files.contains(ending): what += "synced"
      case (.sync, "outbox"):
        what = "folder synced" + (points.last?.what == "record renamed" ? " again" : "")
      case (.sync, _): what = "folder above synced"
      case (.rename, "kept"):
        part = "retire"
        what += "made a copy"
      case (.rename, _):
        if part == "commit" { steps[record] = committing }
        what += "renamed"
      case (.remove, _):
        part = "retire"
        what += "removed"
      case (.folder, _): what = "folder made"
      case (.lock, _): what = "locked"
      }
      points.append(WritePoint(part: part, what: what))
    }
    return points
  }
}
