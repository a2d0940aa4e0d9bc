import CLinux
import FoundationEssentials
import Glibc
import Quantities
import TestSupport
import Uploads

/// One life of the real client's process: what it is told, what it reports, and its end.
struct ClientLife {
  /// What was seen of it.
  struct Ending {
    var wasKilled: Bool
    var status: Int32
    /// Of the monotonic clock, from when it was told to go.
    var seconds = 0.0
    /// Captures that it said are kept, and those of which all has landed.
    var saved: Set<String> = []
    var done: Set<String> = []
    /// Captures that it gave up, or with which it was not done in time.
    var unfinished: [String] = []
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let commands: Int32
  private let reports: Int32
  private let pid: pid_t
  private let status: Slot<Result<Int32, TracedProcess.Refused>>

  /// Starts the process, traced by a thread of its own; `watch` is made with the name of the pipe
  /// that it reports on.
  private init(_ executable: String, _ watch: (String) -> LifeWatch) throws {
    func pipe() throws -> (output: Int32, input: Int32) {
      var ends: [Int32] = [-1, -1]
      guard CLinux_pipe(&ends) == 0 else {
        throw Failure(description: "there is no pipe to be had")
      }
      return (ends[0], ends[1])
    }
    let (commandPipe, reportPipe) = (try pipe(), try pipe())
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    commands = commandPipe.input
    reports = reportPipe.output
    let watch = watch(Self.name(of: reportPipe.input))
    let started = Slot<pid_t>()
    status = inBackground {
      func closeTheirs() {
        for end in [commandPipe.output, reportPipe.input, nowhere] { close(end) }
      }
      do throws(TracedProcess.Refused) {
        let descriptors: [(child: Int32, own: Int32)] = [
          (0, nowhere), (1, nowhere), (3, commandPipe.output), (4, reportPipe.input),
        ]
        return .success(
          try TracedProcess.run([executable, "client", "--bench"], descriptors: descriptors) {
            closeTheirs()
            started.fill($0)
          } judge: {
            watch.judge($0)
          })
      } catch {
        closeTheirs()
        started.fill(-1)
        return .failure(error)
      }
    }
    pid = started.wait() ?? -1
  }

  private static func name(of descriptor: Int32) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))
      ?? ""
  }

  /// Runs the client until the captures in its outbox (`open`) and those that it is told to save are
  /// done, or until it is killed; one that is not done after `secondsMax` has lost its way.
  static func live(
    _ executable: String, _ setup: ClientSetup, saving names: [String], open: [String],
    killAt seconds: Double?, within secondsMax: Double, watch: (String) -> LifeWatch
  ) throws -> Ending {
    // Who is killed does not read what it is told.
    CLinux_signalIgnore(SIGPIPE)
    let life = try ClientLife(executable, watch)
    defer {
      close(life.commands)
      close(life.reports)
    }
    life.tell(.prepare(setup))
    var ending = Ending(wasKilled: false, status: 0)
    var left = Set(open + names)
    var reader = ReportReader(life.reports)
    var limit = monotonicSeconds() + secondsMax
    var (began, killAt) = (Double?.none, Double?.none)
    reading: while true {
      switch reader.next(until: min(limit, killAt ?? limit)) {
      case .end: break reading
      case .late:
        if killAt == nil { ending.unfinished += left.sorted() }
        kill(life.pid, SIGKILL)
        (killAt, limit) = (nil, monotonicSeconds() + secondsMax)
      case .report(.ready):
        let now = monotonicSeconds()
        limit = now + secondsMax
        began = now
        killAt = seconds.map { now + $0 }
        life.tell(.go(TimeScale(epoch: CLinux_monotonicNanoseconds(), factor: 1)))
        life.tell(.link(.up))
        for name in names { life.tell(.save(capture: name)) }
        if left.isEmpty { life.tell(.stop) }
      case .report(.saved(let capture, _, _)): ending.saved.insert(capture)
      case .report(.recovered(let capture, _, _, _)): ending.saved.insert(capture)
      case .report(.state(let capture, .done)):
        ending.done.insert(capture)
        left.remove(capture)
        if left.isEmpty { life.tell(.stop) }
      case .report(.state(let capture, .parked)):
        ending.unfinished.append(capture)
        left.remove(capture)
        if left.isEmpty { life.tell(.stop) }
      case .report(.notSaved(let capture, let reason)):
        throw Failure(description: "\(capture) was not saved: \(reason)")
      case .report: break
      }
    }
    ending.seconds = began.map { monotonicSeconds() - $0 } ?? 0
    guard let status = life.status.wait() else {
      throw Failure(description: "the client's end was not seen")
    }
    ending.status = try status.get()
    ending.wasKilled = ending.status & 0x7f == SIGKILL && ending.unfinished.isEmpty
    guard ending.wasKilled || ending.status == 0 || !ending.unfinished.isEmpty else {
      throw Failure(description: "the client ended with status \(ending.status)")
    }
    return ending
  }

  private func tell(_ command: BenchCommand) {
    guard let line = try? JSONEncoder().encode(command) else { return }
    // One that is gone is told nothing; its end is on its way.
    _ = (Array(line) + [UInt8(ascii: "\n")]).withUnsafeBytes {
      write(commands, $0.baseAddress, $0.count)
    }
  }
}

/// Reads reports from a pipe, with a limit on the wait.
private struct ReportReader {
  enum Event {
    case report(BenchReport)
    case end
    case late
  }

  private let descriptor: Int32
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  mutating func next(until limit: Double) -> Event {
    while true {
      if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(bytes[..<newline])
        bytes.removeFirst(newline + 1)
        if let report = try? JSONDecoder().decode(BenchReport.self, from: line) {
          return .report(report)
        }
        continue
      }
      let left = limit - monotonicSeconds()
      guard left > 0 else { return .late }
      var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&interest, 1, Int32(left * 1_000) + 1) > 0 else { continue }
      var part = [UInt8](repeating: 0, count: 1 << 14)
      let count = read(descriptor, &part, part.count)
      guard count > 0 else { return .end }
      bytes += part.prefix(count)
    }
  }
}
