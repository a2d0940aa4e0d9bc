import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension EndToEnd {
  /// The real client process, killed by the kernel where it stands.
  @Suite(.enabled(if: TracedProcess.refusal == nil, "\(TracedProcess.refusal ?? "")"))
  struct Kills {
    /// How many kills: a sample, or as many as `ONEBAR_KILLS` says.
    static let kills = getenv("ONEBAR_KILLS").flatMap { Int(String(cString: $0)) } ?? 40
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
      print(
        "kill search: \(tally.kills) kills in \(monotonicSeconds() - began) s, \(tally.lives) lives"
      )
      for point in tally.points { print("  \(point): \(tally.hits[point, default: 0])") }
      print("  random times: \(tally.timed)")
      #expect(tally.violations.isEmpty, "\(tally.violations.prefix(20).joined(separator: "\n"))")
    }

    @Test(arguments: DeliberateMistake.allCases)
    func `a client that is wrong is caught by a kill, for the right reason`(
      mistake: DeliberateMistake
    ) throws {
      let scratch = try Scratch()
      let memory = try MemoryFolder()
      let props = try KillStory.Props(in: "\(scratch.path)/captures")
      var story = KillStory(props: props)
      story.mistake = mistake
      for (number, aims) in mistake.kills.enumerated() {
        let folder = "\(memory.path)/outbox-\(number)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try story.run(aims, in: folder)
        guard let violation = outcome.violations.first else { continue }
        print("kills: \(mistake): caught by case \(number + 1), \(aims): \(violation)")
        #expect(violation.kind == mistake.consequence)
        return
      }
      Issue.record("not caught in \(mistake.kills.count) cases")
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
