import FoundationEssentials
import Glibc
import Reports
import Testing

extension EndToEnd {
  /// Clients that somebody else wrote, in a run: real programs on fast links, in real time.
  @Suite struct ForeignClients {
    /// A scenario whose variants are commands.
    static func scenario(
      _ variants: [(name: String, keys: String)], horizon: String = "4 s", more: String = ""
    ) -> String {
      """
      name: Clients of others
      seed: 7
      horizon: \(horizon)
      link: { up: 400 KB/s, down: 2 MB/s, latency: 10 ms, buffer: 32 KB }
      captures:
        - photo: { original: 100 KB, copy: 20 KB }
          at: 0 s
      variants:
      \(variants.map { "  \($0.name): { \($0.keys) }" }.joined(separator: "\n"))
      \(more)

      """
    }

    private static func texts(_ variant: VariantRecord) -> [String] {
      variant.statusLines.lines.map(\.text)
    }

    private static func executable(_ text: String, as name: String, in scratch: Scratch) throws {
      try scratch.write("#!/bin/sh\n\(text)\n", as: name)
      chmod("\(scratch.path)/\(name)", 0o755)
    }

    @Test func `curl sends a file as a body and as a form, and what it did is known from outside`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write(
        Self.scenario(
          [
            (
              "body",
              #"command: [curl, -T, "{capture}", -o, "{work}/answer", "{engine}/files/photo"]"#
            ),
            (
              "form",
              #"command: [curl, -sS, -F, note=hello, -F, "a=@{capture}", -F, "b=@{copy}", "{engine}/files/in"]"#
            ),
            ("refused", #"command: [curl, -sSf, -T, "{copy}", "{engine}/nowhere"]"#),
          ],
          more: """
            expect:
              body: { attempts: each 1, landed: all, exit: 0, duplicates: 0 }
              form: { attempts: each 1, landed: all, exit: 0 }
              refused: { landed: none, exit: 22 }
            """), as: "curl.yaml")
      let ending = try await onebar("run", "curl.yaml", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.output)\(ending.errors)")
      #expect(ending.output.contains("real time"))
      #expect(scratch.text(of: "out/curl/report.md").contains("ended with exit status 22"))
      let record = try scratch.result(of: "curl")
      #expect(record.expectations.allSatisfy { $0.pass })
      #expect(record.time.mode == .real)
      let (body, form, refused) = (record.variants[0], record.variants[1], record.variants[2])
      #expect(body.outcome == .finished)
      #expect(body.files.map(\.step) == ["original"])
      #expect(body.files.map(\.wireBytes) == [100_000])
      #expect(body.files.map(\.sha256Matches) == [true])
      #expect(form.files.map(\.wireBytes) == [20_000, 100_000])
      // The meter of curl ends its lines by carriage returns.
      #expect(Self.texts(body).contains { $0.hasPrefix("100 ") || $0.contains(" 100 ") })
      #expect(body.honesty == nil && body.parked == nil && body.exactlyOnce.lost == nil)
      let process = try #require(body.process)
      #expect(process.starts == 1 && process.unassigned == 0)
      // The floor of the link is 0.25 s.
      #expect(process.seconds > 0.24 && (body.finishedAt ?? 0) <= process.seconds)
      #expect(process.userSeconds + process.systemSeconds > 0)
      #expect(refused.process?.exit == 22)
    }

