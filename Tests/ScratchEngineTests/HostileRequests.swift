import Quantities

/// Bytes as no friend would send them: requests that are damaged, contradict themselves, hide a second
/// one, or are far too long; and good ones among them.
struct HostileRequests {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  private static let host = "Host: localhost\r\n"
  private static let hidden = "PUT /files/hidden HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc"
  private static let form =
    "--b\r\nContent-Disposition: form-data; name=f; filename=a\r\n\r\nabc\r\n--b--\r\n"

  /// One of every kind that the engine knows.
  private static let good = [
    Spoken.health, Spoken.record, Spoken.put(Spoken.copyTarget, "abcdefgh"),
    Spoken.put("/files/a", "hello"), Spoken.put("/held", "hello"), Spoken.put("/cut", "hello"),
    Spoken.put("/early", "hello"), "HEAD /api/health HTTP/1.1\r\n\(host)\r\n",
    "GET /api/moments/\(Talk.moment) HTTP/1.1\r\n\(host)\r\n",
    "GET /api/moments/\(Talk.moment)/events HTTP/1.1\r\n\(host)\r\n",
    "GET /api/moments?limit=2 HTTP/1.0\r\n\r\n",
    "GET http://localhost/api/health?a=%20b HTTP/1.1\r\n\(host)Connection: close\r\n\r\n",
    Spoken.head("PUT", "/files/b", declared: 5, "Expect: 100-continue\r\n") + "hello",
    "POST /files/c HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
      + "5;a=\"b\"\r\nhello\r\n0\r\nDigest: x\r\n\r\n",
    Spoken.head(
      "POST", "/files/d", declared: form.utf8.count,
      "Content-Type: multipart/form-data; boundary=b\r\n") + form,
  ].map { Array($0.utf8) }

  private static let lengths = [
    "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5\r\ncontent-length: 5\r\n",
    "Content-Length: 5, 5\r\n", "Content-Length: +5\r\n", "Content-Length: -1\r\n",
    "Content-Length: 0x5\r\n", "Content-Length: 5 5\r\n", "Content-Length: \r\n",
    "Content-Length: 99999999999999999999\r\n", "Content-Length: 9223372036854775807\r\n",
    "Content-Length: 00000000000000000005\r\n", "Content-Length : 5\r\n", " Content-Length: 5\r\n",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: chunked, identity\r\n",
    "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding: \u{b}chunked\r\n", "Transfer-Encoding:\r\n chunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "Transfer-Encoding: CHUNKED\r\n",
    "Expect: 100-continue\r\nContent-Length: 0\r\n", "Expect: 200-maybe\r\nContent-Length: 5\r\n",
    "Connection: close, keep-alive\r\nContent-Length: 5\r\n",
  ]

  /// What may stand where a body is, of whatever framing.
  private static let bodies = [
    "hello", "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "5\nhello\n0\n\n", "0\r\n\r\n" + hidden,
    "hello" + hidden, "ffffffffffffffff\r\n", "7fffffffffffffff\r\nx", "-5\r\nhello\r\n0\r\n\r\n",
    "5 \r\nhello\r\n0\r\n\r\n", "5;\r\nhello\r\n0\r\nContent-Length: 3\r\n\r\n" + hidden,
    "05\r\nhello\r\n00\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "0\r\n" + hidden, "\r\n\r\n" + hidden, "",
  ]

  private static let spice = Array("\r\n :;%0aZ\u{0}\t/?=,\"-".utf8) + [0xff, 0x7f, 0x80]

  /// What a connection brings, in the pieces in which it comes.
  mutating func next() -> [[UInt8]] {
    let bytes: [UInt8]
    switch below(12) {
    case 0..<4: bytes = damaged(pick(Self.good))
    case 4: bytes = (0...below(4)).flatMap { _ in pick(Self.good) }
    case 5: bytes = (0...below(4)).flatMap { _ in damaged(pick(Self.good)) }
    case 6..<9: bytes = contradiction
    case 9: bytes = tooMuch
    case 10: bytes = (0..<below(6)).map { _ in pick(Self.spice) }
    default: bytes = (0..<below(300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    return parted(bytes)
  }

  private var contradiction: [UInt8] {
    mutating get {
      let method = pick(["PUT", "POST", "GET", "HEAD"])
      let line = "\(method) /files/x HTTP/1.\(pick(["1", "1", "1", "0"]))\r\n\(Self.host)"
      let text = line + pick(Self.lengths) + "\r\n" + pick(Self.bodies)
      return below(4) == 0 ? damaged(Array(text.utf8)) : Array(text.utf8)
    }
  }

  /// About as long as a limit, on either side of it.
  private var tooMuch: [UInt8] {
    mutating get {
      func text(_ count: Int) -> String { String(repeating: "a", count: count) }
      let some = below(40) - 20
      let head = "GET / HTTP/1.1\r\n\(Self.host)"
      let all =
        switch below(8) {
        case 0: "GET /\(text(8_000 + some)) HTTP/1.1\r\n\(Self.host)\r\n"
        case 1: head + "A: \(text(8_190 + some))\r\n\r\n"
        case 2: head + String(repeating: "A: b\r\n", count: 100 + some) + "\r\n"
        case 3: head + String(repeating: "A: \(text(8_100 + some))\r\n", count: 8) + "\r\n"
        case 4: "\(text(32 + some)) / HTTP/1.1\r\n\(Self.host)\r\n"
        case 5: String(repeating: "\r\n", count: below(8)) + Spoken.health
        case 6: "GET /\(String(repeating: "a/", count: 32 + some)) HTTP/1.1\r\n\(Self.host)\r\n"
        default:
          "PUT /files/y HTTP/1.1\r\n\(Self.host)Transfer-Encoding: chunked\r\n\r\n"
            + "1;\(text(1_020 + some))\r\na\r\n0\r\n\r\n"
        }
      return Array(all.utf8)
    }
  }

  /// With up to four bytes lost, changed, added or said twice.
  private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(4) where !bytes.isEmpty {
      let place = below(bytes.count)
      switch below(5) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = pick(Self.spice)
      case 2: bytes.insert(pick(Self.spice), at: place)
      case 3: bytes[place] ^= 1 << UInt8(below(8))
      default:
        let end = place + below(bytes.count - place + 1)
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      }
    }
    return bytes
  }

  /// In one piece, in two or three, or byte by byte.
  private mutating func parted(_ bytes: [UInt8]) -> [[UInt8]] {
    guard bytes.count > 1 else { return [bytes] }
    switch below(bytes.count < 400 ? 16 : 15) {
    case 0..<8: return [bytes]
    case 8..<15:
      let cuts = [below(bytes.count), below(bytes.count)].sorted()
      return [bytes[..<cuts[0]], bytes[cuts[0]..<cuts[1]], bytes[cuts[1]...]]
        .filter { !$0.isEmpty }.map { Array($0) }
    default: return bytes.map { [$0] }
    }
  }

  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
}
