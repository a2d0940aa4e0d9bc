import EventLoop
import TestSupport
import Testing

@Suite struct TransitPipeTests {
  private func pair() throws -> (client: BlockingSocket, server: TCPSocket) {
    let listener = try Listener(on: SocketAddress(port: 0))
    let client = try #require(BlockingSocket.connect(port: listener.address.port))
    return (client, try #require(try TCPSocket.accept(from: listener)))
  }

  @Test func `what goes in comes out, and its end is told`() throws {
    let (source, input) = try pair()
    let (sink, output) = try pair()
    let pipe = try TransitPipe()
    #expect(pipe.fill(from: input) == .wouldBlock)
    #expect(pipe.drain(to: output) == .moved(0))
    let bytes = seededBytes(50_000, seed: 1)
    source.send(bytes)
    source.endSending()
    var received: [UInt8] = []
    while received.count < bytes.count {
      _ = eventually { pipe.fill(from: input) != .wouldBlock }
      let count = pipe.count
      #expect(pipe.drain(to: output) == .moved(count))
      #expect(pipe.count == 0)
      received += sink.receive() ?? []
    }
    #expect(received == bytes)
    #expect(eventually { pipe.fill(from: input) == .ended })
  }

  @Test func `a socket that is broken says so, and the process lives`() throws {
    let (source, input) = try pair()
    var (sink, output): (BlockingSocket?, TCPSocket) = try pair()
    let pipe = try TransitPipe()
    sink?.resetOnClose()
    sink = nil
    let isBroken = eventually {
      source.send([1])
      _ = pipe.fill(from: input)
      if case .broken = pipe.drain(to: output) { return true } else { return false }
    }
    #expect(isBroken)
    // A second time the error is not the reset any more, which comes with a signal.
    source.send([1])
    _ = eventually { pipe.count > 0 || pipe.fill(from: input) != .wouldBlock }
    guard case .broken = pipe.drain(to: output) else {
      Issue.record("a broken socket takes nothing")
      return
    }
  }
}
