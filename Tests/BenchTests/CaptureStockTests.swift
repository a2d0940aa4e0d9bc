import Captures
import FoundationEssentials
import Quantities
import Scenarios
import TestSupport
import Testing

@testable import Bench

@Suite struct CaptureStockTests {
  /// One document, which is made of about its size.
  private static func scenario(seed: UInt64, size: Int = 300_000) throws -> Scenario {
    var scenario = try SmallWorld.scenario(shipped: "turn-503")
    scenario.seed = seed
    scenario.captures[0].plan.kind = .document(DocumentPlan(size: ByteCount(size)))
    return scenario
  }

  @Test func `captures are made once, whatever was made between`() throws {
    let stock = CaptureStock()
    let first = try stock.captures(of: Self.scenario(seed: 1))
    let other = try stock.captures(of: Self.scenario(seed: 2))
    #expect(try stock.captures(of: Self.scenario(seed: 1)).path == first.path)
    #expect(try stock.disk(of: Self.scenario(seed: 1)).set == first.set)
    #expect(other.path != first.path)
    #expect(other.set != first.set)
  }

  @Test func `what is expected is made ahead, in order, each once`() throws {
    let stock = CaptureStock()
    let scenarios = try (1...3).map { try Self.scenario(seed: $0) }
    for scenario in scenarios + [scenarios[2]] { stock.expect(scenario) }
    let first = try stock.captures(of: scenarios[0])
    stock.makeAhead()
    stock.makeAhead()
    #expect(stock.kept.map(\.seed) == [1, 2, 3])
    #expect(stock.kept.map(\.isMade) == [true, true, true])
    stock.makeAhead()
    #expect(stock.kept.map(\.seed) == [1, 2, 3])
    #expect(try stock.captures(of: scenarios[0]).path == first.path)
    #expect(stock.kept.map(\.seed) == [2, 3, 1])
  }

  @Test func `they are the same whoever makes them, and when`() throws {
    let scenarios = try (1...4).map { try Self.scenario(seed: $0) }
    let alone = CaptureStock()
    let made = try scenarios.map { try alone.captures(of: $0).set }
    let stock = CaptureStock()
    for scenario in scenarios { stock.expect(scenario) }
    let threads = (0..<3).map { _ in
      inBackground { Result { try scenarios.map { try stock.captures(of: $0).set } } }
    }
    for thread in threads { #expect(try #require(thread.wait()).get() == made) }
  }

  @Test func `the oldest go when all are too large, and never those in use`() throws {
    let stock = CaptureStock(keptMax: 700_000)
    let first = try stock.captures(of: Self.scenario(seed: 1))
    _ = try stock.captures(of: Self.scenario(seed: 2))
    stock.expect(try Self.scenario(seed: 3))
    stock.makeAhead()
    #expect(stock.kept.map(\.seed) == [1, 2], "there is no room for what is only expected")
    _ = try stock.captures(of: Self.scenario(seed: 3))
    #expect(stock.kept.map(\.seed) == [2, 3])
    #expect(FileManager.default.fileExists(atPath: first.path))
    _ = try stock.captures(of: Self.scenario(seed: 4, size: 2_000_000))
    #expect(stock.kept.map(\.seed) == [4], "one is kept however large it is")
  }

  @Test func `a failure is told to who wants them, and tried again`() throws {
    let stock = CaptureStock()
    var scenario = try Self.scenario(seed: 1)
    scenario.captures[0].plan.name = "/"
    stock.expect(scenario)
    stock.makeAhead()
    for _ in 0..<2 { #expect(throws: (any Error).self) { try stock.captures(of: scenario) } }
    #expect(stock.kept.map(\.isMade) == [false])
  }
}
