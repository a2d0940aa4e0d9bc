import Glibc
import Reports

/// What a CI system says in the environment.
struct PipelineEnvironment: Sendable {
  private let value: @Sendable (String) -> String?

  static let own = PipelineEnvironment { name in getenv(name).map { String(cString: $0) } }

  init(_ value: @escaping @Sendable (String) -> String?) {
    self.value = { name in value(name).flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The file to which a step of GitHub Actions appends its summary.
  var stepSummary: String? { value("GITHUB_STEP_SUMMARY") }

  /// Whether workflow commands on standard output are understood.
  var takesAnnotations: Bool { value("GITHUB_ACTIONS") == "true" }

  /// The part that falls to this job: of GitLab's `parallel`, counted from 1, or of an indexed Job
  /// of Kubernetes, counted from 0, which does not tell how many there are: `ONEBAR_SHARDS` does.
  func shard() throws(ArgumentError) -> Shard {
    if let count = value("CI_NODE_TOTAL") {
      return try shard("CI_NODE_INDEX", value("CI_NODE_INDEX"), from: 1, of: count, "CI_NODE_TOTAL")
    }
    guard let index = value("JOB_COMPLETION_INDEX") else { return .whole }
    guard let count = value("ONEBAR_SHARDS") else {
      throw .badValue(
        option: "JOB_COMPLETION_INDEX",
        reason: "it says which part this is, and nothing of how many; set ONEBAR_SHARDS to the"
          + " job's completions, or give --shard I/N")
    }
    return try shard("JOB_COMPLETION_INDEX", index, from: 0, of: count, "ONEBAR_SHARDS")
  }

  private func shard(
    _ name: String, _ index: String?, from first: Int, of count: String, _ countName: String
  ) throws(ArgumentError) -> Shard {
    guard let number = index.flatMap({ Int($0) }), let count = Int(count),
      let shard = Shard(checking: number - first + 1, of: count)
    else {
      throw .badValue(
        option: name,
        reason: "\"\(index ?? "")\" is no part of \"\(count)\" (\(countName)); give --shard I/N")
    }
    return shard
  }
}
