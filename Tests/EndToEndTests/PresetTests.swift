import Glibc
import JSON
import LinkModel
import Reports
import Testing

extension EndToEnd {
  /// Links that somebody else has published, by their names.
  @Suite struct Presets {
    @Test func `the list has a line for each preset, and none is too long`() async throws {
      let scratch = try Scratch()
      let ending = try await onebar("proxy", "--presets", in: scratch, within: 20)
      #expect(ending.code == 0)
      #expect(ending.errors.isEmpty)
      let lines = ending.output.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy { $0.count <= 100 })
      let rows = lines.dropFirst().prefix(LinkPreset.all.count)
      #expect(rows.map { $0.prefix { $0 != " " } } == LinkPreset.names.map { $0[...] })
      let edge = try #require(rows.first { $0.hasPrefix("nlc-edge ") })
      #expect(
        edge.split(separator: /\ {2,}/) == [
          "nlc-edge", "25", "30", "440/400", "0 %", "ATC Edge-Average", "source",
        ])
      #expect(ending.output.contains("Loss is a stall of the packet (approximate)."))
    }

    @Test func `the list as JSON has what was published beside what is applied`() async throws {
      let scratch = try Scratch()
      let ending = try await onebar("proxy", "--presets", "--json", in: scratch, within: 20)
      #expect(ending.code == 0)
      guard case .array(let presets) = try JSONValue(parsing: ending.output) else {
        Issue.record("this is no array: \(ending.output)")
        return
      }
      #expect(presets.count == LinkPreset.all.count)
      let direction = JSONValue.object([
        "published": .string("500 kbit/s, of which 80 % are applied"),
        "bytesPerSecond": .number("50000"), "latencyMilliseconds": .number("1000"),
      ])
      let slow = JSONValue.object([
        "name": .string("devtools-slow-3g"), "title": .string("Chrome Slow 3G"), "up": direction,
        "down": direction, "delay": .string("400 ms, a request, of which 500 % are applied"),
        "loss": .number("0"), "source": .string("NetworkManager.ts"), "mark": .string("source"),
      ])
      #expect(presets.contains(slow))
    }

    @Test func `the proxy says what it applies, and single options go over the preset`()
      async throws
    {
      let scratch = try Scratch()
      let text = try await Presets.note(of: ["--preset", "nlc-edge-lossy"], in: scratch)
      #expect(
        text.hasPrefix(
          """
          link up 25 KB/s, latency 0.44 s (1 % lost, 1.04 s late); down 30 KB/s, latency 0.4 s \
          (1 % lost, 1.04 s late); buffer 64 KB
          preset nlc-edge-lossy, Apple NLC Edge, Lossy Network (ATC Edge-Lossy; source)

          """))
      let options = ["--up", "1KB/s", "--latency", "10ms", "--buffer", "50KB"]
      let over = try await Presets.note(of: options + ["--preset", "nlc-edge"], in: scratch)
      #expect(
        over.hasPrefix(
          """
          link up 1 KB/s, latency 0.01 s; down 30 KB/s, latency 0.01 s; buffer 50 KB
          preset nlc-edge, Apple NLC Edge (ATC Edge-Average; source)

          """))
      let bare = try await Presets.note(of: ["--down", "offline"], in: scratch)
      #expect(
        bare.hasPrefix(
          "link up everything at once, latency 0 s; down nothing, latency 0 s; buffer 64 KB\nup 0 B"
        ))
    }

    /// What a proxy prints on standard error by its first figures.
    private static func note(of options: [String], in scratch: Scratch) async throws -> String {
      let proxy = try OnebarProcess(["proxy", "--to", "127.0.0.1:1"] + options, in: scratch)
      let isTold = await eventually(within: 20) { proxy.errorsSoFar.contains("0 connections\n") }
      #expect(isTold)
      #expect(proxy.outputSoFar.wholeMatch(of: /listening on 127\.0\.0\.1:\d+\n/) != nil)
      proxy.signal(SIGINT)
      let ending = try await proxy.end(within: 10)
      #expect(ending.code == 0)
      return ending.errors
    }
  }
}
