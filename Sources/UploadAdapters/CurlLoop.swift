import CCurl
import CLinux
import Glibc
import Uploads

/// The thread side of the transport: the multi handle and every transfer; never leaves its thread.
final class CurlLoop {
  /// One wait in milliseconds; commands and sockets end it before, so it decides nothing.
  private static let longestWait: Int32 = 60_000

  private let engine: String
  private let authorities: String?
  private let refusedBuffer: @Sendable (Int) -> Void
  private let mailbox: CurlMailbox
  private var transfers: [OpaqueCurl: CurlTransfer] = [:]
  /// Those of connections, used or kept.
  private var sockets: [Int32] = []
  /// The way in which a socket that closes now is closed.
  private var closing = UploadPolicy.Cut.close

  init(
    engine: String, authorities: String?, refusedBuffer: @escaping @Sendable (Int) -> Void,
    mailbox: CurlMailbox
  ) {
    self.engine = engine
    self.refusedBuffer = refusedBuffer
    self.authorities = authorities
    self.mailbox = mailbox
  }

  /// Runs until a `stop` has come.
  func run() {
    // Once for the process and safe from any thread (7.84 on); it counts its own calls.
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    defer { curl_global_cleanup() }
    guard let multi = curl_multi_init() else {
      refuse(mailbox.close(), because: "libcurl cannot start")
      return
    }
    CCurl_setMultiLong(multi, CURLMOPT_MAXCONNECTS, CurlTransport.connectionsKept)
    CCurl_setMultiLong(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    mailbox.wake(.init(multi: multi))

    // `wake` came before the first look into the mailbox, so that no command waits unseen.
    while follow(mailbox.takeAll(), multi) {
      var running: Int32 = 0
      let result = curl_multi_perform(multi, &running)
      while true {
        var code = CURLE_OK
        guard let easy = CCurl_nextFinished(multi, &code) else { break }
        finish(easy, code, multi)
      }
      for transfer in transfers.values { transfer.report() }
      if result != CURLM_OK {
        failAll(multi, .broken(String(cString: curl_multi_strerror(result))))
      }
      curl_multi_poll(multi, nil, 0, Self.longestWait, nil)
    }

    mailbox.wake(nil)
    failAll(multi, .cut)
    // Closes the kept connections, through this object's callback.
    curl_multi_cleanup(multi)
    refuse(mailbox.close(), because: "the transport is shut down")
  }

  /// Does what was asked; false when it was to stop.
  private func follow(_ commands: [CurlMailbox.Command], _ multi: OpaqueCurl) -> Bool {
    for command in commands {
      switch command {
      case .begin(let id, let request, let events): begin(id, request, events, multi)
      case .count(let id): transfers.values.first { $0.id == id }.map(count)
      case .cut(let id, let way): cut(id, way, multi)
      case .stop: return false
      }
    }
    return true
  }

  private func begin(
    _ id: Int, _ request: OutgoingRequest, _ events: CurlMailbox.Events, _ multi: OpaqueCurl
  ) {
    let problem: TransportFailure
    do throws(TransportFailure) {
      if transfers.count >= CurlTransport.exchangesMax {
        throw .notConnected("more than \(CurlTransport.exchangesMax) exchanges at once")
      }
      let transfer = try CurlTransfer(
        id: id, request, url: engine + request.path, authorities: authorities,
        refusedBuffer: refusedBuffer, events: events)
      if transfers.isEmpty { endStaleConnections() }
      transfer.openSockets(through: self)
      let result = curl_multi_add_handle(multi, transfer.easy)
      if result != CURLM_OK { throw .broken(String(cString: curl_multi_strerror(result))) }
      transfers[transfer.easy] = transfer
      return
    } catch {
      problem = error
    }
    events.yield(.failed(problem))
    events.finish()
  }

  /// In mid-transfer libcurl names the port of a connection that it keeps, and not its socket
  /// (CURLINFO_ACTIVESOCKET is known at the end of a transfer).
  private func count(_ transfer: CurlTransfer) {
    let port = transfer.localPort
    let socket = sockets.first { socket in
      var bound: UInt16 = 0
      return CLinux_boundPort(socket, &bound) == 0 && Int(bound) == port
    }
    if let socket { transfer.count(on: socket) }
  }

  /// Ends the kept connections whose server has ended its side, while none is in use.
  ///
  /// libcurl 7.88 takes one for alive until both sides have ended: it would send the request there,
  /// and as much of a body as the path takes in, before it found out and sent all of it again.
  private func endStaleConnections() {
    for socket in sockets {
      var byte: UInt8 = 0
      let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
      if count == 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  private func cut(_ id: Int, _ way: UploadPolicy.Cut, _ multi: OpaqueCurl) {
    // One that has ended already is none of those under way.
    guard let easy = transfers.values.first(where: { $0.id == id })?.easy else { return }
    // Removing a transfer under way closes its connection inside this call, and no other one, so
    // the callback needs to know nothing but the way.
    closing = way
    defer { closing = .close }
    end(easy, multi) { $0.fail(.cut) }
  }

  /// libcurl is done with a transfer, unless it is begun once more.
  private func finish(_ easy: OpaqueCurl, _ code: CURLcode, _ multi: OpaqueCurl) {
    if transfers[easy]?.isToBeRepeated(after: code) == true {
      curl_multi_remove_handle(multi, easy)
      if curl_multi_add_handle(multi, easy) == CURLM_OK { return }
    }
    end(easy, multi) { $0.finish(code) }
  }

  private func end(_ easy: OpaqueCurl, _ multi: OpaqueCurl, _ report: (CurlTransfer) -> Void) {
    guard let transfer = transfers.removeValue(forKey: easy) else { return }
    curl_multi_remove_handle(multi, easy)
    report(transfer)
  }

  private func failAll(_ multi: OpaqueCurl, _ failure: TransportFailure) {
    for easy in Array(transfers.keys) { end(easy, multi) { $0.fail(failure) } }
  }

  private func refuse(_ commands: [CurlMailbox.Command], because words: String) {
    for case .begin(_, _, let events) in commands {
      events.yield(.failed(.notConnected(words)))
      events.finish()
    }
  }

  /// libcurl has opened a socket.
  func opened(socket: Int32) {
    sockets.append(socket)
  }

  /// Closes a socket of libcurl's: CURLOPT_CLOSESOCKETFUNCTION, with the loop as its context.
  ///
  /// The context is the loop and not a transfer, because a kept connection outlives the transfer
  /// that opened it. Lingering for zero seconds makes the kernel drop what it still holds and send
  /// a reset (socket(7)).
  func close(socket: Int32) -> Int32 {
    sockets.removeAll { $0 == socket }
    if closing == .reset {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }
    return Glibc.close(socket)
  }
}
