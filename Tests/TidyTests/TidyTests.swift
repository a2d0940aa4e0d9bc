import Testing

/// The repository keeps its own rules; each finding names file, line and way out.
@Suite struct TidyTests {
  private let repository = Repository()

  private func report(_ findings: [Finding]) {
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test func `the table of modules is the folders of Sources, in the order of the package`() throws
  {
    let folders = try repository.names(in: "Sources").filter { $0 != "CLibraries" }
    #expect(folders == Modules.order.sorted())
    let package = try repository.text("Package.swift").filter { !$0.isWhitespace }
    let starts = try Modules.order.map { module in
      try #require(package.firstRange(of: "arget(name:\"\(module)\"")).lowerBound
    }
    #expect(starts == starts.sorted())
  }

  @Test func `imports point upwards only, and pure modules import nothing that acts`() throws {
    for module in Modules.order {
      let sources = try repository.sources(in: "Sources/\(module)")
      #expect(!sources.isEmpty, "\(module) has no Swift file")
      for source in sources { report(Modules.findings(in: source, of: module)) }
    }
  }

  @Test func `pure modules take time and chance as parameters`() throws {
    for module in Modules.pure {
      for source in try repository.sources(in: "Sources/\(module)") {
        report(BannedNames.findings(in: source))
      }
    }
  }

  @Test func `files stay short, and what is unsafe states its reason`() throws {
    for source in try repository.sources(in: "Sources") {
      report(FileRules.findings(in: source))
    }
  }

  @Test func `every link of a page leads to a file and a heading that are there`() throws {
    let pages = try repository.pages()
    #expect(pages.map(\.path).contains("scenarios/MODEL.md"))
    for page in pages { report(page.findings(exists: repository.exists, pages: pages)) }
  }

  @Test func `the table of the first page is that of the report it names`() throws {
    let report = try repository.text("reports/slow-copy-60x/report.md").split(separator: "\n")
    let page = try repository.text("README.md").split(separator: "\n")
    let rows = page.filter { $0.hasSuffix(" |") }.prefix { !$0.contains("report.html") }
      .filter { !$0.hasPrefix("| -- ") && $0 != "| | |" }
    #expect(rows.count > 8)
    for row in rows { #expect(report.contains(row)) }
  }
}
