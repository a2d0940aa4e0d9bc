import FoundationEssentials
import Reports

/// Finds the results that a path names: a result.json, the folder that holds one, or a folder of such
/// folders, as `run --repeat` and `gate` leave it.
enum ResultSearch {
  /// Results that one side may have; of each a few numbers and its lines are kept.
  static let countMax = 1_000
  /// Folders below the one that is named: a part of a gate, and a scenario in it.
  private static let depthMax = 2
  /// Of one result, in bytes.
  private static let sizeMax = 64_000_000

  /// Throws when there is none, or one alone that cannot be read.
  static func read(_ path: String) throws(ArgumentError) -> ResultSet {
    var files: [String] = []
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists { isFolder ? collect(path, depth: 0, into: &files) : files.append(path) }
    guard !files.isEmpty else {
      throw .badValue(
        option: path,
        reason: exists
          ? "there is no result to read: no \(ResultFile.name) in it, nor in a folder in it"
          : "there is no result to read")
    }
    return try read(files, label: path)
  }

  /// The newest result in a folder with the repeats beside it; nil when there is none.
  static func newest(in folder: String) throws(ArgumentError) -> ResultSet? {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    let dated = names.compactMap { name -> (name: String, date: Date)? in
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: "\(folder)/\(name)/\(ResultFile.name)")
      return (attributes?[.modificationDate] as? Date).map { (name, $0) }
    }
    guard let newest = dated.max(by: { $0.date < $1.date })?.name else { return nil }
    let file = "\(folder)/\(newest)/\(ResultFile.name)"
    guard let stem = PlannedRun.stem(ofRepeat: newest) else {
      return try read([file], label: "\(folder)/\(newest)")
    }
    let repeats = dated.map(\.name).filter { PlannedRun.stem(ofRepeat: $0) == stem }
    var set = try read(
      repeats.map { "\(folder)/\($0)/\(ResultFile.name)" }, label: "\(folder)/\(stem)")
    // Another scenario's name may end in a number, too.
    set.keepRepeats(of: try record(in: file))
    return set
  }

  private static func read(
    _ files: [String], label: String
  ) throws(ArgumentError) -> ResultSet {
    guard files.count <= countMax else {
      throw .badValue(
        option: label, reason: "it holds more than \(countMax) results; name a folder with fewer")
    }
    var set = ResultSet(label: label)
    for file in files {
      do throws(ArgumentError) {
        set.add(try record(in: file), from: file)
      } catch {
        guard files.count > 1 else { throw error }
        set.unreadable.append("Left out: \(error); run it again, or remove \(folder(of: file)).")
      }
    }
    return set
  }

  /// Folders in order of name; what lies in the folder of a result belongs to that.
  private static func collect(_ folder: String, depth: Int, into files: inout [String]) {
    let file = "\(folder)/\(ResultFile.name)"
    if FileManager.default.fileExists(atPath: file) {
      files.append(file)
      return
    }
    guard depth < depthMax, files.count <= countMax else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() {
      var isFolder = false
      let path = "\(folder)/\(name)"
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
        collect(path, depth: depth + 1, into: &files)
      }
    }
  }

  private static func record(in file: String) throws(ArgumentError) -> RunRecord {
    let bytes = try ScenarioFile.read(file, sizeMax: sizeMax)
    do {
      return try ResultFile.record(from: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw .badValue(option: file, reason: "\(error)")
    }
  }

  private static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? file
  }
}
