import Quantities
import Scenarios
import Testing

private func read(_ text: String) -> (YAMLNode?, [ProblemList.Placed]) {
  var problems = ProblemList()
  let root = YAMLReader.read(Array(text.utf8), &problems)
  return (root, problems.items)
}

@Test func `every scalar is text with its place, counted from 1`() {
  let (root, problems) = read("a: no\nb:\n  - 7\n  - 'é: x'\nc: { é: 2026-05-04, d: \"\\t\" }\n")
  #expect(problems.isEmpty)
  let scalar = { (text: String, line: Int, column: Int) in
    YAMLNode(.scalar(text), at: Mark(line: line, column: column))
  }
  let expected = YAMLNode(
    .mapping([
      YAMLEntry(key: "a", at: Mark(line: 1, column: 1), value: scalar("no", 1, 4)),
      YAMLEntry(
        key: "b", at: Mark(line: 2, column: 1),
        value: YAMLNode(
          .sequence([scalar("7", 3, 5), scalar("é: x", 4, 5)]), at: Mark(line: 3, column: 3))),
      YAMLEntry(
        key: "c", at: Mark(line: 5, column: 1),
        value: YAMLNode(
          .mapping([
            YAMLEntry(key: "é", at: Mark(line: 5, column: 6), value: scalar("2026-05-04", 5, 9)),
            YAMLEntry(key: "d", at: Mark(line: 5, column: 21), value: scalar("\t", 5, 24)),
          ]), at: Mark(line: 5, column: 4))),
    ]), at: .start)
  #expect(root == expected)
}

@Test func `every refusal of a file is found, not only the first`() {
  let (root, problems) = read("a: &x 1\nb: !!int 2\nc: *x\na: 3\n[d]: 4\n")
  #expect(
    problems.map(\.problem) == [
      .anchor, .tag, .alias, .duplicateKey("a", first: .start), .keyIsNoText,
    ])
  #expect(problems.map(\.mark.line) == [1, 2, 3, 4, 5])
  #expect(root != nil)
}

@Test func `a byte that is no UTF-8 has its place in characters`() {
  var problems = ProblemList()
  let bytes = Array("a: 1\né: ".utf8) + [0xFF] + Array("\n".utf8)
  #expect(YAMLReader.read(bytes, &problems) == nil)
  #expect(problems.items.map(\.problem) == [.notUTF8])
  #expect(problems.items.map(\.mark) == [Mark(line: 2, column: 4)])
}

@Test func `a byte order mark is no part of the text`() {
  #expect(read("\u{FEFF}a: 1\n").1.isEmpty)
}

@Test func `a file of the largest size is read, and one byte more is refused`() {
  let head = "a: 1\n"
  let full = head + String(repeating: "#", count: ScenarioLimits.fileBytes - head.utf8.count)
  #expect(read(full).1.isEmpty)
  #expect(
    read(full + "#").1.map(\.problem) == [.fileTooLarge(bytes: ScenarioLimits.fileBytes + 1)])
}

@Test func `more values than the limit are refused`() {
  let list = String(repeating: "- a\n", count: ScenarioLimits.nodes)
  #expect(read(list).1.map(\.problem) == [.tooManyNodes])
  #expect(read(String(list.dropFirst(4))).1.isEmpty)
}

@Test func `a million brackets end at the limit of depth`() {
  let brackets = String(repeating: "[", count: ScenarioLimits.fileBytes)
  #expect(read(brackets).1.map(\.problem) == [.tooDeep])
}

@Test func `errors beyond the hundredth are counted`() throws {
  let extra = (1...150).map { "zzz\($0): 1\n" }.joined()
  let lines = errors(in: sound + extra)
  #expect(lines.count == 101)
  #expect(lines.last == "and 50 more errors")
}

@Test(arguments: [
  ("rat", "rate", 1), ("rate", "rate", 0), ("", "ab", 2), ("ab", "", 2), ("tiem", "time", 1),
  ("kitten", "sitting", 3), ("ca", "abc", 3),
])
func `the distance counts changes and swaps`(first: String, second: String, distance: Int) {
  #expect(Spelling.distance(first, second) == distance)
}

@Test func `the nearest word is suggested, and none that is far`() {
  let words = ["up", "down", "latency", "buffer"]
  #expect(Spelling.nearest(to: "latnecy", in: words) == "latency")
  #expect(Spelling.nearest(to: "Buffer", in: words) == "buffer")
  #expect(Spelling.nearest(to: "rate", in: words) == nil)
  #expect(Spelling.nearest(to: String(repeating: "up", count: 5_000), in: words) == nil)
}
