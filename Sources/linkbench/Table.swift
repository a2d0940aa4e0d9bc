import Foundation

/// A table in Markdown.
struct Table {
  let text: String

  init(_ heads: [String], _ rows: [[String]]) {
    let lines = [heads, heads.map { _ in "--" }] + rows
    text = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}

func fixed(_ value: Double, _ decimals: Int) -> String {
  String(format: "%.\(decimals)f", value)
}

func signed(_ value: Double, _ decimals: Int) -> String {
  String(format: "%+.\(decimals)f", value)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
