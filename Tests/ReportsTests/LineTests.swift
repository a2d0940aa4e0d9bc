import Quantities
import Reports
import Testing

@Suite struct LineSplitterTests {
  private func lines(_ chunks: String...) -> [String] {
    var splitter = LineSplitter()
    var lines = chunks.flatMap { splitter.feed($0.utf8) }
    if let tail = splitter.finish() { lines.append(tail) }
    return lines
  }

  @Test func `newlines and carriage returns end lines, empty ones are none, the tail stays`() {
    #expect(lines("a\r\nb\rc\n\n  \nd  ") == ["a", "b", "c", "d"])
    #expect(lines() == [])
  }

  @Test(arguments: [
    ("\u{1b}[2K\u{1b}[1;32mgreen\u{1b}[0m\n", "green"),
    ("\u{1b}]0;title\u{7}text\n", "text"), ("\u{1b}]8;;http://x\u{1b}\\link\n", "link"),
    ("\u{1b}(Btext\u{1b}7\n", "text"), ("a\u{8}b\u{0}c\td\n", "bc d"),
    ("1 %\u{8}\u{8}\u{8}2 %\n", "2 %"),
    ("\u{fc}\u{8}ue\n", "ue"),
    ("\u{1b}Pq#0\u{1b}\\after\n", "after"), ("12 %\u{1b}[\n", "12 %"),
    ("\u{1b}]never ended\nnext", "next"),
  ])
  func `control codes are taken away`(text: String, line: String) {
    #expect(lines(text) == [line])
  }

  @Test
  func `a cursor that goes to the first column or away ends a line, and another code does not`() {
    #expect(
      lines("\u{1b}[2K\u{1b}[G1 %\u{1b}[2K\u{1b}[1G2 %\u{1b}[1A\u{1b}[2K\u{1b}[F3 %\u{1b}[5;1H4 %")
        == ["1 %", "2 %", "3 %", "4 %"])
    #expect(lines("a\u{1b}[12Gb\u{1b}[1mc") == ["abc"])
  }

  @Test func `what stands without an end is shown once, and again when it has changed`() {
    var splitter = LineSplitter()
    #expect(splitter.standing() == nil)
    #expect(splitter.feed("45 %".utf8) == [])
    #expect(splitter.standing() == "45 %")
    #expect(splitter.standing() == nil)
    #expect(splitter.feed("\r46 %\r".utf8) == ["46 %"])
    #expect(splitter.feed(" .".utf8) == [])
    #expect(splitter.standing() == " .")
    #expect(splitter.feed(".\n".utf8) == [" .."])
    #expect(splitter.standing() == nil)
  }

  @Test func `a stream cut at any byte gives the same lines`() {
    let text = "Ü 0.45 of 1.65 MB\r\u{1b}[2K\u{1b}]0;x\u{1b}\\😀 done\nend"
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var splitter = LineSplitter()
      var lines = splitter.feed(bytes[..<cut]) + splitter.feed(bytes[cut...])
      if let tail = splitter.finish() { lines.append(tail) }
      #expect(lines == ["Ü 0.45 of 1.65 MB", "😀 done", "end"])
    }
  }

  @Test func `a line without end comes in pieces, and no byte of it is lost`() {
    let long = String(repeating: "aé😀", count: 3_000)
    let pieces = lines(long)
    #expect(pieces.count > 1)
    #expect(pieces.allSatisfy { $0.utf8.count <= LineSplitter.lineLimit })
    #expect(pieces.joined() == long)
  }

  @Test func `single controls of two bytes are taken away too, and letters beside them are not`() {
    #expect(lines("a\u{9b}1m\u{85}b\u{a0}é\u{9f}\n") == ["a1mb\u{a0}é"])
  }

  @Test func `bytes that are no text are kept as replacement characters, within the limit`() {
    var splitter = LineSplitter()
    let pieces = splitter.feed([UInt8](repeating: 0x80, count: LineSplitter.lineLimit + 1))
    #expect(pieces.map(\.count) == [LineSplitter.lineLimit])
    #expect(splitter.finish() == "\u{FFFD}")
  }

  @Test func `a control code that never ends swallows a limited part`() {
    var splitter = LineSplitter()
    let text = "\u{1b}]" + String(repeating: "x", count: LineSplitter.controlLimit) + "tail"
    #expect(splitter.feed(text.utf8) == [])
    #expect(splitter.finish() == "tail")
  }
}

@Suite struct ByteClaimTests {
  @Test(arguments: [
    ("photo-1: 0.45 of 1.65 MB, 20 KB/s, 12 s", 450_000, 1_650_000),
    ("(12.00 of 13.05 MB)", 12_000_000, 13_050_000), ("1 of 2, 0.00 of 4.31 MB", 0, 4_310_000),
    ("photo-1: 0,45 of 1,65 MB, 20,0 KB/s, 12 s", 450_000, 1_650_000),
  ])
  func `a byte count is read from a line`(line: String, claimed: Int, total: Int) {
    #expect(ByteClaim(in: line) == ByteClaim(claimed: claimed, total: total))
  }

