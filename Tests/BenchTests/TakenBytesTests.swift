import Reports
import Testing

@testable import Bench

struct TakenBytesTests {
  private func backs(
    _ onTheWay: Int, _ newest: TakenBytes.Newest?, _ claimed: Int, of total: Int
  ) -> Bool {
    TakenBytes(onTheWay: onTheWay, newest: newest)
      .back(ByteClaim(claimed: claimed, total: total))
  }

  @Test func `before any file only what is on the way backs a claim`() {
    #expect(backs(20_000, nil, 20_000, of: 1_650_000))
    #expect(!backs(20_000, nil, 30_000, of: 1_650_000))
  }

  @Test func `of a file in flight counts what has arrived and what is on the way`() {
    let newest = TakenBytes.Newest(bodyBytes: 400_000, isOpen: true)
    #expect(backs(50_000, newest, 450_000, of: 1_650_000))
    #expect(!backs(50_000, newest, 460_000, of: 1_650_000))
  }

  @Test func `a file that was answered backs lines about itself, and none about the next`() {
    let newest = TakenBytes.Newest(bodyBytes: 1_650_000, isOpen: false)
    #expect(backs(0, newest, 1_650_000, of: 1_650_000))
    #expect(!backs(0, newest, 430_000, of: 4_310_000))
    #expect(backs(430_000, newest, 430_000, of: 4_310_000))
  }

  @Test func `a slack backs as many bytes more`() {
    let taken = TakenBytes(onTheWay: 20_000, newest: nil)
    #expect(!taken.back(ByteClaim(claimed: 80_000, total: 1_650_000)))
    #expect(taken.back(ByteClaim(claimed: 80_000, total: 1_650_000), slack: 64_000))
  }

  @Test func `a size is compared as far as a line can state it`() {
    let newest = TakenBytes.Newest(bodyBytes: 1_648_123, isOpen: false)
    #expect(backs(0, newest, 1_650_000, of: 1_650_000))
  }

  @Test func `an attempt that was cut backs nothing of the next`() {
    let newest = TakenBytes.Newest(bodyBytes: 1_420_000, isOpen: false)
    #expect(!backs(0, newest, 300_000, of: 1_650_000))
  }
}
