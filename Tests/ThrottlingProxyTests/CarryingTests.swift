import EventLoop
import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  @Suite struct CarryingTests {
    @Test func `every byte passes both ways at once and in order`() throws {
      let fixture = try ProxyFixture(.symmetric(.limited(.kilobytes(60))), factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let up = seededBytes(700_003, seed: 1)
      let down = seededBytes(900_001, seed: 2)
      let atServer = inBackground { server.receiveAll() }
      let fromServer = inBackground { () -> Bool in
        defer { server.endSending() }
        return server.send(down)
      }
      let atClient = inBackground { client.receiveAll() }
      #expect(client.send(up))
      client.endSending()
      let (received, clean) = try #require(atServer.wait())
      #expect(received == up && clean)
      let (answered, cleanAnswer) = try #require(atClient.wait())
      #expect(answered == down && cleanAnswer)
      #expect(fromServer.wait() == true)
      let isClosed = eventually { fixture.read()?.connections == 0 }
      #expect(isClosed)
      let reading = try #require(fixture.read())
      #expect(reading.up.takenIn == up.count && reading.up.carried == up.count)
      #expect(reading.down.takenIn == down.count && reading.down.carried == down.count)
      #expect(reading.up.discarded == 0 && reading.down.discarded == 0)
      #expect(reading.handedOver == up.count, "nothing is counted twice once all was read")
    }

    @Test func `what was handed over is what was sent after a full buffer has run empty`() throws {
      var conditions = LinkConditions.symmetric(
        .limited(.kilobytes(60)), buffer: .kilobytes(200))
      conditions.down.rate = .unlimited
      let fixture = try ProxyFixture(conditions, factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let body = seededBytes(600_000, seed: 3)
      let atServer = inBackground { server.receiveAll().bytes.count }
      #expect(client.send(body))
      client.endSending()
      #expect(atServer.wait() == body.count)
      server.endSending()
      let isClosed = eventually { fixture.read()?.connections == 0 }
      #expect(isClosed)
      #expect(fixture.read()?.handedOver == body.count)
    }

    @Test func `a client with a send buffer of its own choice is not kept waiting for ever`() throws
    {
      var conditions = LinkConditions.symmetric(
        .limited(.kilobytes(60)), buffer: LinkConditions.smallestBuffer)
      conditions.down.rate = .unlimited
      let fixture = try ProxyFixture(conditions, factor: 60)
      defer { fixture.stop() }
      for sendBuffer in [nil, 400_000] as [Int32?] {
        let client = try #require(
          BlockingSocket.connect(port: fixture.port, sendBuffer: sendBuffer))
        let server = try #require(fixture.server.accept())
        let body = seededBytes(1_500_000, seed: 4)
        let sent = inBackground { () -> Bool in
          defer { client.endSending() }
          return client.send(body)
        }
        let atServer = inBackground { server.receiveAll().bytes }
        #expect(atServer.wait(seconds: 10) == body, "send buffer \(sendBuffer ?? 0)")
        #expect(sent.wait(seconds: 1) == true)
      }
    }

    @Test(arguments: [true, false], [.limited(.kilobytes(5_000)), .unlimited] as [Pace])
    func `two hundred half-closes in both orders lose nothing`(
      clientEndsFirst: Bool, rate: Pace
    ) throws {
      let fixture = try ProxyFixture(.symmetric(rate), factor: 60)
      defer { fixture.stop() }
      let all = seededBytes(100_000, seed: 8)
      for round in 0..<200 {
        let client = try #require(BlockingSocket.connect(port: fixture.port))
        let server = try #require(fixture.server.accept())
        let question = Array(all.prefix(1 + 499 * round))
        let answer = Array(all.suffix(5_000 - round))
        let (first, second) = clientEndsFirst ? (client, server) : (server, client)
        #expect(first.send(question))
        first.endSending()
        #expect(second.receiveAll() == (question, true))
        #expect(second.send(answer))
        second.endSending()
        #expect(first.receiveAll() == (answer, true))
      }
      #expect(eventually { fixture.read()?.connections == 0 })
      let reading = try #require(fixture.read())
      for flow in [reading.up, reading.down] {
        #expect(flow.takenIn == flow.carried && flow.discarded == 0 && flow.queued == 0)
      }
    }

    @Test func `a round trip takes the latency of both directions`() throws {
      let fixture = try ProxyFixture(
        .symmetric(.unlimited, latency: .milliseconds(500)), factor: 10)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      for _ in 0..<5 {
        let start = monotonicSeconds()
        client.send([1])
        #expect(server.receive() == [1])
        let halfway = monotonicSeconds()
        server.send([2])
        #expect(client.receive() == [2])
        #expect(halfway - start >= 0.05)
        #expect(monotonicSeconds() - halfway >= 0.05)
        #expect(monotonicSeconds() - start < 0.5)
      }
    }

    @Test func `a server that stops reading holds the sender back and nothing is lost`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited))
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let body = seededBytes(12_000_000, seed: 5)
      let handed = ByteTally()
      let sent = inBackground { () -> Bool in
        defer { client.endSending() }
        return client.push(body, counting: handed)
      }
      var last = -1
      let isStill = eventually(seconds: 20) {
        defer { last = handed.count }
        usleep(150_000)
        return handed.count > 0 && handed.count == last
      }
      #expect(isStill)
      #expect(handed.count < body.count, "the kernels and the buffer cannot hold it all")
      let (received, clean) = server.receiveAll()
      #expect(received == body && clean)
      #expect(sent.wait() == true)
    }

    @Test func `an offline link takes in its buffer and carries nothing, not even an end`() throws {
      let fixture = try ProxyFixture(.symmetric(.offline), factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let handed = ByteTally()
      let body = seededBytes(300_000, seed: 6)
      let sent = inBackground { client.push(body, counting: handed) }
      server.endSending()
      usleep(300_000)
      let reading = try #require(fixture.read())
      #expect(reading.isFull)
      #expect(reading.up.carried == 0 && reading.down.carried == 0)
      // One write of the client may have been taken in part.
      #expect((handed.count...handed.count + 1_460).contains(reading.handedOver))
      // Nothing leaves, so nothing evens out the swing of the kernels' part.
      #expect(abs(reading.handedOver - 64_000) <= 16_000)
      for socket in [server, client] {
        var byte: UInt8 = 0
        #expect(recv(socket.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
      }
      fixture.stopProxy()
      #expect(sent.wait() == false)
    }

    @Test func `a server that is slow to accept holds up nobody who is connected`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited))
      defer { fixture.stop() }
      // More than may wait for the server to accept them: the system lets the others try again.
      let clients = try (0..<200).map { _ in
        try #require(BlockingSocket.connect(port: fixture.port))
      }
      let first = try #require(fixture.server.accept())
      let start = monotonicSeconds()
      for number in 0..<100 as Range<UInt8> {
        clients[0].send([number])
        #expect(first.receive() == [number])
      }
      #expect(monotonicSeconds() - start < 0.5)
      #expect(fixture.read()?.connections == 200)
    }

    @Test func `a proxy lives through garbage and goes on serving`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited))
      defer { fixture.stop() }
      var random = SeededRandom(seed: 7)
      for round in 0..<30 {
        let client = try #require(BlockingSocket.connect(port: fixture.port))
        let server = try #require(fixture.server.accept())
        client.send(seededBytes(Int.random(in: 0...5_000, using: &random), seed: UInt64(round)))
        if Bool.random(using: &random) { client.endSending() }
        if Bool.random(using: &random) { client.resetOnClose() }
        if Bool.random(using: &random) { server.resetOnClose() }
      }
      let client = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      client.send([42])
      #expect(server.receive() == [42])
    }
  }
}
