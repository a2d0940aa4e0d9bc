package import Uploads

/// One call that changes a simulated disk or makes something durable.
///
/// Its text is its kind and path, such as `sync /outbox`.
package struct DiskCall: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable {
    case folder, create, sync, rename, remove, lock
  }

  package var kind: Kind
  /// The path that is changed; of a rename, where the file goes.
  package var path: String

  package init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path
  }

  package var description: String { "\(kind) \(path)" }
}

/// What goes wrong on a simulated disk, and at which call.
package struct DiskFault: Hashable, Sendable {
  /// When the process ends, seen from the call.
  package enum Moment: String, Hashable, Sendable, CaseIterable {
    case before
    /// A part of the bytes has been written; of calls without bytes the same as `before`.
    case during
    case after
  }

  package enum Effect: Hashable, Sendable {
    /// That call fails, halfway if it has bytes to write.
    case fails(FileSystemError.Cause)
    /// That call and all after it fail, until the restart.
    case failsForGood(FileSystemError.Cause)
    /// The process ends: nothing that it still asks for happens.
    case ends(Moment)
  }

  /// Counts from 0 over the calls that follow, see ``DiskCall``.
  package var call: Int
  package var effect: Effect

  package init(_ effect: Effect, atCall call: Int) {
    self.call = call
    self.effect = effect
  }
}
