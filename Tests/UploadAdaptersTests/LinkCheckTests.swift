import Testing
import Uploads

@testable import UploadAdapters

struct LinkCheckTests {
  @Test func `a told link is unknown until it is told`() async {
    let check = ToldLinkCheck()
    #expect(await check.state() == .unknown)
    check.tell(.down)
    #expect(await check.state() == .down)
    check.tell(.up)
    #expect(await check.state() == .up)
  }

  @Test func `an engine on this machine is reached over loopback`() async {
    for host in ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"] {
      #expect(await MachineLinkCheck(engineHost: host).state() == .up)
    }
    // What else is up differs from machine to machine, and is an answer either way.
    #expect(await MachineLinkCheck(engineHost: "192.0.2.1").state() != .unknown)
  }
}
