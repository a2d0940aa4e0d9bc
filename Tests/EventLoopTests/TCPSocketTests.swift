import EventLoop
import Glibc
import Quantities
import TestSupport
import Testing

@Suite struct TCPSocketTests {
  private func pair() throws -> (client: BlockingSocket, server: TCPSocket, listener: Listener) {
    let listener = try Listener(on: SocketAddress(port: 0), receiveBuffer: 8_192, segment: 1_460)
    let client = try #require(
      BlockingSocket.connect(port: listener.address.port, sendBuffer: 16_000))
    let server = try #require(try TCPSocket.accept(from: listener))
    return (client, server, listener)
  }

  private func read(_ socket: TCPSocket) -> TCPSocket.Outcome {
    var bytes = [UInt8](repeating: 0, count: 100)
    return bytes.withUnsafeMutableBytes { socket.read(into: $0) }
  }

  @Test func `reading tells bytes, none yet, the end and a reset apart`() throws {
    var (client, server, _): (BlockingSocket?, TCPSocket, Listener) = try pair()
    #expect(read(server) == .wouldBlock)
    client?.send([1, 2, 3])
    #expect(eventually { server.unread == 3 })
    #expect(read(server) == .moved(3))
    client?.endSending()
    #expect(eventually { read(server) == .ended })
    client?.resetOnClose()
    client = nil
    var one: UInt8 = 1
    let isBroken = eventually {
      if case .broken = withUnsafeBytes(of: &one, { server.write($0) }) { true } else { false }
    }
    #expect(isBroken)
  }

  @Test func `a listener without a connection that waits gives none`() throws {
    let listener = try Listener(on: SocketAddress(port: 0))
    #expect(try TCPSocket.accept(from: listener) == nil)
    #expect(listener.address.port > 0)
  }

  @Test func `a port that is taken says so`() throws {
    let listener = try Listener(on: SocketAddress(port: 0))
    let error = #expect(throws: SystemFailure.self) { try Listener(on: listener.address) }
    #expect(error?.description == "listening on \(listener.address): Address already in use")
  }

  @Test func `the socket tables know exactly what a process has written`() throws {
    let (client, server, listener) = try pair()
    let tables = try SocketTables()
    let peer = try #require(server.peer)
    var written = 0
    for size in [1, 999, 5_000, 20_000, 100_000] {
      let bytes = [UInt8](repeating: 7, count: size)
      let count = bytes.withUnsafeBytes {
        send(client.descriptor, $0.baseAddress, size, Int32(MSG_DONTWAIT))
      }
      written += max(0, count)
      #expect(tables.state(local: peer, remote: listener.address)?.written == written)
    }
    let held = try #require(tables.state(local: peer, remote: listener.address))
    #expect(held.unacknowledged + server.unread >= written)
    client.endSending()
    #expect(tables.state(local: peer, remote: listener.address)?.written == written)
    var received = 0
    let hasAll = eventually {
      if case .moved(let count) = read(server) { received += count }
      return received == written
    }
    #expect(hasAll)
    #expect(tables.state(local: peer, remote: listener.address)?.written == written)
    #expect(tables.state(local: peer, remote: SocketAddress(port: 1)) == nil)
  }

  @Test func `what the kernel has not sent is known apart from what was not acknowledged`() throws {
    let listener = try Listener(on: SocketAddress(port: 0), receiveBuffer: 8_192)
    let client = try TCPSocket.connect(to: listener.address)
    let server = try #require(try TCPSocket.accept(from: listener))
    let body = seededBytes(60_000, seed: 1)
    guard case .moved(let count) = body.withUnsafeBytes({ client.write($0) }) else {
      Issue.record("nothing was written")
      return
    }
    // What was sent is in the other kernel, on the loopback interface.
    #expect(eventually { client.unsent + server.unread == count })
    #expect(client.unsent > 0)
  }
}