  @Test(arguments: [
    "Sending", "1 of 2", "0.4 of 1.65 MB", "0,4 of 1,65 MB", "0.45 of 1.65 MBit", "of 1.65 MB",
    "0.45 of 1.65 KB", "0.45 of", "45 % of 1.65 MB",
  ])
  func `a line without one has none`(line: String) {
    #expect(ByteClaim(in: line) == nil)
  }
}

@Suite struct StatusLineLogTests {
  private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  @Test func `distinct texts are kept with first, last and times`() {
    var log = StatusLineLog()
    log.add(text: "kept", at: at(0), handedOver: 0)
    log.add(text: "sending", at: at(1), handedOver: 0)
    log.add(text: "kept", at: at(2.0004), handedOver: 0)
    let record = log.record(interest: [])
    #expect(
      record.lines == [
        .init(text: "kept", first: 0, last: 2, times: 2),
        .init(text: "sending", first: 1, last: 1, times: 1),
      ])
    #expect(record.distinct == 2 && record.live == 0)
    #expect(record.firstLiveAt == nil && record.longestSilence == nil)
  }

  @Test func `a line is live by a new byte count above zero, and not by its clock`() {
    var log = StatusLineLog()
    log.add(text: "0.00 of 1.65 MB, 0 s", at: at(0), handedOver: 9_000_000)
    log.add(text: "0.02 of 1.65 MB, 1 s", at: at(1), handedOver: 9_000_000)
    log.add(text: "0.02 of 1.65 MB, 2 s", at: at(2), handedOver: 9_000_000)
    log.add(text: "0.04 of 1.65 MB, 2 s", at: at(2.2), handedOver: nil)
    log.add(text: "0.02 of 1.65 MB, 9 s", at: at(9), handedOver: 9_000_000)
    let record = log.record(interest: [])
    #expect(record.distinct == 5)
    #expect(record.live == 2)
    #expect(record.firstLiveAt == 1)
  }

  @Test func `bytes that the socket had not taken make no live line, up to the rounding`() {
    var log = StatusLineLog()
    log.add(text: "0.10 of 1.65 MB", at: at(1), handedOver: 94_999)
    #expect(log.record(interest: []).live == 0)
    // The same text later is not new; another text with the count may still be the first true one.
    log.add(text: "0.10 of 1.65 MB", at: at(2), handedOver: 95_000)
    #expect(log.record(interest: []).live == 0)
    log.add(text: "0.10 of 1.65 MB, 3 s", at: at(3), handedOver: 95_000)
    #expect(log.record(interest: []).firstLiveAt == 3)
    log.add(text: "0.20 of 1.65 MB", count: 200_000, at: at(4)) { false }
    #expect(log.record(interest: []).live == 1)
  }

  @Test func `silence is the longest time without a change while someone waits`() {
    var log = StatusLineLog()
    for (text, seconds) in [("a", 1.0), ("a", 5), ("b", 6), ("a", 8), ("c", 100)] {
      log.add(text: text, at: at(seconds), handedOver: 0)
    }
    func silence(_ from: Double, _ to: Double) -> Double? {
      log.record(interest: [.init(from: at(from), to: at(to))]).longestSilence
    }
    #expect(silence(0, 8) == 5)
    #expect(silence(0, 20) == 12)
    #expect(silence(0, 200) == 100)
    #expect(silence(7, 8) == 1)
    let two = log.record(
      interest: [.init(from: at(0), to: at(8)), .init(from: at(90), to: at(97))])
    #expect(two.longestSilence == 7)
  }

  @Test func `a flood of lines is kept up to the limit, and said`() {
    var log = StatusLineLog()
    for index in 0..<StatusLineLog.lineLimit {
      log.add(text: "\(index)", at: .zero, handedOver: 0)
    }
    #expect(!log.isFull)
    log.add(text: "one more", at: .zero, handedOver: 0)
    #expect(log.isFull)
    #expect(log.record(interest: []).distinct == StatusLineLog.lineLimit)
  }
}

@Suite struct TimelineTests {
  private func points(_ count: Int) -> [TimelinePoint] {
    (0..<count).map { index in
      .init(
        at: Double(index), handedOver: index * 10 + (index == 4_321 ? 5_000 : 0),
        carried: index * 9, claimed: index == 777 ? 1_000_000 : index * 8)
    }
  }

  @Test func `few points stay as they are`() {
    let few = Timeline(points(Timeline.pointLimit))
    #expect(few.thinned() == few)
  }

  @Test func `many points are thinned in order, with both ends and every extreme`() {
    let many = points(10_000)
    let thinned = Timeline(many).thinned().points
    #expect(thinned.count <= Timeline.pointLimit)
    #expect(thinned.count > Timeline.pointLimit / 4)
    #expect(thinned.first == many.first && thinned.last == many.last)
    #expect(zip(thinned, thinned.dropFirst()).allSatisfy { $0.at < $1.at })
    #expect(thinned.contains(many[4_321]) && thinned.contains(many[777]))
  }

  @Test(arguments: [6, 7, 10, 100]) func `no limit is passed`(limit: Int) {
    #expect(Timeline(points(501)).thinned(to: limit).points.count <= limit)
  }
}
