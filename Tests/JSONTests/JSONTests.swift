import JSON
import Testing

@Suite struct JSONTests {
  @Test func `keys are sorted by their bytes, and each level is set in by two spaces`() {
    let value = JSONValue.object([
      "b": .array([JSONValue(1), .null, .bool(true)]), "B": .object([:]), "a": .array([]),
      "é": .string("x"),
    ])
    #expect(
      value.text == """
        {
          "B": {},
          "a": [],
          "b": [
            1,
            null,
            true
          ],
          "é": "x"
        }

        """)
  }

  @Test(arguments: [
    (0.1, "0.1"), (305.9, "305.9"), (900, "900"), (-0.5, "-0.5"), (1.0 / 3, "0.3333333333333333"),
    (.nan, "null"), (.infinity, "null"),
  ])
  func `a number has its shortest text, and what is no number is null`(
    value: Double, text: String
  ) {
    #expect(JSONValue(value).text == text + "\n")
  }

  @Test(arguments: [
    "plain", "\"quoted\" \\ back", "line\nend\ttab\r", "\u{1}\u{1f}", "Ü 😀 e\u{301}", "",
  ])
  func `any text survives writing and reading`(text: String) throws {
    let read = try JSONValue(parsing: JSONValue.string(text).text)
    guard case .string(let back) = read else {
      Issue.record("read as \(read)")
      return
    }
    #expect(Array(back.utf8) == Array(text.utf8))
  }

  @Test func `escapes of RFC 8259 are read, pairs of units too`() throws {
    #expect(
      try JSONValue(parsing: #""\u0041\ud83d\ude00\/\b\f""#) == .string("A😀/\u{8}\u{c}"))
  }

  @Test(arguments: [
    ("", "1:1: the text ends where a value should be"),
    ("{\n  \"a\" 1}", "2:7: expected a colon after \"a\""),
    ("{\"a\": 1, \"a\": 2}", "1:10: the key \"a\" stands twice"),
    ("[1, 2", "1:6: expected a comma or the end of the list"),
    ("[1,]", "1:4: expected a value"),
    ("{\"a\": 1,}", "1:9: expected a key in quotes"),
    ("01", "1:2: expected the end of the text"),
    ("1.", "1:3: expected a digit"),
    ("nul", "1:1: expected null"),
    ("\"a\nb\"", "1:3: a control character stands in a text; write it as \\u00.."),
    ("\"\\q\"", "1:3: no escape is written like this"),
    ("\"\\ud800x\"", "1:8: half of a surrogate pair"),
    ("\"abc", "1:5: the text ends inside quotes"),
    ("true false", "1:6: expected the end of the text"),
  ])
  func `a text that is no JSON is refused with its place`(text: String, error: String) {
    let thrown = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(thrown?.description == error)
  }

  @Test func `nesting has a limit`() {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let thrown = #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
    #expect(thrown?.reason == "nested deeper than 64")
  }
}
