import CCurl
import Synchronization
import Uploads

/// What callers on any thread ask of the transport's thread, in order.
final class CurlMailbox: Sendable {
  typealias Events = AsyncStream<ExchangeEvent>.Continuation

  enum Command: Sendable {
    case begin(id: Int, OutgoingRequest, Events)
    case count(id: Int)
    case cut(id: Int, UploadPolicy.Cut)
    case stop
  }

  /// A multi handle, for `curl_multi_wakeup` only.
  ///
  /// Unchecked, because that is the one multi call which libcurl allows from any thread; the lock
  /// of the mailbox keeps it from outliving the handle.
  struct Wakeup: @unchecked Sendable {
    let multi: OpaqueCurl
  }

  private struct State {
    var isClosed = false
    var nextID = 0
    var commands: [Command] = []
    var wakeup: Wakeup?
  }

  private let state = Mutex(State())

  /// A number for the next exchange.
  func mintID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  /// Puts a command in and wakes the thread; false when the transport is closed.
  func post(_ command: Command) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      if case .stop = command { state.isClosed = true }
      state.commands.append(command)
      if let wakeup = state.wakeup { curl_multi_wakeup(wakeup.multi) }
      return true
    }
  }

  /// From now on the thread that owns the handle can be woken; nil when it ends.
  func wake(_ wakeup: Wakeup?) {
    state.withLock { $0.wakeup = wakeup }
  }

  /// Everything that waits, oldest first.
  func takeAll() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Takes no more commands, and returns what still waits.
  func close() -> [Command] {
    state.withLock { state in
      state.isClosed = true
      defer { state.commands = [] }
      return state.commands
    }
  }
}

/// libcurl's handles are untyped pointers in C.
typealias OpaqueCurl = UnsafeMutableRawPointer
