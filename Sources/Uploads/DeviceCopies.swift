import FoundationEssentials

/// What a device keeps of captures that the engine has: their records, as they were when they were
/// read back, and the client's own files.
///
/// A copy is `<sequence>-<entry id>.json.kept`, with the files of the entry beside it as they were
/// in the outbox. The newest are kept, up to a number of them; the engine has the others.
struct DeviceCopies: Sendable {
  static let ending = ".json.kept"

  private let folder: String
  private let fileSystem: any FileSystem
  private let max: Int
  /// Names of their records, oldest first.
  private var names: [String]

  init(in folder: String, on fileSystem: any FileSystem, max: Int, names: [String]) {
    self.folder = folder
    self.fileSystem = fileSystem
    self.max = max
    self.names = names.sorted()
  }

  var isEmpty: Bool { names.isEmpty }

  /// Makes a copy of the entry whose record has the name.
  ///
  /// It is one step, which leaves the one or the other. The oldest beyond the limit go.
  mutating func take(_ record: String) throws(FileSystemError) {
    let name = record + Self.ending.dropFirst(".json".count)
    try fileSystem.rename("\(folder)/\(record)", to: "\(folder)/\(name)")
    names.append(name)
    try fileSystem.sync(folder)
    try drop(downTo: max)
  }

  /// Lets half of them go, oldest first, so that the disk has room for what is new.
  mutating func makeRoom() throws(FileSystemError) {
    try drop(downTo: names.count / 2)
  }

  /// The record goes first: without it, the next sweep takes what is left.
  mutating func drop(downTo count: Int) throws(FileSystemError) {
    while names.count > count {
      let path = "\(folder)/\(names.removeFirst())"
      let record = try fileSystem.read(path, from: 0, count: Outbox.recordBytesMax)
      try fileSystem.remove(path)
      try fileSystem.sync(folder)
      let entry = try? JSONDecoder().decode(OutboxEntry.self, from: Data(record))
      for file in entry?.files ?? [] { try fileSystem.remove("\(folder)/\(file.name)") }
    }
  }
}
