import Quantities
import ScratchHTTP
import Testing

struct SplitTests {
  @Test(arguments: Sample.good + Sample.bad)
  func `a request reads the same wherever its bytes are parted`(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = Reading(of: [bytes])
    #expect(Reading(of: bytes.map { [$0] }) == whole)
    for split in 0...bytes.count {
      #expect(Reading(of: [Array(bytes[..<split]), Array(bytes[split...])]) == whole)
    }
  }

  @Test(arguments: Sample.good)
  func `the good samples are whole requests`(_ text: String) {
    let reading = Reading(of: text)
    #expect(reading.fault == nil)
    #expect(!reading.requests.isEmpty)
    #expect(reading.requests.allSatisfy { $0.trailers != nil })
  }

  @Test(arguments: Sample.bad)
  func `the bad samples are faults`(_ text: String) {
    #expect(Reading(of: text).fault != nil)
  }

  @Test func `mutated requests end, never trap, and read the same in pieces`() {
    var random = SeededRandom(seed: 7)
    let samples = Sample.good + Sample.bad
    let spice = Array("\r\n :;%0aZ\u{0}\t/?=,".utf8) + [0xff, 0x7f]
    var faults = 0
    for _ in 0..<4_000 {
      var bytes = Array(samples[Int.random(in: 0..<samples.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = spice.randomElement(using: &random) ?? 0
        case 2: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
        default:
          let end = Int.random(in: place...bytes.count, using: &random)
          bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
      }
      let whole = Reading(of: [bytes])
      // Each event consumes at least one byte, except an end.
      #expect(whole.events <= 2 * bytes.count)
      if whole.fault != nil { faults += 1 }
      let split = Int.random(in: 0...bytes.count, using: &random)
      #expect(Reading(of: [Array(bytes[..<split]), Array(bytes[split...])]) == whole)
      #expect(Reading(of: bytes.map { [$0] }) == whole)
    }
    #expect(faults > 500 && faults < 3_900)
  }
}
