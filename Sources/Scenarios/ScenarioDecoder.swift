import Captures
import LinkModel
import Quantities
package import ScratchEngine
import Uploads

/// Turns the bytes of a scenario file into a validated scenario.
///
/// All errors of a file are given at once, in the order of their places, before anything starts.
package struct ScenarioDecoder {
  /// SHA-256 of bytes in lowercase hexadecimal digits.
  let digest: ([UInt8]) -> String
  /// The bytes of a file that the scenario names, by its path from the scenario's folder; nil when
  /// there is none.
  let load: (String) -> [UInt8]?

  package init(
    digest: @escaping ([UInt8]) -> String, load: @escaping (String) -> [UInt8]? = { _ in nil }
  ) {
    self.digest = digest
    self.load = load
  }

  /// The scenario, or every error of the file.
  ///
  /// `file` is the path as it was given; messages start with it.
  package func decode(_ bytes: [UInt8], file: String) -> Result<Scenario, ScenarioErrors> {
    var problems = ProblemList()
    guard let root = YAMLReader.read(bytes, &problems) else {
      return .failure(ScenarioErrors(problems, file: file))
    }
    let draft = ScenarioKeys.reading.read(root, &problems)
    if let draft { ScenarioChecks(draft: draft).run(&problems) }
    var files: [[UInt8]] = []
    let link = draft?.link?.conditions(&problems) { name in
      load(name).map { bytes in
        files.append(bytes)
        return bytes
      }
    }
    guard problems.items.isEmpty, let link,
      let scenario = draft?.scenario(file: file, sha256: identity(of: bytes, with: files), link)
    else { return .failure(ScenarioErrors(problems, file: file)) }
    return .success(scenario)
  }

  /// The script in a file that holds the keys of `engine` and nothing else, or every error of it.
  package static func decodeScript(
    _ bytes: [UInt8], file: String
  ) -> Result<EngineScript, ScenarioErrors> {
    var problems = ProblemList()
    let engine = YAMLReader.read(bytes, &problems).flatMap {
      EngineKeys.reading.read($0, &problems)
    }
    ScenarioChecks(draft: ScenarioDraft(engine: engine)).run(&problems)
    guard problems.items.isEmpty, let engine else {
      return .failure(ScenarioErrors(problems, file: file))
    }
    return .success(engine.script)
  }

  /// The digest of the file; where it names others, that of its bytes followed by their digests.
  private func identity(of bytes: [UInt8], with others: [[UInt8]]) -> String {
    digest(others.reduce(bytes) { $0 + Array(digest($1).utf8) })
  }
}

extension ScenarioDraft {
  /// Names for captures that have none: photo-1, photo-2, document-1, plate-1 in order.
  var captureNames: [String] {
    // Only looked up.
    var counts: [String: Int] = [:]
    return (captures ?? []).map { capture in
      let word =
        switch capture?.value.kind {
        case .document: "document"
        case .plate: "plate"
        case .photo, nil: "photo"
        }
      counts[word, default: 0] += 1
      return capture?.value.name?.value ?? "\(word)-\(counts[word, default: 0])"
    }
  }

  /// Nil when a part is missing, which has been reported as a problem.
  func scenario(file: String, sha256: String, _ link: LinkConditions) -> Scenario? {
    guard let name, let seed, let horizon, let captures, let variants else { return nil }
    let planned = zip(captures, captureNames).compactMap { capture, name -> PlannedCapture? in
      guard let kind = capture?.value.kind, let at = capture?.value.at else { return nil }
      return PlannedCapture(
        plan: CapturePlan(name: name, kind: kind), at: .zero + at.value)
    }
    return Scenario(
      name: name, file: file, sha256: sha256, seed: seed, horizon: horizon, link: link,
      preset: self.link?.preset, captures: planned,
      engine: engine?.script ?? EngineScript(),
      acts: (acts ?? []).compactMap { act in
        act.map { Act(at: .zero + $0.at.value, deed: $0.deed.value, mark: $0.deed.mark) }
      },
      variants: variants.compactMap { item in
        item.value.map { Variant(name: item.name, client: $0) }
      },
      expectations: (expect ?? []).flatMap { item in
        (item.value ?? []).map {
          Expectation(
            variant: item.name, name: $0.key.name, measure: $0.key.measure, text: $0.text,
            expected: $0.expected, line: $0.mark.line)
        }
      })
  }
}
