import ScratchHTTP
import Testing

struct TargetTests {
  @Test func `a path is parted first and decoded then`() throws {
    let target = try RequestTarget("/api/a%2Fb/%C3%A9?role=copy&note=a+b%26c&flag")
    #expect(target.path == "/api/a%2Fb/%C3%A9")
    #expect(target.segments == ["api", "a/b", "é"])
    #expect(target.query.first("role") == "copy")
    #expect(target.query.first("note") == "a b&c")
    #expect(target.query.first("flag") == "")
    #expect(target.query.first("none") == nil)
  }

  @Test func `an absolute target brings its authority`() throws {
    let target = try RequestTarget("HTTP://localhost:80/a?b=c")
    #expect(target.authority == "localhost:80")
    #expect(target.segments == ["a"])
    #expect(try RequestTarget("http://localhost").path == "/")
  }

  @Test func `a slash at the end is a segment of its own`() throws {
    #expect(try RequestTarget("/a/").segments == ["a", ""])
    #expect(try RequestTarget("/").segments == [""])
  }

  @Test(arguments: ["*", "localhost:80", "/%", "/%4", "/%zz", "/%ff", "/a?%", "/a#b", ""])
  func `a target in no valid form is malformed`(_ text: String) {
    #expect(throws: RequestFault.malformedTarget) { try RequestTarget(text) }
  }

  @Test func `a target has no more than its limits`() {
    #expect(throws: RequestFault.targetTooLong) {
      try RequestTarget(String(repeating: "/a", count: RequestTarget.segmentsMax + 1))
    }
    #expect(throws: RequestFault.malformedTarget) {
      try RequestTarget("/?" + String(repeating: "a&", count: QueryItem.itemsMax + 1))
    }
  }
}
