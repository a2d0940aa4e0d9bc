import Captures
import Quantities
import TestSupport
import Testing
import Uploads

struct StatusLineTests {
  private let entry = photoEntry()

  private func progress(_ step: StepName, of entry: OutboxEntry) throws -> RequestProgress {
    let planned = try #require(entry.plan.first { $0.name == step })
    let total = if case .file(let file) = planned { file.bytes } else { 0 }
    var progress = RequestProgress(
      step: planned, follower: entry.follower(of: planned), total: total,
      photos: entry.kind == .plate ? entry.files.count : 0, began: .zero)
    progress.note(.began(attempt: 1), at: .zero)
    return progress
  }

  private func live(
    _ standing: EntryStanding, kind: OutboxEntry.Kind = .photo, at seconds: Double = 0
  ) -> String {
    StatusLine.text(
      standing, of: "photo-1", kind: kind, style: .live, now: Instant(seconds: seconds)) ?? ""
  }

  /// A copy on its way: a first lot of bytes, then a steady 20 KB/s.
  private func copying(burst: Int, until seconds: Double) throws -> RequestProgress {
    var progress = try progress(.copy, of: entry)
    progress.note(.began(attempt: 1), at: .zero)
    for step in 0...Int(seconds * 5) {
      let now = Instant(seconds: Double(step) / 5)
      progress.note(.sent(bytes: burst + step * 4_000), at: now)
    }
    return progress
  }

