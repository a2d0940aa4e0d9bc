import LinkModel
import Quantities
import Testing

@Suite struct FIFOTests {
  @Test(arguments: 0..<5 as Range<UInt64>)
  func `it does what an array does, whatever the order of calls`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var fifo = FIFO<Int>()
    var model: [Int] = []
    for number in 0..<5_000 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<52:
        fifo.append(number)
        model.append(number)
      case 52..<98: #expect(fifo.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      default:
        let divisor = Int.random(in: 2...5, using: &random)
        fifo.removeAll { $0 % divisor == 0 }
        model.removeAll { $0 % divisor == 0 }
      }
      #expect(fifo.first == model.first && fifo.count == model.count)
      #expect(fifo.isEmpty == model.isEmpty)
    }
  }

  @Test func `what was taken out is not kept`() {
    final class Chunk {}
    var fifo = FIFO<Chunk>()
    for _ in 0..<10 { fifo.append(Chunk()) }
    weak let first = fifo.first
    #expect(first != nil)
    _ = fifo.popFirst()
    #expect(first == nil)
  }
}
