import Quantities
import Testing

@Suite struct QuantityTextTests {
  @Test(arguments: [
    ("0 B", 0), ("512 B", 512), ("64 KB", 64_000), ("64KB", 64_000), ("4.31 MB", 4_310_000),
    ("1.43 MB", 1_430_000), ("2 GB", 2_000_000_000), ("0.001 KB", 1), ("  20   KB ", 20_000),
    ("1,430,000 B", 1_430_000), ("1_430_000 B", 1_430_000), ("1,430.5 KB", 1_430_500),
    ("123456.789123 MB", 123_456_789_123), ("007 B", 7), ("999999 GB", 999_999_000_000_000),
  ])
  func `a size is read in every unit`(text: String, bytes: Int) throws {
    #expect(try ByteCount(parsing: text) == ByteCount(bytes))
  }

  @Test(arguments: [
    ("20", "\"20\" has no unit; write it as 20 MB"),
    ("20 ", "\"20 \" has no unit; write it as 20 MB"),
    ("", "\"\" is not a number with a unit; write it as 1.43 MB"),
    ("KB", "\"KB\" is not a number with a unit; write it as 1.43 MB"),
    ("-5 KB", "\"-5 KB\" is not a number with a unit; write it as 1.43 MB"),
    ("+5 KB", "\"+5 KB\" is not a number with a unit; write it as 1.43 MB"),
    (".5 KB", "\".5 KB\" is not a number with a unit; write it as 1.43 MB"),
    ("5. KB", "\"5. KB\" is not a number with a unit; write it as 1.43 MB"),
    ("1.2.3 KB", "\"1.2.3 KB\" is not a number with a unit; write it as 1.43 MB"),
    ("1,5 MB", "\"1,5 MB\" is not a number with a unit; write it as 1.43 MB"),
    ("1234,567 B", "\"1234,567 B\" is not a number with a unit; write it as 1.43 MB"),
    ("1,,000 B", "\"1,,000 B\" is not a number with a unit; write it as 1.43 MB"),
    ("1.000,000 B", "\"1.000,000 B\" is not a number with a unit; write it as 1.43 MB"),
    ("nan B", "\"nan B\" is not a number with a unit; write it as 1.43 MB"),
    (
      "1e3 B",
      "\"e3 B\" in \"1e3 B\" is not a unit here; known units: B, KB, MB, GB (1 KB = 1,000 B)"
    ),
    ("5 kb", "\"kb\" in \"5 kb\" is not a unit here; known units: B, KB, MB, GB (1 KB = 1,000 B)"),
    (
      "5 KiB",
      "\"KiB\" in \"5 KiB\" is not a unit here; known units: B, KB, MB, GB (1 KB = 1,000 B)"
    ),
    (
      "5 KB/s",
      "\"KB/s\" in \"5 KB/s\" is not a unit here; known units: B, KB, MB, GB (1 KB = 1,000 B)"
    ),
    ("0.5 B", "\"0.5 B\" is not a whole number of bytes"),
    ("1.0001 KB", "\"1.0001 KB\" is not a whole number of bytes"),
    ("999999999999999 GB", "\"999999999999999 GB\" is out of range"),
    ("1000000 GB", "\"1000000 GB\" is out of range"),
  ])
  func `a text that is no size says why, and what would be one`(text: String, error: String) {
    #expect(throws: QuantityError(error)) { try ByteCount(parsing: text) }
  }

