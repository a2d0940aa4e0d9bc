package import Quantities
import Synchronization
package import Uploads

/// A disk in memory whose process or power can end at any call.
///
/// What it holds is a value, ``DiskImage``; this adds the process that uses it: its locks, a log of
/// its calls, and the faults that are planned.
package final class SimulatedDisk: FileSystem {
  private struct State {
    var image: DiskImage
    var locked: Set<String> = []
    var calls: [DiskCall] = []
    /// Their `call` counts down.
    var faults: [DiskFault] = []
    var onEnd: @Sendable () -> Void = {}
    /// Every call fails so.
    var broken: FileSystemError.Cause?
    /// Files whose names end so cannot be read.
    var unreadable: String?

    /// The effect of the planned fault, when this call is the one.
    mutating func dueEffect() -> DiskFault.Effect? {
      let due = faults.first { $0.call == 0 }
      faults.removeAll { $0.call == 0 }
      for index in faults.indices { faults[index].call -= 1 }
      return due?.effect
    }
  }

  private static let ended = FileSystemError.Cause.other("the process has ended")

  private let state: Mutex<State>

  package init(_ image: DiskImage = DiskImage()) {
    state = Mutex(State(image: image))
  }

  // MARK: From outside

  /// What stands on it now.
  package var image: DiskImage { state.withLock { $0.image } }

  /// Every call that changed something or made it durable, by the process that runs.
  package var calls: [DiskCall] { state.withLock { $0.calls } }

  package func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Paths of all files, sorted.
  package var paths: [String] { image.paths }

  package func bytes(of path: String) -> [UInt8]? { image.bytes(of: path) }

  /// Puts a file there from outside: no call of the process, and certain.
  package func put(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try change { state throws(FileSystemError) in try state.image.put(path, bytes) }
  }

  /// Bytes that all files may have together.
  package func setCapacity(_ bytes: Int) { state.withLock { $0.image.capacity = bytes } }

  /// Plans a fault beside those that are planned; `onEnd` is told, once, when one ends the process.
  package func plan(_ fault: DiskFault, onEnd: (@Sendable () -> Void)? = nil) {
    state.withLock { state in
      state.faults.append(fault)
      if let onEnd { state.onEnd = onEnd }
    }
  }

  /// Lets every read of a file fail whose name ends so; of none with nil.
  package func failReads(of ending: String?) {
    state.withLock { $0.unreadable = ending }
  }

  /// The process has ended and another begins: everything that was written is there.
  package func restart() {
    state.withLock { $0 = State(image: $0.image) }
  }

  /// The power fails and comes back: only what was synced is certain to be there.
  package func losePower(_ random: inout SeededRandom) {
    let draws = random.fork("power")
    _ = random.next()
    state.withLock { state in
      var draws = draws
      state = State(image: state.image)
      state.image.losePower(&draws)
    }
  }

  // MARK: FileSystem

  package func makeFolder(_ path: String) throws(FileSystemError) {
    try call(.folder, path) { image throws(FileSystemError) in try image.makeFolder(path) }
  }

  package func list(_ path: String) throws(FileSystemError) -> [String] {
    try look(path).names(in: path)
  }

  package func size(of path: String) throws(FileSystemError) -> Int? {
    try look(path).bytes(of: path)?.count
  }

  package func read(
    _ path: String, from offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    guard let bytes = try look(path).bytes(of: path) else {
      throw FileSystemError(path: path, cause: .notFound)
    }
    if let ending = state.withLock({ $0.unreadable }), path.hasSuffix(ending) {
      throw FileSystemError(path: path, cause: .other("Input/output error"))
    }
    // A whole file is not copied: photos are read more often than anything else is done.
    if offset == 0, count >= bytes.count { return bytes }
    return Array(bytes.dropFirst(offset).prefix(count))
  }

  package func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try call(
      .create, path,
      partly: { image in try? image.create(path, Array(bytes.prefix(bytes.count / 2))) }
    ) { image throws(FileSystemError) in try image.create(path, bytes) }
  }

  package func copy(_ source: String, to path: String) throws(FileSystemError) {
    try create(path, try read(source, from: 0, count: .max))
  }

  package func sync(_ path: String) throws(FileSystemError) {
    try call(.sync, path) { image throws(FileSystemError) in try image.sync(path) }
  }

  package func rename(_ source: String, to path: String) throws(FileSystemError) {
    try call(.rename, path) { image throws(FileSystemError) in
      try image.rename(source, to: path)
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try call(.remove, path) { image throws(FileSystemError) in try image.remove(path) }
  }

  package func lock(_ path: String) throws(FileSystemError) {
    guard !state.withLock({ $0.locked.contains(path) }) else {
      throw FileSystemError(path: path, cause: .locked)
    }
    try call(.lock, path) { image throws(FileSystemError) in
      if image.bytes(of: path) == nil { try image.create(path, []) }
    }
    state.withLock { _ = $0.locked.insert(path) }
  }

  package func unlock(_ path: String) {
    state.withLock { _ = $0.locked.remove(path) }
  }

  // MARK: Calls

  private func look(_ path: String) throws(FileSystemError) -> DiskImage {
    try change { state throws(FileSystemError) in
      if let broken = state.broken, broken == Self.ended {
        throw FileSystemError(path: path, cause: broken)
      }
      return state.image
    }
  }

  private func call(
    _ kind: DiskCall.Kind, _ path: String, partly: (inout DiskImage) -> Void = { _ in },
    _ act: (inout DiskImage) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    var onEnd: (@Sendable () -> Void)?
    defer { onEnd?() }
    try change { state throws(FileSystemError) in
      if let broken = state.broken { throw FileSystemError(path: path, cause: broken) }
      guard let effect = state.dueEffect() else {
        try act(&state.image)
        state.calls.append(DiskCall(kind, path))
        return
      }
      switch effect {
      case .fails(let cause), .failsForGood(let cause):
        if case .failsForGood = effect { state.broken = cause }
        partly(&state.image)
        throw FileSystemError(path: path, cause: cause)
      case .ends(let moment):
        switch moment {
        case .before: break
        case .during: partly(&state.image)
        case .after: try act(&state.image)
        }
        state.broken = Self.ended
        onEnd = state.onEnd
        throw FileSystemError(path: path, cause: Self.ended)
      }
    }
  }

  /// Changes the state, and passes the typed error through the lock.
  private func change<Result: Sendable>(
    _ act: (inout State) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try state.withLock { state in
      Swift.Result { () throws(FileSystemError) in try act(&state) }
    }.get()
  }
}
