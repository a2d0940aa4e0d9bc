import Captures
import Foundation
import JSON
import Synchronization
import Uploads

/// Shows how far a drain is: a line that stays for what has become of an entry, and below them, on
/// a terminal, one line that is redrawn.
///
/// It draws on a thread of its own, since a stopped terminal would stop the uploads with it.
final class DrainView: Sendable {
  enum Mode: Hashable, Sendable {
    case lines, json, quiet
  }

  private struct State {
    /// By capture; only ever looked up.
    var entries: [String: OutboxEntry] = [:]
    var lines: [String] = []
    var live: String?
    var isOver = false
  }

  private static let redrawSeconds = 0.1
  private static let plainSeconds = 5.0

  private let folder: String
  private let mode: Mode
  private let isTerminal = Terminal.errorIsTerminal
  private let state = Mutex(State())
  private let ending = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  init(folder: String, mode: Mode) {
    self.folder = folder
    self.mode = mode
    Thread.detachNewThread { [self] in
      draw()
      done.signal()
    }
  }

  func take(_ event: DrainByHand.Event) {
    state.withLock { state in
      switch event {
      case .opened(let recovery): note(recovery.entries, in: &state)
      case .added(let entries): note(entries, in: &state)
      case .said, .report, .glance: break
      }
      switch (mode, event) {
      case (.json, _): state.lines += [json(of: event, state)].compactMap { $0 }
      case (.lines, .said(let text)): state.lines.append(text)
      case (.lines, _), (.quiet, _): break
      }
      if case .glance(let glance) = event, mode == .lines {
        state.live = glance.line.map { "\(glance.left) left  |  \($0)" }
      }
    }
  }

  /// Shows what is left to show, and ends.
  func end() {
    state.withLock { $0.isOver = true }
    ending.signal()
    done.wait()
  }

  /// Ends with what has become of all.
  func end(_ ending: DrainByHand.Ending, engine: String) {
    end()
    if mode == .json {
      Terminal.print(
        ClientByHand.json([
          "event": .string("over"), "landed": JSONValue(ending.landed),
          "left": JSONValue(ending.left),
          "parked": JSONValue(ending.parked), "interrupted": .bool(ending.isStopped),
        ]))
    }
    if let status = ending.stranger {
      Terminal.complain(
        "\(engine): what answers there is no engine of onebar (HTTP \(status)); nothing was sent; "
          + "is the port right?")
      return
    }
    guard mode != .json else { return }
    let sum = ending.landed + ending.left + ending.parked
    var text =
      sum == 0
      ? "nothing to send in \(folder)"
      : "\(ending.landed) landed, \(ending.left) left, \(ending.parked) parked"
    if ending.left > 0 { text += "; the next drain goes on with what is left" }
    if ending.parked > 0 { text += "; onebar client list --outbox \(folder) says why" }
    Terminal.print(ClientByHand.line(text))
  }

  private func note(_ entries: [OutboxEntry], in state: inout State) {
    for entry in entries { state.entries[entry.capture] = entry }
  }

  // MARK: Events

  private func json(of event: DrainByHand.Event, _ state: State) -> String? {
    func line(_ name: String, _ capture: String, _ more: [String: JSONValue]) -> String {
      var fields = more
      fields["event"] = .string(name)
      fields["capture"] = .string(capture)
      fields["id"] = ClientByHand.json(state.entries[capture]?.id)
      return ClientByHand.json(fields)
    }
    switch event {
    case .opened(let recovery):
      return ClientByHand.json([
        "event": .string("opened"), "entries": JSONValue(recovery.entries.count),
        "damaged": .array(recovery.damaged.map { .string($0) }),
      ])
    case .said(let text):
      return ClientByHand.json(["event": .string("said"), "text": .string(text)])
    case .report(.began(let capture, let step, let attempt)):
      return line(
        "began", capture, ["step": .string("\(step)"), "attempt": JSONValue(attempt)])
    case .report(.ended(let capture, let step, let attempt, let counted, let outcome)):
      return line(
        "ended", capture,
        [
          "step": .string("\(step)"), "attempt": JSONValue(attempt),
          "counted": JSONValue(counted), "outcome": .string(outcome),
        ])
    case .report(.state(let capture, let value)):
      return line("state", capture, ["state": .string(value.rawValue)])
    case .added, .report, .glance: return nil
    }
  }

  // MARK: Drawing

  private func draw() {
    var drawn: String?
    var sinceLine = Self.plainSeconds
    while true {
      let (lines, live, isOver) = state.withLock { state in
        defer { state.lines = [] }
        return (state.lines, state.live.map(ClientByHand.line), state.isOver)
      }
      if isTerminal, drawn != nil, !lines.isEmpty || isOver {
        Terminal.write("\r\u{1B}[K", to: STDERR_FILENO)
        drawn = nil
      }
      for line in lines { Terminal.print(mode == .json ? line : ClientByHand.line(line)) }
      if isOver { return }
      if let live, live != drawn {
        if isTerminal {
          let text = live.prefix(max(1, Terminal.errorWidth - 1))
          Terminal.write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
          drawn = live
        } else if sinceLine >= Self.plainSeconds {
          Terminal.note(live)
          sinceLine = 0
          drawn = live
        }
      }
      _ = ending.wait(timeout: .now() + Self.redrawSeconds)
      sinceLine += Self.redrawSeconds
    }
  }
}
