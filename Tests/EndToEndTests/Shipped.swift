import FoundationEssentials
import Reports
import Testing

/// The scenarios that ship with the program.
enum Shipped {
  struct Run: Sendable {
    var record: RunRecord
    var code: Int32
    var report: String
    var seconds: Double

    func variant(_ name: String) throws -> VariantRecord {
      try #require(record.variants.first { $0.name == name })
    }
  }

  /// Each is run once, and several tests look at what came out.
  static let slowCopy = Task { try await run("slow-copy") }
  static let threePhotos = Task { try await run("three-photos") }

  static var schema: String {
    get throws { try contents(of: "scenarios/scenario.schema.json") }
  }

  static func text(of name: String) throws -> String {
    try contents(of: "scenarios/\(name).yaml")
  }

  /// A page for readers, such as scenarios/MODEL.md.
  static func page(_ path: String) throws -> String { try contents(of: path) }

  private static func contents(of path: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.deletingLastPathComponent().appending(path: path)
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  private static func run(_ name: String) async throws -> Run {
    let scratch = try Scratch()
    try scratch.write(try text(of: name), as: "\(name).yaml")
    let ending = try await onebar("run", "\(name).yaml", "--quiet", in: scratch)
    return Run(
      record: try scratch.result(of: name), code: ending.code,
      report: scratch.text(of: "out/\(name)/report.md"), seconds: ending.seconds)
  }
}

extension VariantRecord {
  /// The one file of a step, in a scenario with one capture.
  func file(_ step: String) throws -> FileRecord {
    try #require(files.first { $0.step == step })
  }
}

extension Double {
  func isWithin(_ percent: Double, of expected: Double) -> Bool {
    abs(self - expected) <= abs(expected) * percent / 100
  }
}

extension Int {
  func isWithin(_ percent: Double, of expected: Double) -> Bool {
    Double(self).isWithin(percent, of: expected)
  }
}
