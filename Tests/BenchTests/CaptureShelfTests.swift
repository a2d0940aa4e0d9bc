import Captures
import FoundationEssentials
import Quantities
import Scenarios
import Synchronization
import TestSupport
import Testing

@testable import Bench

@Suite struct CaptureShelfTests {
  /// One document, which is made of about its size.
  private static func scenario(seed: UInt64, size: Int = 300_000) throws -> Scenario {
    var scenario = try SmallWorld.scenario(shipped: "turn-503")
    scenario.seed = seed
    scenario.captures[0].plan.kind = .document(DocumentPlan(size: ByteCount(size)))
    return scenario
  }

  private static func kind(_ seed: UInt64, size: Int = 300_000) throws -> CaptureKind {
    CaptureKind(try scenario(seed: seed, size: size))
  }

  /// Makes nothing, and counts how often.
  private final class Maker: Sendable {
    let seeds = Mutex<[UInt64]>([])

    func shelf(bytesMax: Int = 10_000_000) -> CaptureShelf<UInt64> {
      CaptureShelf(bytesMax: bytesMax) { kind in
        self.seeds.withLock { $0.append(kind.seed) }
        return kind.seed
      }
    }
  }

  @Test func `captures are made once, whatever was made between`() throws {
    let maker = Maker()
    let shelf = maker.shelf()
    for seed: UInt64 in [1, 2, 1, 1, 2] { #expect(try shelf.captures(Self.kind(seed)) == seed) }
    #expect(maker.seeds.withLock(\.self) == [1, 2])
  }

  @Test func `what is expected is made ahead, in order, each once`() throws {
    let maker = Maker()
    let shelf = maker.shelf()
    for seed: UInt64 in [1, 2, 2, 3, 1] { shelf.expect(try Self.kind(seed)) }
    _ = try shelf.captures(Self.kind(1))
    for _ in 0..<4 { shelf.makeAhead() }
    #expect(maker.seeds.withLock(\.self) == [1, 2, 3])
    _ = try shelf.captures(Self.kind(1))
    #expect(shelf.kept.map(\.seed) == [2, 3, 1])
  }

  @Test func `the oldest go when all are too large`() throws {
    let shelf = Maker().shelf(bytesMax: 700_000)
    _ = try shelf.captures(Self.kind(1))
    _ = try shelf.captures(Self.kind(2))
    shelf.expect(try Self.kind(3))
    shelf.makeAhead()
    #expect(shelf.kept.map(\.seed) == [1, 2], "there is no room for what is only expected")
    _ = try shelf.captures(Self.kind(3))
    #expect(shelf.kept.map(\.seed) == [2, 3])
    _ = try shelf.captures(Self.kind(4, size: 2_000_000))
    #expect(shelf.kept.map(\.seed) == [4], "one is kept however large it is")
  }

  @Test func `who waits for captures makes the next meanwhile`() throws {
    let second = Slot<Bool>()
    let shelf = CaptureShelf(bytesMax: 10_000_000) { kind in
      if kind.seed == 1 { #expect(second.wait() == true) }
      if kind.seed == 2 { second.fill(true) }
      return kind.seed
    }
    for seed: UInt64 in [1, 2] { shelf.expect(try Self.kind(seed)) }
    let kind = try Self.kind(1)
    // The first can be made only once the second is: one thread alone would never end.
    let threads = (0..<2).map { _ in inBackground { Result { try shelf.captures(kind) } } }
    for thread in threads { #expect(try #require(thread.wait()).get() == 1) }
    #expect(shelf.kept.map(\.seed) == [1, 2])
  }

  @Test func `a failure is told to who wants them, and tried again`() throws {
    struct Failure: Error {}
    let shelf = CaptureShelf<Int>(bytesMax: 10_000_000) { _ in throw Failure() }
    shelf.expect(try Self.kind(1))
    shelf.makeAhead()
    for _ in 0..<2 { #expect(throws: Failure.self) { try shelf.captures(Self.kind(1)) } }
    #expect(shelf.kept.map(\.isMade) == [false])
  }

  @Test func `both worlds have the same captures, and files go with the last who names them`()
    throws
  {
    let stock = CaptureStock()
    let scenario = try Self.scenario(seed: 1)
    let path = try {
      let files = try stock.captures(of: scenario)
      let (set, disk) = try stock.disk(of: scenario)
      #expect(set == files.set)
      for name in [CaptureSet.fileName] + set.captures.flatMap({ $0.files.map(\.file.file) }) {
        let data = try Data(contentsOf: URL(filePath: "\(files.path)/\(name)"))
        #expect(disk.bytes(of: "\(VirtualVariantRun.capturesFolder)/\(name)") == Array(data))
      }
      return files.path
    }()
    // As large as all that is kept.
    _ = try stock.captures(of: Self.scenario(seed: 2, size: 20_000_000))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
