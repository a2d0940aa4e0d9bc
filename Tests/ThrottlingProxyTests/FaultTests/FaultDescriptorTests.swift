import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// In a process of its own: what other tests open at the same time must not be counted.
  @Suite struct FaultDescriptorTests {
    @Test func `connections with faults leave no descriptor`() async {
      await #expect(processExitsWith: .success) {
        try ProxyFixture(.symmetric(.unlimited)).stop()
        let before = openDescriptors()
        do {
          func only(_ deed: ConnectionFault.Deed, _ number: Int) -> ConnectionFault {
            ConnectionFault(deed, which: ConnectionChoice(number: number))
          }
          let fixture = try ProxyFixture(
            only(.refuse, 1), only(.silent, 2), only(.cut(StreamPlace(.up, 500), as: .reset), 3),
            only(.cut(StreamPlace(.up, 500), as: .end), 4),
            only(.cut(StreamPlace(.up, 500), as: .silence), 5),
            only(.hold(StreamPlace(.up, 500), for: .seconds(900)), 6),
            only(.slowClose(.seconds(900)), 7), ConnectionFault(.dark(at: Instant(seconds: 6))))
          var sockets: [BlockingSocket] = []
          for number in 1...9 {
            let client = try #require(BlockingSocket.connect(port: fixture.port))
            client.send(seededBytes(1_000, seed: 1))
            client.endSending()
            if number > 2 { sockets.append(try #require(fixture.server.accept())) }
            sockets.append(client)
          }
          usleep(400_000)
          // Whatever state they are in.
          fixture.stop()
          withExtendedLifetime(sockets) {}
        }
        let isBack = eventually { openDescriptors() <= before }
        #expect(isBack, "\(openDescriptors()) of \(before)")
      }
    }
  }
}
