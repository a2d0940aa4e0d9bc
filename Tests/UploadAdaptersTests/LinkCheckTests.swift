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
}