    @Test func `a program finds its terminal, its environment and its folder, and may do anything`()
      async throws
    {
      let scratch = try Scratch()
      try Self.executable(
        """
        [ -t 0 ] && echo "input"; [ -t 1 ] && echo "output is a terminal"
        [ -t 2 ] && echo "errors too" >&2
        stty size <&1 2>/dev/null; echo "TERM $TERM"; echo "proxy $http_proxy$HTTPS_PROXY $no_proxy"
        echo "$ONEBAR_ENGINE $ONEBAR_TIME_FACTOR" | tr 0-9 N; pwd
        ls -1 "$ONEBAR_CAPTURES"; [ "$ONEBAR_WORK" = "$1" ] && [ -d "$1" ] && echo "work"
        [ "$ONEBAR_CAPTURES/photo-1.jpg" = "$2" ] && echo "capture"
        printf 'one\\rtwo\\r\\033[31mthree\\033[0m'; sleep 0.3; printf '\\rfour'
        exit 7
        """, as: "look", in: scratch)
      try Self.executable(
        """
        echo $$; sleep 60 & echo $!; setsid sleep 60 & echo $!
        """, as: "leave", in: scratch)
      try Self.executable(
        "trap '' TERM; echo $$; sleep 60 & echo $!; wait; sleep 60", as: "stay", in: scratch)
      let words = #"["./look", "{work}", "{capture}"]"#
      try scratch.write(
        Self.scenario(
          [
            ("terminal", "command: \(words)"), ("pipe", "command: \(words), tty: no"),
            ("leave", "command: [./leave]"), ("stay", "command: [./stay]"),
            ("flood", #"command: [sh, -c, "yes | head -c 60000000"]"#),
            ("quick", "command: ['true']"),
          ], horizon: "1.2 s"), as: "odd.yaml")
      let run = try OnebarProcess(
        ["run", "odd.yaml", "--quiet"], in: scratch,
        environment: ["http_proxy=http://127.0.0.1:1", "HTTPS_PROXY=x", "LINES=5", "TERM=dumb"])
      let ending = try await run.end(within: 60)
      let record = try scratch.result(of: "odd")
      func variant(_ name: String) throws -> VariantRecord {
        try #require(record.variants.first { $0.name == name })
      }
      let common = [
        "proxy  127.0.0.1,localhost", "http://NNN.N.N.N:NNNNN N", "captures.json",
        "photo-1-copy.jpg", "photo-1.jpg", "work", "capture", "one", "two", "three", "four",
      ]
      let terminal = try variant("terminal")
      let lines = Self.texts(terminal)
      #expect(lines.starts(with: ["output is a terminal", "errors too", "24 80", "TERM xterm"]))
      #expect(
        Set(common).subtracting(lines.map { $0.replacing("NNNNNN", with: "NNNNN") }).isEmpty,
        "\(lines)")
      #expect(lines.contains { $0.hasSuffix("/\(scratch.path.split(separator: "/").last ?? "")") })
      // What stood without an end was seen while it stood.
      let shown = terminal.statusLines.lines
      let (three, four) = (shown.first { $0.text == "three" }, shown.first { $0.text == "four" })
      #expect((four?.first ?? 0) - (three?.first ?? 0) > 0.15)
      #expect(terminal.process?.exit == 7 && terminal.outcome == .finished)

      let pipe = Self.texts(try variant("pipe"))
      #expect(pipe.first == "TERM dumb")
      #expect(pipe.contains("four") && !pipe.contains("24 80"))

      let leave = try variant("leave")
      #expect(leave.process?.exit == 0 && leave.outcome == .finished)
      #expect((leave.process?.seconds ?? 9) < 1)
      let stay = try variant("stay")
      #expect(stay.outcome == .horizon && stay.process?.exit == nil && stay.process?.signal == nil)
      for pid in (Self.texts(leave) + Self.texts(stay)).compactMap({ pid_t($0) }) {
        #expect(!OnebarProcess.isRunning(pid))
      }
      #expect((Self.texts(leave) + Self.texts(stay)).count == 5)

      let flood = try variant("flood")
      #expect([.finished, .horizon].contains(flood.outcome) && Self.texts(flood) == ["y"])
      #expect([0, 4].contains(ending.code))
      let quick = try variant("quick")
      #expect(quick.statusLines.distinct == 0)
      #expect(scratch.names(in: "temporary").isEmpty)
    }

