import EventLoop
import Quantities
import ScratchHTTP

/// One client of the control API: requests in, answers out, one after the other.
final class ControlConnection {
  private enum Phase {
    case idle
    /// Part of a request has come, or part of an answer is still to be taken.
    case busy
    /// The last answer is on its way; what still comes is thrown away, since a close with unread
    /// bytes would be a reset and could take the answer with it (RFC 9112 section 9.6).
    case closing
  }

  private static let readSize = 65_536
  /// How long a client that was answered for the last time may go on.
  private static let closingTime = Duration.seconds(2)

  private(set) var heardAt: Instant
  private let socket: TCPSocket
  private unowned let server: ControlServer
  private var reader: RequestReader
  private var head: RequestHead?
  private var body: [UInt8] = []
  private var output: ArraySlice<UInt8> = []
  private var phase = Phase.idle
  private var timer: EventLoop.TimerID?
  private var watch: EventLoop.Watch?
  /// The client sends nothing more; it may still be taking its answer.
  private var isHeardOut = false
  private var hasEnded = false

  init(_ socket: TCPSocket, server: ControlServer) {
    self.socket = socket
    self.server = server
    heardAt = server.loop.now
    var limits = ReaderLimits()
    limits.body = ControlLimits.body
    reader = RequestReader(limits: limits)
  }

  func start() throws(SystemFailure) {
    watch = try server.loop.watch(socket.descriptor, for: .readable) { [unowned self] ready in
      act(on: ready)
    }
    wait(ControlLimits.idleTime)
  }

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    if let watch { server.loop.unwatch(watch) }
    if let timer { server.loop.cancel(timer) }
    server.ended(self)
  }

  private func act(on ready: Readiness) {
    if ready.contains(.writable) { goOn() }
    if !hasEnded, !ready.isDisjoint(with: [.readable, .failed, .hungUp]) { read() }
    if !hasEnded { updateInterest() }
  }

  private func read() {
    var outcome = TCPSocket.Outcome.wouldBlock
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
      outcome = socket.read(into: UnsafeMutableRawBufferPointer(buffer))
      if case .moved(let moved) = outcome { count = moved }
    }
    switch outcome {
    case .moved:
      heardAt = server.loop.now
      guard phase != .closing else { return }
      if phase == .idle { begin(.busy, ControlLimits.requestTime) }
      reader.append(bytes)
      takeEvents()
    case .wouldBlock: break
    case .ended:
      guard !output.isEmpty else { return end() }
      isHeardOut = true
      close()
    case .broken: end()
    }
  }

  /// Answers what is whole; the next request waits until the answer before it was taken.
  private func takeEvents() {
    while !hasEnded, phase != .closing, output.isEmpty {
      do throws(RequestFault) {
        guard let event = try reader.next() else { break }
        take(event)
      } catch {
        refuse(error)
      }
    }
  }

  private func take(_ event: RequestEvent) {
    switch event {
    case .head(let head):
      self.head = head
      body = []
      if head.expectsContinue { send(AnswerWriter.continueBytes) }
    case .body(let bytes): body += bytes
    case .end:
      guard let head else { return }
      let answer = server.api.answer(head, body: body)
      body = []
      send(AnswerWriter.bytes(of: answer, to: head, closes: !head.keepsAlive))
      if !head.keepsAlive { close() } else if output.isEmpty { rest() }
    }
  }

  private func refuse(_ fault: RequestFault) {
    let answer = ControlRefusal(status: fault.status, message: fault.description).answer
    send(AnswerWriter.bytes(of: answer, to: nil, closes: true))
    close()
  }

  private func send(_ bytes: [UInt8]) {
    output += bytes
    write()
  }

  private func write() {
    while !hasEnded, !output.isEmpty {
      switch output.withUnsafeBytes({ socket.write($0) }) {
      case .moved(let count): output = output.dropFirst(count)
      case .wouldBlock: return
      case .ended, .broken: return end()
      }
    }
  }

  /// A client that took its time over an answer has taken it.
  private func goOn() {
    write()
    guard !hasEnded, output.isEmpty else { return }
    switch phase {
    case .closing: if isHeardOut { end() } else { socket.endSending() }
    case .busy, .idle:
      rest()
      takeEvents()
    }
  }

  /// Nothing of a request is there: the client may be quiet for a while.
  private func rest() {
    begin(.idle, ControlLimits.idleTime)
  }

  private func close() {
    begin(.closing, Self.closingTime)
    if output.isEmpty { socket.endSending() }
  }

  private func begin(_ phase: Phase, _ time: Duration) {
    guard !hasEnded else { return }
    self.phase = phase
    wait(time)
  }

  private func wait(_ time: Duration) {
    if let timer { server.loop.cancel(timer) }
    timer = server.loop.schedule(at: server.loop.now + time) { [unowned self] in
      timeIsUp()
    }
  }

  /// Apart from the timer, as ``act(on:)`` is from its handler: it may end within, and nothing else
  /// holds it then.
  private func timeIsUp() {
    timer = nil
    guard phase == .busy, output.isEmpty else { return end() }
    refuse(.timedOut)
    if !hasEnded { updateInterest() }
  }

  private func updateInterest() {
    guard let watch else { return }
    var interest: Readiness = []
    if !isHeardOut, output.isEmpty || phase == .closing { interest.insert(.readable) }
    if !output.isEmpty { interest.insert(.writable) }
    server.loop.setInterest(interest, of: watch)
  }
}
