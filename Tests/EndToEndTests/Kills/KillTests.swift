import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension EndToEnd {
  /// The real client process, killed by the kernel where it stands.
  @Suite(.enabled(if: TracedProcess.refusal == nil, "\(TracedProcess.refusal ?? "")"))
  struct Kills {
    /// How many kills: a sample, or as many as `ONEBAR_KILLS` says.
    static let kills = environment("ONEBAR_KILLS").flatMap { Int($0) } ?? 20
    static let seed: UInt64 = 7

    @Test func `a client that is killed anywhere loses nothing, and nothing is held twice`() throws
    {
      let scratch = try Scratch()
      let memory = try MemoryFolder()
      let props = try KillStory.Props(in: "\(scratch.path)/captures")
      var search = KillSearch(
        props, parents: [try scratch.folder("outboxes"), memory.path], seed: Self.seed)
      let began = monotonicSeconds()
      try search.run(kills: Self.kills)
      let tally = search.tally
      let report = tally.report(seconds: monotonicSeconds() - began)
      print(report)
      try SearchReport.write(report, as: "kills")
      #expect(tally.violations.isEmpty, "\(tally.told.prefix(20).joined(separator: "\n"))")
    }

    @Test func `each way of being wrong is caught by a kill, for the right reason`() throws {
      let scratch = try Scratch()
      let memory = try MemoryFolder()
      var story = KillStory(props: try KillStory.Props(in: "\(scratch.path)/captures"))
      // One that is wrong may never come to an end.
      story.secondsMax = 3
      for mistake in DeliberateMistake.allCases {
        let folder = "\(memory.path)/\(mistake)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        story.mistake = mistake
        let violations = try story.run([mistake.kill], in: folder).violations
        print("kills: \(mistake): \(violations.map(\.description))")
        #expect(violations.contains { $0.kind == mistake.consequence }, "\(mistake)")
      }
    }
  }
}

/// A folder in memory, removed at the end of its life.
final class MemoryFolder {
  let path: String

  init() throws {
    var template = Array("/dev/shm/onebar-kills-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Scratch.CannotMake(path: "/dev/shm") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    rmdir(path)
  }
}