    @Test func `kill and start run the same command again in the same folder`() async throws {
      let scratch = try Scratch()
      try Self.executable(
        """
        echo start >> "$ONEBAR_WORK/starts"; n=$(wc -l < "$ONEBAR_WORK/starts"); echo "start $n"
        [ "$n" = 1 ] && { curl -sS --limit-rate 20k -T "$1" "$2"; sleep 60; }
        curl -sS -T "$1" "$2"
        """, as: "client", in: scratch)
      try scratch.write(
        Self.scenario(
          [("client", #"command: [./client, "{capture}", "{engine}/files/photo"]"#)],
          more: """
            acts: [{ at: 0.6 s, do: kill }, { at: 0.8 s, do: start }]
            expect:
              client: { attempts: each 2, landed: all, exit: 0, duplicates: 0 }
            """), as: "killed.yaml")
      let ending = try await onebar("run", "killed.yaml", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.errors)")
      let record = try scratch.result(of: "killed")
      #expect(record.expectations.allSatisfy { $0.pass }, "\(record.expectations)")
      let client = record.variants[0]
      #expect(Self.texts(client).starts(with: ["start 1", "start 2"]))
      #expect(client.process?.starts == 2 && client.process?.exit == 0)
      #expect(client.files[0].wireBytes < 200_000 && client.wire.abandoned > 0)
      #expect((client.files[0].landedAt ?? 0) > 0.8)
    }

    @Test func `a command is killed and started in the same moment, and goes on`() async throws {
      let scratch = try Scratch()
      try Self.executable(
        """
        trap '' TERM; echo x >> "$ONEBAR_WORK/n"; echo "start $(wc -l < "$ONEBAR_WORK/n")"; sleep 0.5
        """, as: "client", in: scratch)
      try scratch.write(
        Self.scenario(
          [("client", "command: [./client]")],
          more: """
            acts: [{ at: 0.2 s, do: kill }, { at: 0.2 s, do: start }]
            expect:
              client: { exit: 0 }
            """), as: "again.yaml")
      let ending = try await onebar("run", "again.yaml", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.errors)")
      let client = try scratch.result(of: "again").variants[0]
      #expect(Self.texts(client) == ["start 1", "start 2"])
      #expect(client.process?.starts == 2 && client.process?.exit == 0)
    }

    @Test func `a command that honours the factor may run faster, and no other`() async throws {
      let scratch = try Scratch()
      try scratch.write(
        Self.scenario(
          [
            (
              "client",
              "command: [sh, -c, 'echo \"factor $ONEBAR_TIME_FACTOR\"; sleep 0.5'], dilates: yes"
            )
          ],
          horizon: "100 s"), as: "fast.yaml")
      let ending = try await onebar("run", "fast.yaml", "--time", "20x", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.errors)")
      let client = try scratch.result(of: "fast").variants[0]
      #expect(Self.texts(client) == ["factor 20"])
      #expect((10...60).contains(client.process?.seconds ?? 0))

      try scratch.write(Self.scenario([("client", "command: [./none]")]), as: "none.yaml")
      for (time, what) in [
        ("1x", #"none.yaml:9:23: error: "./none" cannot be run: there is no such file in "#),
        ("60x", "none.yaml:9:22: error: client is a command whose own times do not run faster"),
        (
          "virtual",
          "none.yaml:9:22: error: client is a command, a process that cannot be simulated"
        ),
      ] {
        let refused = try await onebar(
          "run", "none.yaml", "--time", time, "--out", "no", in: scratch)
        #expect(refused.code == 2)
        #expect(refused.errors.contains(what), "\(refused.errors)")
      }
      #expect(!scratch.has("no"))

      // It looks like a program until the kernel is asked to execute it.
      try scratch.write("echo no shebang\n", as: "none")
      chmod("\(scratch.path)/none", 0o755)
      let broken = try await onebar("run", "none.yaml", "--quiet", in: scratch, within: 20)
      #expect(broken.code == 70)
      #expect(
        broken.errors.contains(
          "client: starting \(scratch.path)/./none: Exec format error: it is no program of "))
    }

    /// Speaks the contract of moments, and everything that may be repeated twice.
    private static let momentClient = #"""
      import hashlib, json, os, urllib.request

      moment = os.environ["ONEBAR_ENGINE"] + "/api/moments/01J8Z0000000000000000000AB"

      def call(method, url, body, kind="application/json"):
        request = urllib.request.Request(url, body, {"Content-Type": kind}, method=method)
        with urllib.request.urlopen(request) as answer:
          return json.load(answer)

      def tell(method, url, **fields):
        return call(method, url, json.dumps(fields).encode())

      for _ in range(2):
        tell("PUT", moment, request_id="r-1", kind="photo", note="",
             captured_at="2026-05-04T19:12:33+02:00", time_zone="Europe/Paris")
      for role, name in [("copy", "photo-1-copy"), ("copy", "photo-1-copy"), ("original", "photo-1")]:
        data = open(f"{os.environ['ONEBAR_CAPTURES']}/{name}.jpg", "rb").read()
        receipt = call("PUT", f"{moment}/media/m-{role}?role={role}", data, "image/jpeg")
        assert receipt["sha256"] == hashlib.sha256(data).hexdigest()
        print(role, "replayed" if receipt["replayed"] else "kept", flush=True)
        if role == "copy":
          turn = tell("POST", f"{moment}/turns", request_id="t-1", media_id="m-copy")
          print("answer", turn["replayed"], flush=True)
      """#

    @Test func `a client that speaks the contract of moments is known file by file`() async throws {
      let scratch = try Scratch()
      try scratch.write(Self.momentClient, as: "moment.py")
      try scratch.write(
        Self.scenario(
          [("client", "command: [python3, ./moment.py]")], horizon: "8 s",
          more: """
            engine: { turn: { takes: 0.2 s } }
            expect:
              client:
                attempts.copy: 2
                attempts.original: 1
                landed: all
                duplicates: 0
                repeated: 20 KB
                exit: 0
            """), as: "moment.yaml")
      let ending = try await onebar("run", "moment.yaml", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.errors)")
      let record = try scratch.result(of: "moment")
      #expect(record.expectations.allSatisfy { $0.pass }, "\(record.expectations)")
      let client = record.variants[0]
      #expect(
        Self.texts(client)
          == ["copy kept", "answer False", "copy replayed", "answer True", "original kept"])
      #expect(client.exactlyOnce.moments == 1 && client.process?.unassigned == 0)
      #expect(client.files.map(\.replays) == [1, 0])
      #expect(client.files.allSatisfy { $0.sha256Matches == true })
    }

    @Test func `a run that is interrupted leaves no process of a command behind`() async throws {
      let scratch = try Scratch()
      try scratch.write(
        Self.scenario(
          [("client", "command: [sh, -c, 'echo $$; sleep 60 & echo $!; wait']")],
          horizon: "60 s"), as: "stopped.yaml")
      let run = try OnebarProcess(["run", "stopped.yaml"], in: scratch)
      #expect(
        await eventually(within: 20) {
          run.outputSoFar.contains("client  0.") || !run.children.isEmpty
        })
      try await Task.sleep(for: .seconds(1))
      run.signal(SIGINT)
      #expect(try await run.end(within: 20).code == 130)
      let client = try scratch.result(of: "stopped").variants[0]
      let pids = Self.texts(client).compactMap { pid_t($0) }
      #expect(pids.count == 2 && !pids.contains(where: OnebarProcess.isRunning))
      #expect(client.outcome == .interrupted && client.process?.ending == nil)
    }
  }
}
