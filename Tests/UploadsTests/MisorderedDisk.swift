import Bench
import Synchronization
import TestSupport
import Uploads

/// Orders of writing that lose or repeat something, each a way to get the outbox wrong.
enum WrongOrder: String, CaseIterable {
  case recordBeforeFiles, filesNotSynced, recordNotSynced, namesNotSynced, folderNotSynced
  case renamesNotSynced, removalsNotSynced, startNotSynced
  case recordInPlace, doneSetNotSaved, idsMintedAtStart, filesRemovedBeforeRecord
}

/// Stands between the client and the disk, and does what it is asked for in a wrong order.
///
/// The client itself stays as it is; to the search this looks like a client that is wrong.
final class MisorderedDisk: FileSystem {
  private struct State {
    /// Copies that wait for their record: source and place.
    var waiting: [(source: String, place: String)] = []
    /// Records aside that were never written.
    var skipped: Set<String> = []
    /// The last call that changed a name.
    var last = DiskCall.Kind.folder
  }

  private let disk: SimulatedDisk
  private let order: WrongOrder
  private let life: Int
  private let state = Mutex(State())

  /// `life` counts the starts of the client, from 0.
  init(_ disk: SimulatedDisk, _ order: WrongOrder, life: Int) {
    self.disk = disk
    self.order = order
    self.life = life
  }

  func makeFolder(_ path: String) throws(FileSystemError) { try disk.makeFolder(path) }

  func list(_ path: String) throws(FileSystemError) -> [String] { try disk.list(path) }

  func size(of path: String) throws(FileSystemError) -> Int? { try disk.size(of: path) }

  func lock(_ path: String) throws(FileSystemError) {
    try disk.lock(path)
    note(.lock)
  }

  func unlock(_ path: String) { disk.unlock(path) }

  func read(
    _ path: String, from offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    let bytes = try disk.read(source(of: path) ?? path, from: offset, count: count)
    guard order == .idsMintedAtStart, life > 0, path.hasSuffix(".json") else { return bytes }
    return Self.minted(bytes, life: life)
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    if order == .doneSetNotSaved, path.hasSuffix(".new"),
      try disk.size(of: String(path.dropLast(".new".count))) != nil
    {
      state.withLock { _ = $0.skipped.insert(path) }
      return
    }
    try disk.create(path, bytes)
    note(.create)
  }

  func copy(_ source: String, to path: String) throws(FileSystemError) {
    if order == .recordBeforeFiles {
      state.withLock { $0.waiting.append((source, path)) }
    } else {
      try disk.copy(source, to: path)
      note(.create)
    }
  }

  func sync(_ path: String) throws(FileSystemError) {
    let isDropped =
      switch order {
      case .filesNotSynced: Self.isFile(path)
      case .recordNotSynced: path.hasSuffix(".json.new")
      case .namesNotSynced: path == ClientBench.outbox
      case .renamesNotSynced: path == ClientBench.outbox && last == .rename
      case .removalsNotSynced: path == ClientBench.outbox && last == .remove
      case .startNotSynced: path == ClientBench.outbox && last == .lock
      case .folderNotSynced: !path.hasPrefix(ClientBench.outbox)
      case .recordBeforeFiles: source(of: path) != nil
      case .doneSetNotSaved: state.withLock { $0.skipped.contains(path) }
      case .recordInPlace, .idsMintedAtStart, .filesRemovedBeforeRecord: false
      }
    if !isDropped { try disk.sync(path) }
  }

  func rename(_ source: String, to path: String) throws(FileSystemError) {
    if state.withLock({ $0.skipped.remove(source) }) != nil { return }
    if order == .recordInPlace {
      let bytes = try disk.read(source, from: 0, count: .max)
      if try disk.size(of: path) != nil { try disk.remove(path) }
      try disk.create(path, bytes)
      try disk.sync(path)
      try disk.remove(source)
      return
    }
    try disk.rename(source, to: path)
    note(.rename)
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for copy in waiting {
      try disk.copy(copy.source, to: copy.place)
      try disk.sync(copy.place)
    }
  }

  func remove(_ path: String) throws(FileSystemError) {
    if order == .filesRemovedBeforeRecord {
      if Self.isFile(path), try disk.size(of: path) == nil { return }
      if path.hasSuffix(".json"), let id = path.split(separator: "-").last?.dropLast(5) {
        for name in try disk.list(ClientBench.outbox) where name.hasPrefix("\(id).") {
          try disk.remove("\(ClientBench.outbox)/\(name)")
        }
      }
    }
    try disk.remove(path)
    note(.remove)
  }

  private var last: DiskCall.Kind { state.withLock { $0.last } }

  private func note(_ kind: DiskCall.Kind) { state.withLock { $0.last = kind } }

  private func source(of path: String) -> String? {
    state.withLock { $0.waiting.first { $0.place == path }?.source }
  }

  private static func isFile(_ path: String) -> Bool {
    [".copy", ".original", ".document"].contains { path.hasSuffix($0) }
  }

  /// The record with a moment of this life, as if its id had not been written down.
  private static func minted(_ bytes: [UInt8], life: Int) -> [UInt8] {
    let key = #""moment":""#
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: key, maxSplits: 1)
    guard parts.count == 2 else { return bytes }
    let digits = String(life + 1_000)
    return Array("\(parts[0])\(key)\(digits)\(parts[1].dropFirst(digits.count))".utf8)
  }
}
