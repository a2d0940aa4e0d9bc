import Quantities
import Testing

@Suite struct DistinctTests {
  @Test func `each stands once, where it stood first`() {
    #expect(
      ["copy", "original", "copy", "text", "original"].distinct == ["copy", "original", "text"])
    #expect([Int]().distinct == [])
  }
}