  @Test func `a number of any length is refused and not a crash`() {
    let digits = String(repeating: "9", count: 400)
    #expect(throws: QuantityError("\"\(digits) B\" is out of range")) {
      try ByteCount(parsing: "\(digits) B")
    }
    #expect(throws: QuantityError("\"\(digits) s\" is out of range")) {
      try Duration(parsing: "\(digits) s")
    }
  }

  @Test(arguments: [
    ("20 KB/s", 20_000), ("61.4KB/s", 61_400), ("0.7 B/s", 0.7), ("1 MB/s", 1e6),
    ("1 GB/s", 1e9), ("8 bit/s", 1), ("200 kbit/s", 25_000), ("10 Mbit/s", 1_250_000),
  ])
  func `a rate is read in every unit`(text: String, bytesPerSecond: Double) throws {
    #expect(try DataRate(parsing: text).bytesPerSecond == bytesPerSecond)
  }

  @Test(arguments: [
    ("20", "\"20\" has no unit; write it as 20 KB/s"),
    ("0 KB/s", "a rate of zero is written offline; a rate without limit, unlimited"),
    ("-1 KB/s", "\"-1 KB/s\" is not a number with a unit; write it as 20 KB/s"),
    (
      "20 KB",
      "\"KB\" in \"20 KB\" is not a unit here; known units: B/s, KB/s, MB/s, GB/s, bit/s, kbit/s, Mbit/s"
    ),
    (
      "1 Kbit/s",
      "\"Kbit/s\" in \"1 Kbit/s\" is not a unit here; known units: B/s, KB/s, MB/s, GB/s, bit/s, kbit/s, Mbit/s"
    ),
    ("1000000 GB/s", "\"1000000 GB/s\" is out of range"),
  ])
  func `a text that is no rate says why`(text: String, error: String) {
    #expect(throws: QuantityError(error)) { try DataRate(parsing: text) }
  }

  @Test(
    arguments: [
      ("250 us", 250_000), ("100 ms", 100_000_000), ("0.5 ms", 500_000), ("900 s", 900_000_000_000),
      ("2.5 min", 150_000_000_000), ("1 h", 3_600_000_000_000), ("0 s", 0),
      ("1111111 h", 3_999_999_600_000_000_000),
    ] as [(String, Int64)])
  func `a time is read in every unit`(text: String, nanoseconds: Int64) throws {
    #expect(try Duration(parsing: text) == .nanoseconds(nanoseconds))
  }

  @Test(arguments: [
    ("5", "\"5\" has no unit; write it as 5 s"),
    ("-5 s", "\"-5 s\" is not a number with a unit; write it as 5 s"),
    ("5 m", "\"m\" in \"5 m\" is not a unit here; known units: us, ms, s, min, h"),
    ("5 sec", "\"sec\" in \"5 sec\" is not a unit here; known units: us, ms, s, min, h"),
    ("1111112 h", "\"1111112 h\" is out of range"),
  ])
  func `a text that is no time says why`(text: String, error: String) {
    #expect(throws: QuantityError(error)) { try Duration(parsing: text) }
  }

  @Test(arguments: [
    (0, "0 B"), (1, "1 B"), (999, "999 B"), (1_000, "1 KB"), (1_001, "1.001 KB"),
    (64_000, "64 KB"), (999_999, "999.999 KB"), (1_430_000, "1.43 MB"), (4_310_000, "4.31 MB"),
    (9_930_000, "9.93 MB"), (2_000_000_000, "2000 MB"), (-1_500, "-1.5 KB"), (-12, "-12 B"),
  ])
  func `a size is written in the largest unit that is not above it`(bytes: Int, text: String) {
    #expect(ByteCount(bytes).description == text)
  }

  @Test(arguments: [
    (0.7, "0.7 B/s"), (999, "999 B/s"), (61_400, "61.4 KB/s"), (61_399, "61.399 KB/s"),
    (1e6, "1 MB/s"), (2.5e8, "250 MB/s"),
  ])
  func `a rate is written in the largest unit that is not above it`(rate: Double, text: String) {
    #expect(DataRate(bytesPerSecond: rate).description == text)
  }

  @Test(arguments: [
    (0, "0 s"), (100, "0.1 s"), (900_000, "900 s"), (305_900, "305.9 s"), (1, "0.001 s"),
    (-1_500, "-1.5 s"),
  ])
  func `a time is written in seconds`(milliseconds: Int, text: String) {
    #expect(Duration.milliseconds(milliseconds).text == text)
  }

  @Test func `what is written is read as the same`() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2_000 {
      let size = ByteCount(.random(in: 0..<1_000_000, using: &random))
      #expect(try ByteCount(parsing: size.description) == size)
      let megabytes = ByteCount(1_000 * .random(in: 1_000..<1_000_000, using: &random))
      #expect(try ByteCount(parsing: megabytes.description) == megabytes)
      let time = Duration.milliseconds(Int.random(in: 0..<10_000_000, using: &random))
      #expect(try Duration(parsing: time.text) == time)
    }
  }
}
