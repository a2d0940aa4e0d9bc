import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension BlockingSocket {
  /// Nothing is heard for some time: no byte, no end and no reset.
  func isQuiet(milliseconds: Int32 = 60) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, milliseconds) == 0
  }

  /// A write that waits for longer has failed.
  func limitSending(milliseconds: Int) {
    var limit = timeval(tv_sec: 0, tv_usec: milliseconds * 1_000)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }
}

extension ProxyFixture {
  /// With faults on a link of 2 MB/s and 20 ms each way, at 20x: 1 MB takes 25 ms.
  init(_ faults: ConnectionFault...) throws {
    try self.init(Self.link(faults), factor: 20)
  }

  static func link(_ faults: [ConnectionFault]) -> LinkConditions {
    var link = LinkConditions.symmetric(.limited(.kilobytes(2_000)), latency: .milliseconds(20))
    link.faults = faults
    return link
  }

  func connect() throws -> (client: BlockingSocket, server: BlockingSocket) {
    let client = try #require(BlockingSocket.connect(port: port, sendBuffer: 16_000))
    return (client, try #require(server.accept()))
  }

  /// Every connection has ended, and every byte is accounted for.
  func expectOver(up: Int? = nil, down: Int? = nil) throws {
    #expect(eventually { read()?.connections == 0 })
    let reading = try #require(read())
    for flow in [reading.up, reading.down] {
      #expect(flow.takenIn == flow.carried + flow.discarded && flow.queued == 0)
    }
    if let up { #expect(reading.up.carried == up) }
    if let down { #expect(reading.down.carried == down) }
    #expect(reading.propagating == 0 && reading.zeroWindowProbes == 0)
  }
}
