import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// What toxics do to real connections.
  @Suite struct ToxicsOnSocketsTests {
    @Test func `a proxy carries, and latency is laid on the connection that is there`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let (client, server) = try fixture.connect(try fixture.makeProxy())
      func roundTrip() -> Double {
        let start = monotonicSeconds()
        client.send([1])
        #expect(server.receive() == [1])
        server.send([2])
        #expect(client.receive() == [2])
        return monotonicSeconds() - start
      }
      _ = roundTrip()
      fixture.addToxic("latency", "upstream", #"{"latency":150}"#)
      fixture.addToxic("latency", "downstream", #"{"latency":150}"#)
      let slow = roundTrip()
      #expect(slow >= 0.3 && slow < 0.6, "\(slow) s")
      #expect(fixture.send("POST", "/reset")?.status == 204)
      #expect(roundTrip() < 0.15)
    }

    @Test(arguments: [nil, 0.2, 0.05])
    func `the rate is what was asked for, however often it is set again`(every: Double?) throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("bandwidth", "upstream", #"{"rate":61.4}"#)
      let (client, server) = try fixture.connect(port)
      let start = monotonicSeconds()
      let sent = seededBytes(122_800, seed: 1)
      let received = inBackground { (server.receiveAll().bytes, monotonicSeconds()) }
      let sending = inBackground {
        client.send(sent)
        client.endSending()
      }
      while let every, monotonicSeconds() - start < 1.5 {
        usleep(useconds_t(every * 1e6))
        let answer = fixture.send(
          "POST", "/proxies/p/toxics/bandwidth_upstream", #"{"attributes":{"rate":61.4}}"#)
        #expect(answer?.status == 200)
      }
      let (bytes, end) = try #require(received.wait())
      _ = sending.wait()
      #expect(bytes == sent)
      #expect(end - start >= 1.99 && end - start < 2.5, "\(end - start) s")
    }

    @Test func `a proxy holds little of what a slow toxic keeps waiting, and nothing is lost`()
      throws
    {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("bandwidth", "upstream", #"{"rate":100}"#)
      let (client, server) = try fixture.connect(port)
      let sent = seededBytes(6_000_000, seed: 2)
      let sending = inBackground {
        client.send(sent)
        client.endSending()
      }
      let received = inBackground { server.receiveAll().bytes }
      for _ in 0..<10 {
        usleep(30_000)
        #expect(try #require(fixture.queued) < 300_000)
      }
      #expect(fixture.send("DELETE", "/proxies/p/toxics/bandwidth_upstream")?.status == 204)
      #expect(received.wait() == sent)
      _ = sending.wait()
    }

    @Test func `a hundred runs, every other one cut at 10,000 bytes, leave nothing behind`() throws
    {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      let sent = seededBytes(30_000, seed: 3)
      for run in 0..<100 {
        let isCut = run % 2 == 0
        let stream = run % 4 < 2 ? "upstream" : "downstream"
        if isCut { fixture.addToxic("limit_data", stream, #"{"bytes":10000}"#) }
        let (client, server) = try fixture.connect(port)
        let (source, sink) = stream == "upstream" ? (client, server) : (server, client)
        source.send(sent)
        source.endSending()
        let (received, _) = sink.receiveAll()
        #expect(received == (isCut ? Array(sent.prefix(10_000)) : sent), "run \(run)")
        if isCut { #expect(fixture.send("POST", "/reset")?.status == 204) }
      }
      #expect(eventually { fixture.ask { $0.reading.connections } == 0 })
    }

    @Test func `a timeout swallows and closes`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("timeout", "upstream", #"{"timeout":200}"#)
      let (client, server) = try fixture.connect(port)
      let start = monotonicSeconds()
      client.send(seededBytes(500_000, seed: 4))
      #expect(client.receive()?.isEmpty != false)
      #expect(monotonicSeconds() - start >= 0.19)
      #expect(server.receiveAll().bytes.isEmpty)
      #expect(fixture.queued == 0)
    }

    @Test func `a timeout laid on a connection that stands still swallows once it goes on`() throws
    {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let (client, server) = try fixture.connect(try fixture.makeProxy())
      let handed = ByteTally()
      let sending = inBackground { client.push(seededBytes(30_000_000, seed: 4), counting: handed) }
      var last = -1
      #expect(
        eventually(seconds: 20) {
          defer { last = handed.count }
          usleep(100_000)
          return handed.count > 0 && handed.count == last
        })
      fixture.addToxic("timeout", "upstream")
      let received = ByteTally()
      let draining = inBackground { server.drain(counting: received) }
      #expect(sending.wait() == true)
      #expect(received.count < 30_000_000)
      client.endSending()
      _ = draining.wait()
      #expect(eventually { fixture.ask { $0.reading.connections } == 0 })
    }

    @Test func `removing a timeout of zero closes the connections that it had`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("timeout", "downstream")
      let (client, server) = try fixture.connect(port)
      server.send([1, 2, 3])
      usleep(50_000)
      #expect(fixture.send("DELETE", "/proxies/p/toxics/timeout_downstream")?.status == 204)
      let end = client.receiveAll()
      #expect(end.bytes.isEmpty && end.cleanEnd)
      #expect(server.receive()?.isEmpty != false)
    }

    @Test func `a reset reaches both sides, also of a connection that was there before`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      let (early, earlyServer) = try fixture.connect(port)
      early.send([1])
      #expect(earlyServer.receive() == [1])
      fixture.addToxic("reset_peer", "upstream", #"{"timeout":50}"#)
      let (late, lateServer) = try fixture.connect(port)
      for (client, server) in [(early, earlyServer), (late, lateServer)] {
        client.send([2])
        #expect(client.receive() == nil, "a reset, not an end")
        #expect(server.receive() == nil)
      }
    }

    @Test func `the end is held, and what came before is not`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("slow_close", "downstream", #"{"delay":300}"#)
      let (client, server) = try fixture.connect(port)
      let start = monotonicSeconds()
      server.send([1])
      server.endSending()
      #expect(client.receive() == [1])
      #expect(monotonicSeconds() - start < 0.25)
      #expect(client.receive() == [])
      #expect(monotonicSeconds() - start >= 0.3)
    }

    @Test func `slices arrive one by one and make up the whole`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("slicer", "upstream", #"{"average_size":100,"delay":2000}"#)
      let (client, server) = try fixture.connect(port)
      let sent = seededBytes(2_000, seed: 5)
      client.send(sent)
      client.endSending()
      var parts: [[UInt8]] = []
      while let part = server.receive(), !part.isEmpty { parts.append(part) }
      #expect(parts.reduce([], +) == sent)
      #expect(parts.count > 10, "\(parts.count)")
    }

    /// A request, the end of it, and only then the answer.
    @Test func `the answer to a client that has ended its sending arrives`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("bandwidth", "upstream", #"{"rate":200}"#)
      fixture.addToxic("latency", "downstream", #"{"latency":20}"#)
      let (client, server) = try fixture.connect(port)
      let (sent, answer) = (seededBytes(50_000, seed: 6), seededBytes(5_000, seed: 7))
      client.send(sent)
      client.endSending()
      let request = server.receiveAll()
      #expect(request.bytes == sent && request.cleanEnd)
      server.send(answer)
      server.endSending()
      let response = client.receiveAll()
      #expect(response.bytes == answer && response.cleanEnd)
    }

    @Test func `a client's reset is passed on at once, and what a toxic holds is dropped`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("bandwidth", "upstream", #"{"rate":1}"#)
      var client = BlockingSocket.connect(port: port)
      let server = try #require(fixture.server.accept())
      client?.send(seededBytes(20_000, seed: 8))
      #expect(server.receive()?.isEmpty == false)
      let start = monotonicSeconds()
      client?.resetOnClose()
      client = nil
      #expect(!server.receiveAll().cleanEnd)
      #expect(monotonicSeconds() - start < 1)
    }

    @Test func `toxics that come, change and go at random leave the bytes as they were`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      // Bytes are under way all the time: three quarters of a second over this link.
      let port = try fixture.makeProxy(link: #"{"up":"4 MB/s","down":"4 MB/s"}"#)
      let sent = seededBytes(3_000_000, seed: 9)
      let (client, server) = try fixture.connect(port)
      for (source, _) in [(client, server), (server, client)] {
        _ = inBackground {
          source.send(sent)
          source.endSending()
        }
      }
      let received = [client, server].map { socket in inBackground { socket.receiveAll() } }
      var random = SeededRandom(seed: 10)
      for _ in 0..<60 {
        let stream = random.whole(0...1) == 0 ? "upstream" : "downstream"
        let (type, attributes) = [
          ("latency", #"{"latency":30,"jitter":20}"#), ("bandwidth", #"{"rate":5000}"#),
          ("slicer", #"{"average_size":3000,"size_variation":1000,"delay":100}"#), ("noop", "{}"),
          ("slow_close", #"{"delay":50}"#),
        ][random.whole(0...4)]
        let target = "/proxies/p/toxics/\(type)_\(stream)"
        switch random.whole(0...2) {
        case 0: fixture.send("DELETE", target)
        case 1: fixture.send("PATCH", target, #"{"toxicity":\#(random.fraction())}"#)
        default:
          fixture.send(
            "POST", "/proxies/p/toxics",
            #"{"type":"\#(type)","stream":"\#(stream)","attributes":\#(attributes)}"#)
        }
        usleep(10_000)
      }
      fixture.send("POST", "/reset")
      for result in received {
        let (bytes, cleanEnd) = try #require(result.wait())
        #expect(bytes == sent && cleanEnd)
      }
    }
  }
}
