import Glibc
import Reports
import Testing

extension EndToEnd {
  /// Where reports go, and what is said when they cannot go there.
  @Suite struct Output {
    @Test func `quiet prints nothing, and the reports are there`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      let ending = try await onebar("run", "small.yaml", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code))
      #expect(ending.output.isEmpty && ending.errors.isEmpty)
      #expect(scratch.names(in: "out/small") == Scratch.reports)
    }

    @Test func `json on standard output is the result, and nothing else`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      let ending = try await onebar("run", "small.yaml", "--json", in: scratch)
      let printed = try ResultFile.record(from: ending.output)
      #expect(printed == (try scratch.result(of: "small")))
      #expect(printed.scenario.file == "small.yaml")
      #expect(ending.errors.contains("reports: out/small"))
    }

    @Test func `several runs are a line of JSON each, and are summed up`() async throws {
      let scratch = try Scratch()
      _ = try scratch.folder("all")
      try scratch.write(ScenarioText.small.text, as: "all/small.yaml")
      let ending = try await onebar("run", "all", "--json", "--repeat", "2", in: scratch)
      let lines = ending.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 2)
      for (line, name) in zip(lines, ["small-1", "small-2"]) {
        #expect(try ResultFile.record(from: line) == (try scratch.result(of: name)))
      }
      #expect(ending.errors.contains("Written by a test, 2 runs:"))
      #expect(ending.errors.contains("least"))
    }

    @Test func `a run without standard descriptors writes its reports whole`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      let closed = try OnebarProcess(["run", "small.yaml"], in: scratch, closing: [0, 1, 2])
      #expect([0, 4].contains(try await closed.end().code))
      #expect(try scratch.result(of: "small").variants.map(\.outcome) == [.finished])
    }

    /// What is in the way of `out/small`, and what is said about it.
    static let obstacles: [(String, String, String)] = [
      ("a file as the parent", "file", "file/small cannot be made: a file is in the way"),
      ("a file of that name", "parent", "parent/small cannot be made: a file of that name"),
      (
        "a place for no one", "/proc/onebar",
        "/proc/onebar/small cannot be made: nothing can be made in /proc;"
      ),
      ("a folder as result.json", "taken", "taken/small/result.json is a folder"),
      ("a folder as report.md", "half-taken", "half-taken/small/report.md is a folder"),
    ]

    @Test(arguments: obstacles)
    func `a place that cannot be written to is refused before the run`(
      obstacle: String, folder: String, words: String
    ) async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      try scratch.write("", as: "file")
      _ = try scratch.folder("parent")
      try scratch.write("", as: "parent/small")
      _ = try scratch.folder("taken/small/result.json")
      _ = try scratch.folder("half-taken/small/report.md")
      // A run of this scenario in real time takes two minutes: it must not start.
      let ending = try await onebar(
        "run", "small.yaml", "--time", "1x", "--out", folder, in: scratch, within: 20)
      #expect(ending.code == 2)
      #expect(ending.errors.contains(words), "\(ending.errors)")
      #expect(ending.output.isEmpty)
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "it takes the right to mount a small file system"))
    func `a disk that is full after the run costs the reports, and not the summary`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      let disk = try #require(SmallDisk(at: try scratch.folder("disk"), kilobytes: 16))
      let ending = try await onebar("run", "small.yaml", "--out", "disk", in: scratch)
      #expect(ending.code == 70)
      #expect(ending.errors.contains("disk/small/result.json cannot be written: the disk is full"))
      #expect(ending.output.contains("attempts of the copy"))
      #expect(ending.output.contains("no reports: "))
      #expect(scratch.names(in: "disk/small").isEmpty)

      let captures = try await onebar("capture", "--out", "disk/captures", in: scratch)
      #expect(captures.code == 2)
      #expect(captures.errors.contains("no space left on the disk"))
      disk.unmount()
    }
  }
}

/// A file system in memory that is soon full.
final class SmallDisk {
  private let path: String
  private var isMounted = true

  init?(at path: String, kilobytes: Int) {
    self.path = path
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { return nil }
  }

  deinit {
    unmount()
  }

  func unmount() {
    if isMounted { umount2(path, 0) }
    isMounted = false
  }

  static var canBeMade: Bool {
    guard geteuid() == 0, let scratch = try? Scratch() else { return false }
    return SmallDisk(at: scratch.path, kilobytes: 16) != nil
  }
}
