import Bench
import Captures
import Foundation
import Quantities
import Reports
import Scenarios
import TestSupport
import Testing

/// Scenarios in the virtual world with bytes from a seed in place of photos: making those takes far
/// longer than a run.
struct SmallWorld {
  var scenario: Scenario
  private(set) var disk = SimulatedDisk()
  private let captures: CaptureSet
  /// The beginning of every file: as long as the longest of the shipped scenarios.
  private static let bytes = seededBytes(4_400_000, seed: 7)

  /// Reads a scenario from YAML, without its `name`.
  init(_ yaml: String) throws {
    try self.init(text: "name: a test\n" + yaml, file: "test.yaml")
  }

  /// Reads one of the shipped scenarios, such as `slow-copy`.
  init(shipped name: String) throws {
    try self.init(Self.scenario(shipped: name))
  }

  private init(text: String, file: String) throws {
    try self.init(Self.scenario(text, file: file))
  }

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    var truths: [CaptureTruth] = []
    for capture in scenario.captures {
      var truth = CaptureTruth(name: capture.plan.name)
      switch capture.plan.kind {
      case .photo(let photo):
        truth.original = try Self.put(capture.plan.files[0], photo.original.bytes, on: disk)
        truth.copy = try Self.put(capture.plan.files[1], photo.copy.bytes, on: disk)
      case .document(let document):
        truth.document = try Self.put(capture.plan.files[0], document.size.bytes, on: disk)
      case .plate(let plate):
        truth.photos = []
        for name in capture.plan.files {
          truth.photos?.append(try Self.put(name, plate.size.bytes, on: disk))
        }
      }
      truths.append(truth)
    }
    captures = CaptureSet(seed: scenario.seed, captures: truths)
    try disk.put("\(VirtualWorld.capturesFolder)/\(CaptureSet.fileName)", try captures.json())
  }

  /// Files of one length differ in their first byte alone.
  private static func put(
    _ name: String, _ count: Int, on disk: SimulatedDisk
  ) throws -> CaptureFile {
    var bytes = Array(bytes.prefix(count))
    bytes[0] = UInt8(truncatingIfNeeded: name.utf8.reduce(0) { $0 + Int($1) })
    try disk.put("\(VirtualWorld.capturesFolder)/\(name)", bytes)
    return CaptureFile(file: name, bytes: count, sha256: sha256(of: bytes))
  }

  /// Whatever happens, no attempt that the engine saw is missing from the client's own log.
  func run(
    _ variant: String, parts: VirtualParts = VirtualParts()
  ) throws -> VariantRecord {
    let outcome = try outcome(of: variant, parts: parts)
    #expect(outcome.hiddenAttempts.isEmpty)
    return outcome.record
  }

  func outcome(
    of variant: String, parts: VirtualParts = VirtualParts()
  ) throws -> VirtualWorld.Outcome {
    let chosen = try #require(scenario.variants.first { $0.name == variant })
    return try VirtualWorld.run(scenario, chosen, captures: captures, on: disk, parts: parts)
  }

  /// The result of some variants, as a gate judges it.
  ///
  /// Each has a disk of its own, as it was before the first.
  func record(
    of variants: [String], parts: @autoclosure () -> VirtualParts = VirtualParts()
  ) throws -> RunRecord {
    let image = disk.image
    let outcomes = try variants.map { name in
      var world = self
      world.disk = SimulatedDisk(image)
      return try world.outcome(of: name, parts: parts())
    }
    return VirtualWorld.record(of: scenario, outcomes, tool: .init(version: "test"))
  }
}

/// What ships with the program.
extension SmallWorld {
  static func scenario(shipped name: String) throws -> Scenario {
    let file = "scenarios/\(name).yaml"
    return try scenario(shipped(file), file: file)
  }

  fileprivate static func scenario(_ text: String, file: String) throws -> Scenario {
    try ScenarioDecoder(digest: { sha256(of: $0) }).decode(Array(text.utf8), file: file).get()
  }

  /// A file that ships, by its path from the root of the package.
  static func shipped(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// The scenarios that ship, or those of a folder among them, such as `virtual/`.
  static func shippedNames(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/scenarios/\(folder)")
      .filter { $0.hasSuffix(".yaml") }.map { folder + $0.dropLast(5) }.sorted()
  }

  private static var root: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
  }
}

extension VariantRecord {
  func attempts(_ step: String) -> [Int] { files.filter { $0.step == step }.map(\.attempts) }

  func wire(_ step: String) -> Int {
    files.filter { $0.step == step }.reduce(0) { $0 + $1.wireBytes }
  }
}
