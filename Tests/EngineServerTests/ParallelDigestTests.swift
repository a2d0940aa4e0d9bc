import Captures
import EngineServer
import ScratchEngine
import TestSupport
import Testing

struct ParallelDigestTests {
  @Test(arguments: [0, 1, 999_999, 1_000_000, 1_000_001, 5_000_000])
  func `a body of any length has its SHA-256, in whatever pieces it comes`(count: Int) {
    let bytes = seededBytes(count, seed: 7)
    let digest = ParallelDigest()
    var rest = bytes[...]
    var size = 1
    while !rest.isEmpty {
      digest.update(rest.prefix(size))
      rest = rest.dropFirst(size)
      size = size * 7 % 300_000 + 1
    }
    #expect(digest.finish() == sha256(of: bytes))
  }

  @Test func `one that is given up in the middle of a long body leaves nothing behind`() {
    for _ in 0..<20 {
      let digest = ParallelDigest()
      for _ in 0..<8 { digest.update([UInt8](repeating: 7, count: 300_000)[...]) }
    }
  }
}
