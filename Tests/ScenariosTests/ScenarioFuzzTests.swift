import Quantities
import Scenarios
import Testing

/// Whatever the bytes are: a scenario whose plan can be explained, or errors with places in it.
///
/// Returns whether it was a scenario.
@discardableResult
private func check(_ bytes: [UInt8], _ note: String) -> Bool {
  switch ScenarioDecoder(digest: { _ in "" }).decode(bytes, file: "f") {
  case .success(let scenario):
    #expect(!ScenarioExplanation(scenario).text.isEmpty, "\(note)")
    return true
  case .failure(let errors):
    // libyaml knows more line breaks than this count does: each of two or three bytes.
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D || $0 == 0x85 || $0 == 0xA8 || $0 == 0xA9 }
    #expect(!errors.errors.isEmpty, "\(note)")
    for error in errors.errors {
      #expect((1...(lines + 2)).contains(error.mark.line), "\(note): \(error)")
      #expect((1...(bytes.count + 2)).contains(error.mark.column), "\(note): \(error)")
      #expect(!error.description.contains { $0.isNewline }, "\(note): \(error)")
    }
    return false
  }
}

@Test func `random bytes give errors and never a trap`() {
  var random = SeededRandom(seed: 1)
  for round in 0..<3_000 {
    let count = Int.random(in: 0...200, using: &random)
    check((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, "round \(round)")
  }
}

@Test func `random pieces of YAML give errors and never a trap`() {
  let pieces = [
    "a", "name", ": ", "- ", "\n", "  ", "[", "]", "{", "}", ", ", "\"", "'", "#", "&a ", "*a",
    "!t ",
    "|", "> ", "%", "---\n", "...\n", "? ", "\t", "é", "7 s", "link", "captures", "\\x00",
    "\u{2028}",
  ]
  var random = SeededRandom(seed: 2)
  for round in 0..<5_000 {
    let count = Int.random(in: 0...60, using: &random)
    let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
    check(Array(text.joined().utf8), "round \(round)")
  }
}

@Test func `scenarios with random changes give errors or a plan and never a trap`() throws {
  let sources = [
    Array(sound.utf8), Array(everything.utf8), try shipped("scenarios/slow-copy.yaml"),
  ]
  let numbers = ["0", "1", "9", "99999999", "999999999999999", "0.000001", "1e9", "-1", "86400"]
  var random = SeededRandom(seed: 3)
  var scenarios = 0
  for round in 0..<4_000 {
    var bytes = sources[Int.random(in: 0..<sources.count, using: &random)]
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: at)
      case 2:
        let end = min(bytes.count, at + Int.random(in: 1...40, using: &random))
        bytes.insert(
          contentsOf: bytes[at..<end], at: Int.random(in: 0..<bytes.count, using: &random))
      case 3:
        let end = min(bytes.count, at + Int.random(in: 1...40, using: &random))
        bytes.removeSubrange(at..<end)
      default:
        // A number in place of a number: the change that most often stays valid.
        let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
        guard !digits.isEmpty else { continue }
        let place = digits[Int.random(in: 0..<digits.count, using: &random)]
        let number = numbers[Int.random(in: 0..<numbers.count, using: &random)]
        bytes.replaceSubrange(place...place, with: Array(number.utf8))
      }
    }
    if check(bytes, "round \(round)") { scenarios += 1 }
  }
  // The rest would prove nothing about plans if hardly any change were harmless.
  #expect(scenarios > 200)
}
