import Testing

extension EndToEnd {
  /// What is wrong is said in words, before anything starts.
  @Suite struct Mistakes {
    @Test func `five mistakes in a file are five errors with their places, and nothing starts`()
      async throws
    {
      let scratch = try Scratch()
      let text = ScenarioText.small.text
        .replacing("name: Written", with: "nme: Written")
        .replacing("seed: 7", with: "seed: x")
        .replacing("horizon: 120.0 s", with: "horizon: 120")
        .replacing("20.0 KB/s", with: "20")
        .replacing("policy: before", with: "policy: befor")
      try scratch.write(text, as: "wrong.yaml")
      let expected = """
        wrong.yaml:1:1: error: unknown key "nme"; did you mean "name"?
        wrong.yaml:2:7: error: "x" is not a whole number from 0 up; write it as 7
        wrong.yaml:3:10: error: "120" has no unit; write it as 120 s
        wrong.yaml:4:13: error: "20" has no unit; write it as 20 KB/s
        wrong.yaml:12:37: error: "befor" is not known here; did you mean "before"?

        """
      let run = try await onebar("run", "wrong.yaml", in: scratch)
      #expect(run.code == 2)
      #expect(run.errors == expected)
      #expect(run.output.isEmpty)
      #expect(!scratch.has("out"))

      let check = try await onebar("scenario", "check", "wrong.yaml", in: scratch)
      #expect(check.code == 2)
      #expect(check.output.contains(expected))
    }

