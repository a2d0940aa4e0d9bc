package import Quantities
package import Uploads

/// What a disk holds, and what of it would survive a loss of power, as POSIX allows it.
///
/// Bytes are certain once their file was synced, names once their folder was: `fsync` of a file
/// says nothing about its name (fsync(2)). A rename is one step (rename(2)). What is not certain
/// may or may not survive, each change of a name by itself and in any order.
package struct DiskImage: Sendable {
  /// Bytes are lost by blocks of this size.
  private static let block = 512

  private struct File {
    var bytes: [UInt8]
    var isSynced = false
  }

  private enum NameChange {
    case set(String, Int)
    case move(String, to: String, Int)
    case unset(String)
  }

  private struct Folder {
    var names: [String: Int] = [:]
    /// The names at the last sync, and what has changed since.
    var certain: [String: Int] = [:]
    var uncertain: [NameChange] = []

    mutating func change(_ change: NameChange) {
      Self.apply(change, to: &names)
      uncertain.append(change)
    }

    /// Makes its names certain, and gives the nodes that can never come back.
    mutating func sync() -> Set<Int> {
      var lost = Set(certain.values)
      for case .set(_, let node) in uncertain { lost.insert(node) }
      lost.subtract(names.values)
      certain = names
      uncertain = []
      return lost
    }

    mutating func losePower(_ random: inout SeededRandom) {
      for change in uncertain where Bool.random(using: &random) {
        Self.apply(change, to: &certain)
      }
      names = certain
      uncertain = []
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
      switch change {
      case .set(let name, let node): names[name] = node
      case .move(let old, let new, let node):
        names[old] = nil
        names[new] = node
      case .unset(let name): names[name] = nil
      }
    }
  }

  private enum Node {
    case file(File)
    case folder(Folder)
  }

  /// Bytes of all files together; names cost nothing.
  package var capacity = Int.max
  package private(set) var used = 0
  private var nodes = [Node.folder(Folder())]
  /// Places in ``nodes`` that no name can ever lead to again.
  private var unused: [Int] = []

  package init() {}

  // MARK: Looking

  /// Paths of all files, sorted.
  package var paths: [String] {
    var found: [String] = []
    func walk(_ number: Int, _ path: String) {
      switch nodes[number] {
      case .file: found.append(path)
      case .folder(let folder):
        for name in folder.names.keys.sorted() {
          if let inside = folder.names[name] { walk(inside, "\(path)/\(name)") }
        }
      }
    }
    walk(0, "")
    return found
  }

  package func bytes(of path: String) -> [UInt8]? {
    guard let number = number(of: path[...]), case .file(let file) = nodes[number] else {
      return nil
    }
    return file.bytes
  }

  package func names(in path: String) throws(FileSystemError) -> [String] {
    guard let number = number(of: path[...]) else {
      throw FileSystemError(path: path, cause: .notFound)
    }
    guard case .folder(let folder) = nodes[number] else {
      throw FileSystemError(path: path, cause: .other("Not a directory"))
    }
    return folder.names.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: Changing

  /// Puts a file there, certain from the start, with the folders that it needs.
  package mutating func put(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    let (parent, _) = Self.split(path)
    try makeFolder(String(parent))
    if number(of: path[...]) != nil { try remove(path) }
    try create(path, bytes)
    try sync(path)
    var above = parent
    try sync(String(above))
    while !above.isEmpty {
      above = Self.split(String(above)).parent
      try sync(String(above))
    }
  }

  package mutating func makeFolder(_ path: String) throws(FileSystemError) {
    var number = 0
    for name in path.split(separator: "/").map(String.init) {
      guard case .folder(var folder) = nodes[number] else {
        throw FileSystemError(path: path, cause: .other("Not a directory"))
      }
      if let inside = folder.names[name] {
        number = inside
        continue
      }
      let made = place(.folder(Folder()))
      folder.change(.set(name, made))
      nodes[number] = .folder(folder)
      number = made
    }
    guard case .folder = nodes[number] else {
      throw FileSystemError(path: path, cause: .exists)
    }
  }

  /// Writes a new file; where the disk is full, the part that fits, and throws `noSpace`.
  package mutating func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    let (number, name) = try folder(of: path)
    guard case .folder(var folder) = nodes[number], folder.names[name] == nil else {
      throw FileSystemError(path: path, cause: .exists)
    }
    let fitting = min(bytes.count, max(0, capacity - used))
    used += fitting
    let kept = fitting == bytes.count ? bytes : Array(bytes.prefix(fitting))
    folder.change(.set(name, place(.file(File(bytes: kept)))))
    nodes[number] = .folder(folder)
    if fitting < bytes.count { throw FileSystemError(path: path, cause: .noSpace) }
  }

  package mutating func sync(_ path: String) throws(FileSystemError) {
    guard let number = number(of: path[...]) else {
      throw FileSystemError(path: path, cause: .notFound)
    }
    switch nodes[number] {
    case .file(var file):
      file.isSynced = true
      nodes[number] = .file(file)
    case .folder(var folder):
      // In their order, so that the same calls make the same image.
      forget(folder.sync().sorted())
      nodes[number] = .folder(folder)
    }
  }

  /// Within one folder only: between folders two names would have to survive together.
  package mutating func rename(_ source: String, to path: String) throws(FileSystemError) {
    let (number, old) = try folder(of: source)
    let (target, new) = try folder(of: path)
    guard number == target else {
      throw FileSystemError(path: source, cause: .other("Invalid cross-device link"))
    }
    guard case .folder(var folder) = nodes[number], let moved = folder.names[old] else {
      throw FileSystemError(path: source, cause: .notFound)
    }
    if let replaced = folder.names[new] { free(replaced) }
    folder.change(.move(old, to: new, moved))
    nodes[number] = .folder(folder)
  }

  /// Removes a file.
  package mutating func remove(_ path: String) throws(FileSystemError) {
    let (number, name) = try folder(of: path)
    guard case .folder(var folder) = nodes[number], let removed = folder.names[name] else {
      throw FileSystemError(path: path, cause: .notFound)
    }
    guard case .file = nodes[removed] else {
      throw FileSystemError(path: path, cause: .other("Is a directory"))
    }
    free(removed)
    folder.change(.unset(name))
    nodes[number] = .folder(folder)
  }

  /// The power fails: one of the states that are allowed stands on the disk afterwards.
  package mutating func losePower(_ random: inout SeededRandom) {
    for number in nodes.indices {
      switch nodes[number] {
      case .folder(var folder):
        folder.losePower(&random)
        nodes[number] = .folder(folder)
      case .file(let file):
        if file.isSynced { continue }
        let bytes = Self.survivor(of: file.bytes, &random)
        nodes[number] = .file(File(bytes: bytes, isSynced: true))
      }
    }
    used = paths.reduce(0) { $0 + (bytes(of: $1)?.count ?? 0) }
    // What has lost its name in this has lost it for good.
    var isNamed = [Bool](repeating: false, count: nodes.count)
    for case .folder(let folder) in nodes {
      for node in folder.names.values { isNamed[node] = true }
    }
    for node in unused { isNamed[node] = true }
    forget(nodes.indices.dropFirst().filter { !isNamed[$0] })
  }

  /// Nothing, a part, zeroes in the place of some blocks or of the end, or all of it.
  private static func survivor(
    of bytes: [UInt8], _ random: inout SeededRandom
  ) -> [UInt8] {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return []
    case 1: return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    case 2:
      let length = Int.random(in: 0...bytes.count, using: &random)
      return bytes.prefix(length) + [UInt8](repeating: 0, count: bytes.count - length)
    case 3:
      var bytes = bytes
      for start in stride(from: 0, to: bytes.count, by: block) where Bool.random(using: &random) {
        for place in start..<min(start + block, bytes.count) { bytes[place] = 0 }
      }
      return bytes
    default: return bytes
    }
  }

  /// Files and folders that take up memory, those without a name that may come back among them.
  var nodeCount: Int { nodes.count - unused.count }

  private mutating func place(_ node: Node) -> Int {
    guard let number = unused.popLast() else {
      nodes.append(node)
      return nodes.count - 1
    }
    nodes[number] = node
    return number
  }

  private mutating func forget(_ numbers: [Int]) {
    for number in numbers { nodes[number] = .file(File(bytes: [], isSynced: true)) }
    unused += numbers
  }

  private mutating func free(_ number: Int) {
    if case .file(let file) = nodes[number] { used -= file.bytes.count }
  }

  // MARK: Paths

  private func number(of path: Substring) -> Int? {
    var number = 0
    for name in path.split(separator: "/") where name != "." {
      guard case .folder(let folder) = nodes[number], let inside = folder.names[String(name)]
      else { return nil }
      number = inside
    }
    return number
  }

  private func folder(
    of path: String
  ) throws(FileSystemError) -> (number: Int, name: String) {
    let (parent, name) = Self.split(path)
    guard let number = number(of: parent), case .folder = nodes[number], !name.isEmpty else {
      throw FileSystemError(path: path, cause: .notFound)
    }
    return (number, name)
  }

  private static func split(_ path: String) -> (parent: Substring, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (path[..<slash], String(path[path.index(after: slash)...]))
  }
}
