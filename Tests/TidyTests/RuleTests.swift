import Testing

/// The rules catch what they are there for: a linter that cannot fail proves nothing.
@Suite struct RuleTests {
  private func source(_ text: String) -> SwiftSource { SwiftSource(path: "a.swift", text: text) }

  @Test func `comments and texts are no code, interpolations are`() {
    let text = ##"""
      let a = 1 // Date()
      /* Date() /* nested */ Date() */ let b = 2
      let c = "Date() \" \(d(")")) e" + f
      let g = #"Date() \(no) \#(yes) "# + """
        Date() " \(h)
        """
      let i = #/Date()"/# + j
      """##
    let code = source(text).code.map { $0.filter { $0 != " " } }
    #expect(
      code == [
        "leta=1", "letb=2", "letc=(d())+f", "letg=(yes)+", "(h)", "", "leti=+j",
      ])
    #expect(source("  // only\n\nlet a = 1 // both").isComment(0))
    #expect(!source("  // only\n\nlet a = 1 // both").isComment(1))
    #expect(!source("  // only\n\nlet a = 1 // both").isComment(2))
  }

  @Test(arguments: [
    ("import Quantities", "Quantities"), ("package import LinkModel", "LinkModel"),
    ("@testable import Reports", "Reports"), ("import struct Foundation.Date", "Foundation"),
    ("@preconcurrency public import Dispatch ", "Dispatch"), ("let important = 1", nil),
    ("call(import)", nil),
  ])
  func `the module of an import line is read`(line: String, module: String?) {
    #expect(Modules.imported(by: line) == module)
  }

  @Test(arguments: [
    (
      "Uploads", "import Reports",
      "a.swift:2: error: Uploads imports Reports, which stands below it; move the type up, or pass a"
        + " value"
    ),
    (
      "LinkModel", "package import EventLoop",
      "a.swift:2: error: LinkModel imports EventLoop, which stands below it; move the type up, or"
        + " pass a value"
    ),
    (
      "Reports", "@testable import Glibc",
      "a.swift:2: error: Glibc is banned in pure modules, use values that are passed in"
    ),
    (
      "Scenarios", "import struct Foundation.URL",
      "a.swift:2: error: Foundation is banned in pure modules, use FoundationEssentials"
    ),
    (
      "New", "import Quantities",
      "a.swift:2: error: New is no module of Tests/TidyTests/Modules.swift; enter it there"
    ),
  ])
  func `an import that points the wrong way is caught`(
    module: String, line: String, finding: String
  ) {
    let found = Modules.findings(in: source("// why\n\(line)\n"), of: module)
    #expect(found.map(\.description) == [finding])
  }

  @Test func `an import that points upwards is fine`() {
    let text = "import Quantities\npackage import Captures\nimport FoundationEssentials\n"
    #expect(Modules.findings(in: source(text), of: "Uploads") == [])
    #expect(Modules.findings(in: source("import CLinux\nimport Glibc"), of: "EventLoop") == [])
  }

  @Test(arguments: BannedNames.table.map(\.0)) func `each banned name is caught`(name: String) {
    let found = BannedNames.findings(in: source("\n  let value = \(name)\n"))
    #expect(found.count == 1)
    #expect(found.first?.description.hasPrefix("a.swift:2: error: \(name) is banned in ") == true)
  }

  @Test(arguments: [
    "Int.random(in: 0..<3)", "list.shuffled()", "list.randomElement()", "\"\\(Bool.random())\"",
    "list.shuffle(); other.sort(using: order)",
  ])
  func `a draw from the system's generator is caught`(code: String) {
    #expect(BannedNames.findings(in: source(code)).count == 1)
  }

  @Test(arguments: [
    "Int.random(in: 0..<3, using: &stream)", "list.shuffled(using: &stream)",
    "Int.random(\n  in: f(0)..<3,\n  using: &stream)", "group.addTask { work() }",
    "let ThreadSafe = 1", "Task.checkCancellation()", "let text = \"Date()\"", "// Task {",
    "clock.now", "Date(timeIntervalSince1970: seconds)", "withTaskGroup(of: Int.self) {",
  ])
  func `what only looks like a banned name is fine`(code: String) {
    #expect(BannedNames.findings(in: source(code)) == [])
  }

  @Test(arguments: [
    "final class A: @unchecked Sendable {}", "let a = try! b()", "nonisolated(unsafe) var a = 1",
  ])
  func `what is unsafe needs a comment above`(code: String) {
    #expect(FileRules.findings(in: source("let x = 1 // far\n\(code)")).map(\.line) == [2])
    #expect(FileRules.findings(in: source("// A lock guards it.\n\(code)")) == [])
    #expect(FileRules.findings(in: source("/// A lock guards it.\n@frozen\n\(code)")) == [])
    #expect(FileRules.findings(in: source(code)).count == 1)
  }

  @Test func `a file of more than 500 lines is caught`() {
    let lines = String(repeating: "let a = 1\n", count: 500)
    #expect(FileRules.findings(in: source(lines)) == [])
    #expect(
      FileRules.findings(in: source(lines + "let b = 2\n")).map(\.description) == [
        "a.swift:501: error: a file of 501 lines, above 500; split it by its nouns"
      ])
  }

  @Test func `a link that leads nowhere is caught, in code it is none`() {
    let there = Page(path: "b/c.md", text: "# One\n```\n# No\n```\n## Is `B` better, than-A?\n")
    let links = [
      "c.md", "../b/./c.md#is-b-better-than-a", "#here", "https://a.test/b.md#none", "c.md#no",
      "d.md", "#there", "../a.png#one",
    ]
    let text = links.map { "[a](c.md) [b](\($0))" }.joined(separator: "\n")
    let page = Page(path: "b/a.md", text: "# Here\n```\n[a](none.md)\n```\n\(text)")
    #expect(there.anchors == ["one", "is-b-better-than-a"])
    let found = page.findings(
      exists: { ["b/a.md", "b/c.md", "a.png"].contains($0) }, pages: [page, there])
    #expect(
      found.map(\.description) == [
        "b/a.md:9: error: b/c.md has no heading #no; mend the link",
        "b/a.md:10: error: there is no b/d.md; mend the link",
        "b/a.md:11: error: b/a.md has no heading #there; mend the link",
        "b/a.md:12: error: a.png has no heading #one; mend the link",
      ])
  }
}