  @Test func `an upload names the file, its megabytes, rate, seconds and what follows`() throws {
    let progress = try copying(burst: 180_000, until: 12)
    #expect(
      live(.sending(progress), at: 12.7)
        == "photo-1: smaller size first, so that reading can start: "
        + "0.42 of 1.65 MB, 20.0 KB/s, 12 s, then reading")
  }

  @Test(arguments: [0, 1]) func `a body of next to nothing has a sane line`(bytes: Int) throws {
    let planned = try #require(entry.plan.first { $0.name == .original })
    var progress = RequestProgress(
      step: planned, follower: nil, total: bytes, photos: 0, began: .zero)
    for event in [ExchangeEvent.began(attempt: 1), .sent(bytes: bytes)] {
      progress.note(event, at: .zero)
      for seconds in [0.0, 0.2, 1, 30] {
        let text = live(.sending(progress), at: seconds)
        #expect(text.contains("0.00 MB") && text.contains("\(Int(seconds)) s"), "\(text)")
        for word in ["nan", "inf", "KB/s", "-"] {
          #expect(!text.dropFirst("photo-1".count).contains(word), "\(text)")
        }
      }
    }
  }

  @Test func `without a basis no rate is shown`() throws {
    #expect(
      live(.sending(try copying(burst: 1_430_000, until: 2)), at: 2)
        == "photo-1: smaller size first, so that reading can start: "
        + "1.47 of 1.65 MB, 2 s, then reading")
  }

  @Test func `the full size is said to be the same photo`() throws {
    let text = live(.sending(try progress(.original, of: entry)), at: 3)
    #expect(
      text == "photo-1: the same photo at full size, to keep: "
        + "0.00 of 4.31 MB, 3 s, then a check of the record")
  }

  @Test func `the seconds of the wait change with the seconds of the request`() throws {
    var progress = try copying(burst: 1_430_000, until: 2)
    progress.note(.sent(bytes: 1_650_000), at: Instant(seconds: 11.4))
    let waits = [11.4, 11.9, 12, 12.5, 13].map { now in
      live(.sending(progress), at: now).matches(of: #/(\d+) s/#).compactMap { Int($0.1) }
    }
    #expect(waits == [[11, 0], [11, 0], [12, 1], [12, 1], [13, 2]])
    progress.found(QuietFinding(link: .up, engine: .answered, at: Instant(seconds: 16.4)))
    let texts = Set([18, 18.3, 18.6, 18.9].map { live(.sending(progress), at: $0) })
    #expect(texts.count == 1 && texts.first?.hasSuffix("(checked 2 s ago)") == true)
  }

  @Test func `once all is handed over it waits for the receipt and counts seconds`() throws {
    var progress = try copying(burst: 1_430_000, until: 2)
    progress.note(.sent(bytes: 1_650_000), at: Instant(seconds: 11))
    #expect(
      live(.sending(progress), at: 15)
        == "photo-1: smaller size first, so that reading can start: 1.65 of 1.65 MB "
        + "handed over, 15 s, waiting for the engine's receipt for 4 s, then reading")
    progress.found(QuietFinding(link: .up, engine: .answered, at: Instant(seconds: 16.2)))
    #expect(
      live(.sending(progress), at: 19.2).hasSuffix(
        "waiting for the engine's receipt for 8 s, then reading; "
          + "the link is up, the engine answers (checked 3 s ago)"))
  }

  @Test func `each step has words of its own, and files a finishing word`() throws {
    #expect(
      live(.sending(try progress(.record, of: entry)), at: 1.2)
        == "photo-1: the engine is told of it, 1 s, then a smaller size")
    #expect(
      live(.sending(try progress(.turn, of: entry)), at: 4)
        == "photo-1: the smaller size has arrived, the engine reads it, 4 s, "
        + "then the same photo at full size")
    #expect(
      live(.sending(try progress(.readback, of: entry)))
        == "photo-1: everything has arrived, the record is read back, 0 s")
    let document = documentEntry()
    #expect(
      live(.sending(try progress(.document, of: document)), kind: .document)
        == "photo-1: the document: 0.00 of 0.40 MB, 0 s, then reading its text")
    #expect(
      live(.sending(try progress(.text, of: document)), kind: .document)
        == "photo-1: the document has arrived, the engine reads its text, 0 s, "
        + "then a check of the record")
    #expect(live(.done) == "photo-1: done, the photo is kept by the engine in both sizes")
    #expect(live(.done, kind: .document) == "photo-1: done, the document is kept by the engine")
  }

  @Test func `a plate counts its photos, and no steps`() throws {
    let plate = plateEntry()
    func line(_ step: StepName) throws -> String {
      live(.sending(try progress(step, of: plate)), kind: .plate)
    }
    #expect(
      try line(.staged(2))
        == "photo-1: photo 2 of 3 of this plate: 0.00 of 0.60 MB, 0 s, then photo 3 of 3")
    #expect(try line(.staged(3)).hasSuffix(", then the plate itself"))
    #expect(
      try line(.encounter)
        == "photo-1: all 3 photos have arrived, the plate is put together, 0 s, "
        + "then a check of the record")
    #expect(
      live(.done, kind: .plate)
        == "photo-1: done, the plate is kept by the engine with all its photos")
  }

  @Test func `what is not being sent says where it stands, or why`() {
    #expect(live(.kept(ahead: 0, failure: nil)) == "photo-1: kept, next in line")
    #expect(live(.waiting(ahead: 1, failure: nil)) == "photo-1: kept, next in line")
    #expect(live(.kept(ahead: 2, failure: nil)) == "photo-1: kept on this device")
    #expect(
      live(.kept(ahead: 0, failure: "no answer in 15 s"))
        == "photo-1: kept, waits for the engine: no answer in 15 s [Send now]")
    #expect(
      live(.parked("It is not a photo. (HTTP 422)", isFile: false))
        == "photo-1: Refused: It is not a photo. (HTTP 422) [Send now, Discard]")
    #expect(
      live(.parked("It is too large. (HTTP 413)", isFile: true))
        == "photo-1: Refused: It is too large. (HTTP 413) [Discard]")
    #expect(
      live(.parked("the engine has no record of this plate", isFile: false, as: .unconfirmed))
        == "photo-1: Not confirmed: the engine has no record of this plate [Send now, Discard]")
    #expect(
      live(.parked("a file of it cannot be read: gone", isFile: true, as: .unsendable))
        == "photo-1: Cannot be sent: a file of it cannot be read: gone [Discard]")
    #expect(live(.discarded) == "photo-1: discarded, no longer kept on this device")
  }

  @Test func `a quiet upload says what a check found, with its age and no countdown`() throws {
    var progress = try copying(burst: 0, until: 10)
    func text(_ engine: QuietFinding.Engine, _ link: LinkState = .up) throws -> String {
      progress.found(QuietFinding(link: link, engine: engine, at: Instant(seconds: 16)))
      let parts = live(.sending(progress), at: 20.5).split(separator: "; ")
      return String(try #require(parts.last))
    }
    #expect(
      try text(.asked)
        == "no byte for 10 s: the link is up, the engine was asked 4 s ago and has not "
        + "answered yet")
    #expect(
      try text(.silent(.seconds(15)))
        == "no byte for 10 s: the link is up, the engine gave no answer in 15 s "
        + "(checked 4 s ago)")
    #expect(
      try text(.answered)
        == "no byte for 10 s: the link is up, the engine answers (checked 4 s ago)")
    #expect(
      try text(.notAsked, .down) == "no byte for 10 s: the link is down (checked 4 s ago)")
    #expect(
      try text(.unreachable("no connection: refused"), .unknown)
        == "no byte for 10 s: the state of the link is not known, the engine was not reached: "
        + "no connection: refused (checked 4 s ago)")
    #expect(
      try text(.stranger(200))
        == "no byte for 10 s: the link is up, something else than the engine answered with "
        + "HTTP 200 (checked 4 s ago)")
    // The finding is about the silence: it goes when bytes move.
    progress.note(.sent(bytes: 300_000), at: Instant(seconds: 21))
    #expect(!live(.sending(progress), at: 27).contains(";"))
  }

  @Test func `a check is due after 5 s without a byte, and 15 s after the last`() throws {
    var progress = try copying(burst: 0, until: 10)
    #expect(progress.checkDue == Instant(seconds: 15))
    progress.found(QuietFinding(link: .up, engine: .asked, at: Instant(seconds: 15)))
    progress.found(
      QuietFinding(link: .up, engine: .silent(.seconds(15)), at: Instant(seconds: 30)))
    #expect(progress.checkDue == Instant(seconds: 45))
    // An open question does not hide the answer that is known.
    progress.found(QuietFinding(link: .up, engine: .asked, at: Instant(seconds: 45)))
    #expect(progress.finding?.engine == .silent(.seconds(15)))
  }

  @Test func `megabytes never pass the total and never go back within an attempt`() throws {
    for total in [0, 1, 4_999, 9_999, 1_649_999, 1_650_000, 4_305_000] {
      let entry = photoEntry(copy: total)
      var progress = try progress(.copy, of: entry)
      progress.note(.began(attempt: 1), at: .zero)
      var highest = 0.0
      var random = SeededRandom(seed: UInt64(total))
      for second in 0..<50 {
        // More than the body, and less than before, must both be harmless.
        let bytes = Int.random(in: 0...(total + total / 4 + 1), using: &random)
        let now = Instant(seconds: Double(second))
        progress.note(.sent(bytes: bytes), at: now)
        let text = StatusLine.text(
          .sending(progress), of: "photo-1", kind: .photo, style: .live, now: now)
        let match = try #require(text?.firstMatch(of: /([0-9.]+) of ([0-9.]+) MB/))
        let (sent, whole) = try (#require(Double(match.1)), #require(Double(match.2)))
        #expect(sent <= whole && sent >= highest)
        highest = sent
      }
    }
  }

  @Test func `a part is cut off, not rounded up to the whole`() throws {
    var progress = try progress(.copy, of: entry)
    progress.note(.began(attempt: 1), at: .zero)
    progress.note(.sent(bytes: 1_649_999), at: .zero)
    #expect(live(.sending(progress)).contains("1.64 of 1.65 MB"))
  }

  @Test func `a connection that takes its time is said to, and nothing is said to be sent`() throws
  {
    let planned = try #require(entry.plan.first)
    var progress = RequestProgress(step: planned, follower: nil, total: 260, began: .zero)
    #expect(live(.sending(progress), at: 0.9) == "photo-1: the engine is told of it, 0 s")
    #expect(live(.sending(progress), at: 11) == "photo-1: connecting to the engine, 11 s")
    progress.note(.began(attempt: 1), at: Instant(seconds: 11))
    #expect(live(.sending(progress), at: 11) == "photo-1: the engine is told of it, 11 s")
  }

  @Test func `a title never reads as a count`() {
    for file in photoEntry().files + documentEntry().files {
      #expect(!StatusLine.title(of: file).contains(/[0-9]/))
    }
    #expect(StatusLine.title(of: entry.files[1]).contains("the same photo at full size"))
  }

  @Test func `the labels are four, without a name or a figure`() throws {
    let standings: [EntryStanding] = [
      .kept(ahead: 0, failure: nil), .kept(ahead: 3, failure: "no answer in 60 s"),
      .waiting(ahead: 1, failure: nil), .sending(try copying(burst: 0, until: 5)),
      .sending(try progress(.turn, of: entry)), .done, .parked("no", isFile: false),
    ]
    let texts = standings.map {
      StatusLine.text($0, of: "photo-1", kind: .photo, style: .labels, now: .zero)
    }
    #expect(
      texts == [
        "Kept on this device", "Kept on this device", "Waiting its turn", "Sending", "Sending",
        "Kept by the engine", "Kept on this device",
      ])
    #expect(StatusLine.Label.allCases.count == 4)
  }

  @Test func `the board prints what is new, at most four times a second, and ends at once`() throws
  {
    let printed = Recorder<String>()
    var board = StatusBoard(style: .live) { text, _ in printed.record(text) }
    var progress = try progress(.copy, of: entry)
    progress.note(.began(attempt: 1), at: .zero)
    for tenth in 0..<30 {
      let now = Instant(seconds: Double(tenth) / 10)
      progress.note(.sent(bytes: tenth * 10_000), at: now)
      board.show(.sending(progress), of: entry, now: now)
      board.show(.sending(progress), of: entry, now: now)
    }
    #expect(printed.values.count == 12)
    #expect(Set(printed.values).count == 12)
    board.show(.kept(ahead: 0, failure: "no"), of: entry, now: Instant(seconds: 2.9))
    #expect(printed.values.last == "photo-1: kept, waits for the engine: no [Send now]")
  }
}
