/// A page of Markdown: where its links lead, and what links can lead to.
struct Page {
  let path: String
  /// Without its code blocks, whose lines are empty.
  private let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    var isCode = false
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      return isCode || isFence ? "" : line
    }
  }

  /// The names of its headings in links: `## Is B better than A?` is `is-b-better-than-a`.
  var anchors: [String] {
    lines.filter { $0.hasPrefix("#") }.map { heading in
      let words = heading.drop { $0 == "#" }.drop(while: \.isWhitespace).lowercased()
      return String(
        words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .map { $0 == " " ? "-" : $0 })
    }
  }

  /// Links into the repository that lead nowhere: to no file or folder, or to a heading that the page
  /// of that path does not have.
  func findings(exists: (String) -> Bool, pages: [Page]) -> [Finding] {
    var found: [Finding] = []
    for (index, line) in lines.enumerated() {
      for start in line.ranges(of: "](") {
        let target = line[start.upperBound...].prefix { $0 != ")" }
        guard !target.contains("://") else { continue }
        let parts = target.split(
          separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let goal = parts[0].isEmpty ? path : resolved(parts[0])
        let headings = pages.first { $0.path == goal }?.anchors
        if !exists(goal) {
          found.append(
            Finding(path: path, line: index + 1, message: "there is no \(goal); mend the link"))
        } else if parts.count > 1, headings?.contains(String(parts[1])) != true {
          found.append(
            Finding(
              path: path, line: index + 1,
              message: "\(goal) has no heading #\(parts[1]); mend the link"))
        }
      }
    }
    return found
  }

  /// A target, seen from the folder of this page, as a path of the repository.
  private func resolved(_ target: Substring) -> String {
    var folders = path.split(separator: "/").dropLast()
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { _ = folders.popLast() } else { folders.append(part) }
    }
    return folders.joined(separator: "/")
  }
}
