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
  let disk = SimulatedDisk()
  private let captures: CaptureSet
  /// The beginning of every file: as long as the longest of the shipped scenarios.
  private static let bytes = seededBytes(4_400_000, seed: 7)

  /// Reads a scenario from YAML, without its `name`.
  init(_ yaml: String) throws {
    try self.init(text: "name: a test\n" + yaml, file: "test.yaml")
  }

  /// Reads one of the shipped scenarios.
  init(shipped name: String) throws {
    let file = "\(Self.root)/scenarios/\(name).yaml"
    try self.init(text: String(contentsOfFile: file, encoding: .utf8), file: file)
  }

  private init(text: String, file: String) throws {
    let decoder = ScenarioDecoder(digest: { sha256(of: $0) })
    let scenario = try decoder.decode(Array(text.utf8), file: file).get()
    try self.init(scenario)
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
  func run(_ variant: String, telling: LineTelling? = nil) throws -> VariantRecord {
    let chosen = try #require(scenario.variants.first { $0.name == variant })
    let outcome = try VirtualWorld.run(
      scenario, chosen, captures: captures, on: disk, telling: telling)
    #expect(outcome.hiddenAttempts.isEmpty)
    return outcome.record
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
