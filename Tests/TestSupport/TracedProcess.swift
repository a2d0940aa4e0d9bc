import CTracer
import Glibc

/// A call that a traced process is about to make.
package struct TracedCall: Sendable {
  package enum Kind: Sendable {
    case makeFile, makeFolder, write, copyRange, sync, rename, remove, lock, send, receive
  }

  package var kind: Kind
  /// What it is about: a path, also of what a descriptor stands for, or `socket:[...]`.
  package var path: String
  /// The first of the bytes that are to be written or sent.
  package var start: [UInt8]

  fileprivate init(_ stop: CTracer_Stop) {
    kind =
      switch stop.call {
      case CTracer_makeFile: .makeFile
      case CTracer_makeFolder: .makeFolder
      case CTracer_write: .write
      case CTracer_copyRange: .copyRange
      case CTracer_sync: .sync
      case CTracer_rename: .rename
      case CTracer_remove: .remove
      case CTracer_lock: .lock
      case CTracer_send: .send
      default: .receive
      }
    path = withUnsafeBytes(of: stop.path) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    start = withUnsafeBytes(of: stop.start) { Array($0.prefix(Int(stop.startCount))) }
  }
}

/// A process that stands still before each of its calls that changes a file, sends or receives, so
/// that a test can end it there: at any write, without a line for it in the program.
package enum TracedProcess {
  /// When a process is killed, seen from the call at which it is.
  package enum Moment: String, CaseIterable, Sendable {
    case before
    /// Half of its bytes are written.
    case within
    case after
  }

  package enum Verdict: Sendable {
    case go
    case kill(Moment)
    /// The call does nothing, and the process is told that it did all of it.
    case pretend
  }

  /// Tracing is not permitted here, or the program is not there.
  package struct Refused: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs the program to its end on this thread, and gives its status as of waitpid(2).
  ///
  /// `descriptors` are the child's numbers and ours; `started` is told the id once it runs, and may
  /// close ours. `judge` is asked before every call, and must not wait for the process.
  package static func run(
    _ arguments: [String], descriptors: [(child: Int32, own: Int32)],
    started: (Int32) -> Void, judge: (TracedCall) -> Verdict
  ) throws(Refused) -> Int32 {
    let words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    let process = CTracer_start(
      words.map { UnsafePointer($0) } + [nil], descriptors.map(\.own),
      descriptors.map(\.child), Int32(descriptors.count))
    guard process > 0 else {
      throw Refused(
        description: "\(arguments[0]) cannot be traced: \(String(cString: strerror(errno)))")
    }
    started(process)
    var stop = CTracer_Stop()
    var status: Int32 = 0
    while CTracer_next(process, &stop, &status) > 0 {
      switch judge(TracedCall(stop)) {
      case .go: CTracer_go(&stop)
      case .pretend: CTracer_pretend(&stop)
      case .kill(let moment):
        switch moment {
        case .before: break
        case .within: CTracer_goHalf(&stop)
        case .after: CTracer_goThrough(&stop)
        }
        kill(process, SIGKILL)
      }
    }
    return status
  }

  /// Why no process can be traced here; nil when one can.
  package static let refusal: String? =
    inBackground { () -> String? in
      do throws(Refused) {
        _ = try run(["/usr/bin/env", "true"], descriptors: [], started: { _ in }) { _ in .go }
        return nil
      } catch {
        return error.description
      }
    }.wait() ?? "the thread that tries it did not end"
}
