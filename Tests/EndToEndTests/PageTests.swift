import Testing
import onebar

extension EndToEnd {
  /// What the pages show can be typed.
  @Suite struct Pages {
    @Test func `the scenario of the first page passes`() async throws {
      let scratch = try Scratch()
      let page = ShownCode(page: try Shipped.page("README.md"))
      let scenario = try #require(page.blocks.first { $0.contains("\nname:") })
      try scratch.write(scenario, as: "first.yaml")
      let run = try await onebar("run", "first.yaml", "--time", "virtual", in: scratch)
      #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    @Test(arguments: [
      "README.md", "CONTRIBUTING.md", "scenarios/README.md", "scenarios/MODEL.md",
      "scenarios/ENGINE.md", "scenarios/LEDGER.md", "scenarios/CI.md",
    ])
    func `each command of a page is known, and so are its options`(page: String) throws {
      for words in ShownCode(page: try Shipped.page(page)).commands {
        // `onebar COMMAND --help` and the like name no command.
        guard let first = words.first, first.first?.isLowercase == true else { continue }
        let command = Onebar.table.filter { words.starts(with: $0.path) }
          .max { $0.path.count < $1.path.count }
        let known = try #require(command, "onebar \(words.joined(separator: " "))")
        for option in words where option.hasPrefix("--") && option != "--help" {
          #expect(known.options.map(\.name).contains(option), "onebar \(known.path) \(option)")
        }
      }
    }
  }
}

/// The code that a page of Markdown shows.
struct ShownCode {
  var blocks: [String] = []
  /// The words behind each `onebar`, in blocks and in the text; of options the name alone.
  var commands: [[String]] = []

  init(page: String) {
    var text = ""
    var isCode = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
        if isCode { blocks.append("") }
      } else if isCode {
        blocks[blocks.count - 1] += "\(line)\n"
        let code = line.firstRange(of: " # ").map { line[..<$0.lowerBound] } ?? line
        commands += code.ranges(of: "onebar ").map { Self.words(code[$0.upperBound...]) }
      } else {
        text += "\(line) "
      }
    }
    let spans = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) && $0.element.hasPrefix("onebar ") }
    commands += spans.map { Self.words($0.element.dropFirst("onebar ".count)) }
  }

  private static func words(_ text: Substring) -> [String] {
    text.split(separator: " ").map { word in
      guard word.hasPrefix("--") else { return String(word) }
      return "--" + word.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
    }
  }
}
