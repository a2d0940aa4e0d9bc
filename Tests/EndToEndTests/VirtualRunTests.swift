import Foundation
import Testing

/// The program in virtual time, in processes of its own: there the seeds of Swift's hashing differ.
struct VirtualRunTests {
  private static let scenario = """
    name: A kill on the way
    seed: 7
    horizon: 60 s
    link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
    captures:
      - photo: { original: 150 KB, copy: 60 KB }
        at: 0 s
      - document: 30 KB
        at: 2 s
    engine:
      turn: { takes: 5 s }
      script: [{ when: { step: turn, attempt: 1 }, then: { answer: 503 } }]
    acts: [{ at: 3 s, do: kill }, { at: 4 s, do: start }, { at: 30 s, do: refresh }]
    variants:
      before: { client: outbox, policy: before }
      after: { client: outbox, policy: after }
    """

  /// Where the tests are built, the program is.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

  private func run(_ arguments: [String], in folder: URL) throws -> Int32 {
    let process = Process()
    process.executableURL = try #require(Self.productFolder()).appending(path: "onebar")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The folder of the build's products: beside the library or program that holds the tests.
  private static func productFolder() -> URL? {
    let candidates = CommandLine.arguments + [program.path]
    return candidates.map { URL(filePath: $0).deletingLastPathComponent() }
      .first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "onebar").path) }
  }

  private func inFolder(_ work: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "onebar-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try work(folder)
  }

  @Test func `real sockets and the virtual world do not disagree`() throws {
    let scenario = """
      name: A kill in a longer body
      seed: 7
      horizon: 200 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 200 KB }
      captures:
        - photo: { original: 1 MB, copy: 300 KB }
          at: 0 s
      engine: { turn: { takes: 5 s } }
      acts:
        - { at: 3 s, do: set-clock, by: -1 h }
        - { at: 10 s, do: kill }
        - { at: 15 s, do: set-clock, by: 87_600 h }
        - { at: 20 s, do: start }
        - { at: 30 s, do: set-clock, by: -600_000 h }
      variants:
        after: { client: outbox, policy: after }
      """
    try inFolder { folder in
      try Data(scenario.utf8).write(to: folder.appending(path: "kill.yaml"))
      let code = try run(
        ["run", "kill.yaml", "--time", "10x", "--against", "virtual", "--quiet"], in: folder)
      let report = folder.appending(path: "out/kill/agreement.md")
      let text = try String(contentsOf: report, encoding: .utf8)
      // On a machine that is too busy the real run is inconclusive, which is no disagreement.
      #expect(code == 0 || code == 4, "\(text)")
      #expect(text.contains("attempts of copy"))
      let virtual = folder.appending(path: "out/kill/virtual/result.json")
      #expect(FileManager.default.fileExists(atPath: virtual.path))
    }
  }

  @Test func `twenty processes give the same bytes`() throws {
    try inFolder { folder in
      let file = folder.appending(path: "kill.yaml")
      try Data(Self.scenario.utf8).write(to: file)
      var results: [Data] = []
      for number in 1...20 {
        let out = "out-\(number)"
        let code = try run(
          ["run", "kill.yaml", "--time", "virtual", "--quiet", "--out", out], in: folder)
        #expect(code == 0)
        let result = folder.appending(path: "\(out)/kill/result.json")
        results.append(try Data(contentsOf: result))
      }
      let first = try #require(results.first)
      #expect(first.count > 1_000)
      #expect(results.allSatisfy { $0 == first })
    }
  }
}
