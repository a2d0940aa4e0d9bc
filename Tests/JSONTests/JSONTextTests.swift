import JSON
import Testing

@Suite struct JSONTextTests {
  private static let members = JSONText.object([
    ("b", .array([.integer(1), .number(0.5), .literal("7"), .null])), ("a", .bool(true)),
    ("none", .object([])), ("nested", .object([("\"", .string("line\nend\u{1}"))])),
  ])

  @Test func `keys stay in the order given, without white space`() {
    #expect(
      Self.members.text
        == #"{"b":[1,0.5,7,null],"a":true,"none":{},"nested":{"\"":"line\nend\u0001"}}"#)
  }

  @Test func `indented, each member has a line, and a list stays on its own`() {
    #expect(
      Self.members.indented == """
        {
          "b": [1, 0.5, 7, null],
          "a": true,
          "none": {},
          "nested": {
            "\\"": "line\\nend\\u0001"
          }
        }
        """)
  }

  @Test func `what is missing, and a number that is none, is null`() {
    let values: [JSONText] = [
      .optional(nil as String?), .optional(nil as Int?), .optional(nil as Double?), .number(.nan),
      .number(.infinity), .optional("x"), .optional(2), .optional(0.25),
    ]
    #expect(JSONText.array(values).text == #"[null,null,null,null,null,"x",2,0.25]"#)
  }
}
