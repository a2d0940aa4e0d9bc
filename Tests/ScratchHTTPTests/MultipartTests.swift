import Quantities
import ScratchHTTP
import Testing

struct MultipartTests {
  /// What a reader makes of bytes, with the pieces of each part joined.
  struct Parts: Equatable {
    struct Part: Equatable {
      var fields: [HeaderField]
      var body: [UInt8] = []
      var isWhole = false
    }

    var parts: [Part] = []
    var fault: MultipartFault?
    var events = 0

    init(of pieces: [[UInt8]], boundary: String = "b", limits: MultipartLimits = .init()) {
      do throws(MultipartFault) {
        let type = FieldParameters("multipart/form-data; boundary=\(boundary)")
        var reader = try MultipartReader(type, limits: limits)
        for piece in pieces {
          reader.append(piece[...])
          while let event = try reader.next() {
            events += 1
            take(event)
          }
        }
        try reader.finish()
      } catch {
        fault = error
      }
    }

    init(of text: String, limits: MultipartLimits = .init()) {
      self.init(of: [Array(text.utf8)], limits: limits)
    }

    private mutating func take(_ event: MultipartEvent) {
      switch event {
      case .part(let fields): parts.append(Part(fields: fields))
      case .body(let bytes): parts[parts.count - 1].body += bytes
      case .partEnd: parts[parts.count - 1].isWhole = true
      }
    }

    static func == (left: Parts, right: Parts) -> Bool {
      left.parts == right.parts && left.fault == right.fault
    }

    var bodies: [String] { parts.map { String(decoding: $0.body, as: UTF8.self) } }
  }

  private static let form =
    "before\r\n--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
    + "--b \t\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n"
    + "Content-Type: image/jpeg\r\n\r\n\r\n--a\r\r\n--\r\n\r\n-\r\n--b\r\n\r\n\r\n--b--\r\nbehind\r\n--b"
  private static let bare = "--b\r\n\r\nx\r\n--b--"
  private static let sound = [form, bare, "--b--", "\r\n--b--\r\n"]

  @Test func `a form gives its parts`() {
    let parts = Parts(of: Self.form)
    #expect(parts.fault == nil)
    #expect(parts.bodies == ["hello", "\r\n--a\r\r\n--\r\n\r\n-", ""])
    #expect(parts.parts.map(\.fields.count) == [1, 2, 0])
    #expect(parts.parts.map(\.isWhole) == [true, true, true])
    #expect(Parts(of: Self.bare).bodies == ["x"])
    #expect(Parts(of: "--b--") == Parts(of: "\r\n--b--\r\n"))
  }

  @Test(arguments: sound)
  func `a form reads the same wherever its bytes are parted`(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = Parts(of: [bytes])
    #expect(Parts(of: bytes.map { [$0] }) == whole)
    for split in 0...bytes.count {
      #expect(Parts(of: [Array(bytes[..<split]), Array(bytes[split...])]) == whole)
    }
  }

  @Test(arguments: sound)
  func `a form that is cut before its closing boundary is unfinished`(_ text: String) {
    let end = text.ranges(of: "--b--").first?.upperBound ?? text.startIndex
    for cut in 0..<text[..<end].utf8.count {
      #expect(Parts(of: [Array(text.utf8.prefix(cut))]).fault == .unfinished)
    }
  }

  private static let long = String(repeating: "y", count: 9_000)
  static let unsound: [(String, MultipartFault)] = [
    ("--bx\r\n", .malformedBoundaryLine),
    ("--b\nx", .malformedBoundaryLine),
    ("--b \r\r", .malformedBoundaryLine),
    ("--b --", .malformedBoundaryLine),
    ("--b\(String(repeating: " ", count: 65))", .malformedBoundaryLine),
    ("--b\r\nno colon\r\n\r\n", .malformedPartHead),
    ("--b\r\nX: y\n", .malformedPartHead),
    ("--b\r\nX: \(long.prefix(8_190))\r\n\r\n", .partHeadTooLarge),
    ("--b\r\nX: \(long)", .partHeadTooLarge),
    ("--b\r\n\(String(repeating: "X: y\r\n", count: 21))\r\n", .partHeadTooLarge),
    ("\(String(repeating: "\r\n--b\r\n\r\n", count: 1_001))\r\n--b--", .tooManyParts),
  ]

  @Test(arguments: unsound)
  func `what is no form is a fault, again and again`(_ text: String, _ fault: MultipartFault) {
    #expect(Parts(of: text).fault == fault)
    #expect(Parts(of: text.utf8.map { [$0] }).fault == fault)
  }

  @Test(arguments: [
    ("", false), ("; boundary=", false), ("; boundary=\"a b\"", true), ("; boundary=\"a \"", false),
    ("; boundary=" + String(repeating: "x", count: 70), true), ("; Boundary=a", true),
    ("; boundary=" + String(repeating: "x", count: 71), false), ("; boundary=\"a\r\"", false),
  ])
  func `a boundary is as RFC 2046 has it`(_ parameter: String, _ isTaken: Bool) {
    let reader = try? MultipartReader(FieldParameters("multipart/mixed\(parameter)"))
    #expect((reader != nil) == isTaken)
  }

  @Test func `a part of any length passes in constant memory`() throws {
    var reader = try MultipartReader(FieldParameters("multipart/form-data; boundary=b"))
    reader.append(Array("--b\r\n\r\n".utf8)[...])
    #expect(try reader.next() == .part([]))
    let piece = [UInt8](repeating: 7, count: 10_000)
    for _ in 0..<1_000 {
      reader.append(piece[...])
      guard case .body(let bytes) = try reader.next() else {
        Issue.record("no body")
        return
      }
      #expect(bytes.count == piece.count)
    }
    #expect(try reader.next() == nil)
  }

  @Test func `mutated forms end, never trap, and read the same in pieces`() {
    var random = SeededRandom(seed: 7)
    let spice = Array("\r\n :;-b\"=,".utf8) + [0xff, 0x00]
    var faults = 0
    for _ in 0..<4_000 {
      var bytes = Array(Self.sound[Int.random(in: 0..<2, using: &random)].utf8)
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
      let whole = Parts(of: [bytes])
      #expect(whole.events <= 2 * bytes.count)
      if whole.fault != nil { faults += 1 }
      let split = Int.random(in: 0...bytes.count, using: &random)
      #expect(Parts(of: [Array(bytes[..<split]), Array(bytes[split...])]) == whole)
      #expect(Parts(of: bytes.map { [$0] }) == whole)
    }
    #expect(faults > 500 && faults < 3_900)
  }
}

struct FieldParametersTests {
  @Test(arguments: [
    (#"form-data; name="file"; filename="a.jpg""#, "form-data", "file", "a.jpg"),
    (#"Form-Data;NAME=file;filename=a b.jpg ; x"#, "form-data", "file", "a b.jpg"),
    (
      #"form-data; name="a;\"b\\" ; filename="C:\dir\a.jpg""#, "form-data", #"a;"b\"#,
      #"C:\dir\a.jpg"#
    ),
    (#"form-data;; name="" ; filename="#, "form-data", "", ""),
  ])
  func `parameters are tokens or quoted strings`(
    _ field: String, _ value: String, _ name: String, _ filename: String
  ) {
    let parameters = FieldParameters(field)
    #expect(parameters.value == value)
    #expect(parameters["name"] == name)
    #expect(parameters["filename"] == filename)
  }

  @Test(arguments: ["", ";", "form-data", "form-data; name", #"form-data; name="a"#])
  func `what is missing or does not end is no parameter`(_ field: String) {
    #expect(FieldParameters(field)["name"] == nil)
  }
}
