import EngineServer
import EventLoop
import Foundation
import Quantities
import ScratchEngine
import TestSupport

enum Wire: CaseIterable {
  case plain, tls
}

/// An engine on a real port, with a loop of its own.
struct ServerFixture {
  static let moment = "01J8Z0000000000000000000AB"
  static let path = "/api/moments/\(moment)"
  static let record =
    #"{"request_id":"e1","kind":"photo","note":"","captured_at":"2026-05-04T19:12:33+02:00","#
    + #""time_zone":"Europe/Paris"}"#
  static let turn = #"{"request_id":"t1","media_id":"c1"}"#

  let port: UInt16
  private let thread: LoopThread<ScratchServer>
  /// What a client has to trust; nil where TLS is not spoken.
  let certificate: String?
  /// What its folder did not take.
  let complaints: Recorder<String>

  struct CannotStart: Error {}

  init(
    _ script: EngineScript = EngineScript(), over wire: Wire = .plain, store: String? = nil,
    factor: Double = 1
  ) throws {
    let certificate = Slot<String>()
    let complaints = Recorder<String>()
    thread = try LoopThread(factor: factor) { loop in
      let own = wire == .tls ? try SelfSignedCertificate() : nil
      certificate.fill(own?.pem ?? "")
      let server = try ScratchServer(
        script: script, listen: SocketAddress(port: 0), tls: try own.map { try TLSServer($0) },
        loop: loop)
      if let store {
        let folder = try StoreFolder(path: store)
        folder.onFailure = complaints.record
        try server.keepStore(in: folder)
      }
      return server
    }
    self.complaints = complaints
    self.certificate = wire == .tls ? certificate.wait() : nil
    guard let port = thread.ask({ _, server in server.address.port }) else { throw CannotStart() }
    self.port = port
  }

  func ledger() throws -> Ledger {
    guard let ledger = thread.ask({ _, server in server.engine.ledger }) else {
      throw CannotStart()
    }
    return ledger
  }

  /// The ledger as soon as it is as asked for, or as it is in the end.
  func ledger(when isReady: (Ledger) -> Bool) throws -> Ledger {
    _ = eventually { thread.ask { _, server in server.engine.ledger }.map(isReady) ?? true }
    return try ledger()
  }

  func talk() throws -> Talk {
    guard let socket = BlockingSocket.connect(port: port) else { throw CannotStart() }
    guard let certificate else { return Talk(socket) }
    guard let secure = SecureBlockingSocket(socket, trusting: certificate) else {
      throw CannotStart()
    }
    return Talk(secure)
  }

  /// How many connections it holds.
  var connectionCount: Int { thread.ask { _, server in server.connectionCount } ?? -1 }

  /// Keeps the server from its sockets until the slot is filled.
  func hold(until slot: Slot<Bool>) -> Slot<Bool> {
    inBackground { [thread] in thread.ask { _, _ in slot.wait() ?? false } ?? false }
  }

  func stopServing() {
    _ = thread.ask { _, server in server.stop() }
  }

  func stop() {
    stopServing()
    thread.stop()
  }
}