    /// A command line, and a part of what is said to it.
    static let lines: [(String, String)] = [
      ("proxy", "proxy needs --to HOST:PORT or --api HOST:PORT"),
      ("proxy --to 127.0.0.1:1 --config none.json", "--config: it goes with --api"),
      ("proxy --api 127.0.0.1:0 --per-connection", "connections of a proxy share its link"),
      ("proxy --api 127.0.0.1:0 --config none.json", "none.json: there is no such file"),
      (
        "proxy --api 127.0.0.1:0 --config good.yaml",
        "good.yaml: bad request body: 1:1: expected null"
      ),
      ("", "a command is missing; known commands: run, compare, gate, merge, scenario"),
      ("rnu good.yaml", #"unknown command "rnu"; did you mean "run"?"#),
      ("scenario chekc good.yaml", #"did you mean "scenario check"?"#),
      ("run", "run needs PATH; onebar run --help shows an example"),
      ("run good.yaml --tiem 1x", #"run has no option "--tiem"; did you mean "--time"?"#),
      ("run good.yaml --time", "--time needs a value; write it as --time VALUE"),
      ("run good.yaml --time=", "--time needs a value"),
      ("run good.yaml --json=yes", "--json takes no value"),
      ("run good.yaml --seed 1 --seed 2", "--seed is given twice"),
      ("run good.yaml --time 60", #""60" is not a time scale; write it as 1x, 60x or virtual"#),
      ("run good.yaml --time 0x", "is not a time scale"),
      ("run good.yaml --time -1x", "is not a time scale"),
      ("run good.yaml --time nanx", "is not a time scale"),
      ("run good.yaml --time 0x3x", "is not a time scale"),
      ("run good.yaml --time 1001x", "is not a time scale"),
      ("run good.yaml --seed -1", #""-1" is not a seed"#),
      ("run good.yaml --repeat 0", "is not a whole number from 1 to 10000"),
      ("run good.yaml --jobs 0", "is not a whole number from 1 to 64"),
      ("run good.yaml --variant nix", #"good.yaml has no variant "nix"; it has before"#),
      ("run good.yaml good.yaml", "two files would write their reports to out/good"),
      ("run none.yaml", "none.yaml: there is no such file or folder"),
      ("run good", "good: there is no such file or folder; did you mean good.yaml?"),
      ("run good.yaml --variant", "--variant needs a value"),
      ("run empty", "empty: the folder holds no .yaml file"),
      ("run empty.yaml", "empty.yaml:1:1: error: the file is empty"),
      ("run torn.yaml", "torn.yaml:2:1: error: this is not YAML"),
      ("run binary.yaml", "error: this is not UTF-8"),
      ("run power.yaml", "power.yaml:13:23: error: power-loss happens in the virtual world only"),
      ("run power.yaml --time virtual --against 60x", "run it with --time virtual"),
      ("run power.yaml --time 1x --against virtual", "run it with --time virtual"),
      ("scenario check empty", "empty: the folder holds no .yaml file"),
      ("scenario list none", "none: there is no such file or folder"),
      ("compare good.yaml", "compare needs RESULT 2 times"),
      ("compare empty empty", "empty: there is no result to read"),
      ("compare good.yaml good.yaml", "good.yaml: "),
      ("compare before after", "name one with --in"),
      ("compare", "compare needs RESULT 2 times"),
      ("proxy --to", "--to needs a value"),
      ("proxy --to nowhere", #""nowhere" is not an IPv4 address and port"#),
      ("proxy --to 127.0.0.1:1 --up 20", "has no unit"),
      (
        "proxy --to 127.0.0.1:1 --buffer 1KB",
        #"--buffer: "1KB" is out of range; it can be 32 KB to"#
      ),
      ("proxy --to 127.0.0.1:1 --up 9GB/s", "it can be 100 B/s to"),
      ("proxy --to 127.0.0.1:1 --latency 1000h", "it can be 0 s to 60 s"),
      ("proxy --to 127.0.0.1:1 --jitter 61s", "it can be 0 s to 60 s"),
      ("proxy --self-test --to 127.0.0.1:1", "--to: a self-test measures a link of its own"),
      ("proxy --self-test --per-connection", "--per-connection: a self-test measures a link"),
      ("engine --heartbeat 1ms", "it can be 1 s to 86400 s"),
      ("engine --turn 25h", "it can be 0 s to 86400 s"),
      (
        "proxy --to 127.0.0.1:1 --preset nlc-egde",
        #"--preset: there is no preset "nlc-egde"; did you mean "nlc-edge"?"#
      ),
      ("proxy --to 127.0.0.1:1 --preset 5g", "onebar proxy --presets lists them"),
      ("proxy --preset nlc-edge", "proxy needs --to HOST:PORT"),
      ("proxy --to 127.0.0.1:1 --json", "--json: only the list of --presets has it"),
      ("engine --turn 5", #""5" has no unit"#),
      ("engine --listen 127.0.0.1:80000", "is not an IPv4 address and port"),
      ("capture", "capture needs --out DIR; onebar capture --help shows an example"),
      (
        "capture --out made --photo original=1MB,copy=2MB",
        "the copy (2 MB) is not smaller than the original (1 MB)"
      ),
      ("capture --out made --photo 4MB", "is not a size; write original=4.31MB,copy=1.65MB"),
      ("client ad photo.jpg", #"unknown command "client ad"; did you mean "client add"?"#),
      ("client add --outbox made", "client add needs FILE; onebar client add --help"),
      ("client add good.yaml", "client add needs --outbox DIR; onebar client add --help"),
      ("client add x --outbox made --place 91,0", #"--place: "91,0" is no place; write it as"#),
      ("client add x --outbox full", "full: it holds other files and is no outbox; name an empty"),
      ("client list --outbox none", "none: there is no such folder; onebar client add FILE"),
      ("client list --outbox full", "full is no outbox; onebar client add FILE --outbox DIR"),
      ("client list --outbox good.yaml", "good.yaml: Not a directory; onebar client add FILE"),
      ("client drain --outbox none", "client drain needs --engine URL; onebar client drain --help"),
      ("client drain --outbox none --engine http://localhost", "none: there is no such folder"),
      ("client drain --outbox none --engine localhost:80", "is no address; write it as http://"),
      ("client drain --outbox none --engine http://h/api", "has more than host and port"),
      (
        "client drain --outbox none --engine http://h --policy bevore",
        #""bevore" is no policy; there are: before, after"#
      ),
      ("client drain --outbox x --engine http://h --once --follow", "leave out one"),
      ("client drain --outbox x --engine http://h --cacert x.pem", "x.pem: no such file"),
      ("client send-now --outbox none", "client send-now needs ID"),
      ("client discard 01 --outbox none", "none: there is no such folder"),
    ]

    @Test(arguments: lines)
    func `a wrong command line is told in words, and ends with 2`(
      line: String, words: String
    ) async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "good.yaml")
      var power = ScenarioText.small
      power.more = "acts: [{ at: 1 s, do: power-loss }]"
      try scratch.write(power.text, as: "power.yaml")
      try scratch.write("", as: "empty.yaml")
      try scratch.write("name: [", as: "torn.yaml")
      try scratch.write([0xfe, 0xff, 0x00], as: "binary.yaml")
      _ = try scratch.folder("empty")
      _ = try scratch.folder("full")
      try scratch.write("", as: "full/other.txt")
      let ending = try await OnebarProcess(
        line.split(separator: " ").map(String.init), in: scratch
      ).end(within: 20)
      #expect(ending.code == 2)
      #expect(ending.errors.contains(words), "\(ending.errors)")
      #expect(ending.output.isEmpty)
      #expect(!scratch.has("out") && !scratch.has("made"))
    }
  }
}
