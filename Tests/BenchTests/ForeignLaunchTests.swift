import FoundationEssentials
import Glibc
import Scenarios
import Testing
import Uploads

@testable import Bench

/// How a command finds its program and its environment.
struct ForeignLaunchTests {
  @Test func `its environment is the user's, without what would divert it, and what it is told`() {
    let user = [
      "HOME": "/h", "http_proxy": "x", "HTTPS_PROXY": "x", "All_Proxy": "x", "NO_PROXY": "x",
      "ONEBAR_SHARDS": "5", "TERM": "dumb", "COLUMNS": "200",
    ]
    let common = ["no_proxy=127.0.0.1,localhost", "NO_PROXY=127.0.0.1,localhost"]
    #expect(
      ForeignLaunch.environment(user, hasTerminal: true, own: ["ONEBAR_WORK=/w"])
        == ["HOME=/h"] + common + ["TERM=xterm", "ONEBAR_WORK=/w"])
    #expect(
      ForeignLaunch.environment(user, hasTerminal: false, own: [])
        == ["COLUMNS=200", "HOME=/h", "TERM=dumb"] + common)
  }

  @Test func `a program is a name in PATH, a path, or a path from the scenario's folder`() throws {
    let folder = try WorkFolder(inMemory: true)
    let path = try folder.makeFolder("clients")
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: "\(path)/client"))
    func found(_ program: String) -> String {
      switch ForeignProgram.path(program, in: path) {
      case .success(let path): path
      case .failure(let missing): missing.reason
      }
    }
    #expect(found("./client") == "it is not executable; allow it with chmod +x")
    chmod("\(path)/client", 0o700)
    #expect(found("./client") == "\(path)/./client")
    #expect(found("\(path)/client") == "\(path)/client")
    for (line, reason) in [
      ("#! /no/such/sh -e\n", "its first line names /no/such/sh, and there is no such file"),
      ("#!/bin/sh\r\necho\r\n", "its lines end with CR LF; end them with LF"),
    ] {
      try Data(line.utf8).write(to: URL(filePath: "\(path)/script"))
      chmod("\(path)/script", 0o700)
      #expect(found("./script") == reason)
    }
    #expect(found("./other") == "there is no such file in \(path), where this file is")
    #expect(found("/nowhere/client") == "there is no such file")
    #expect(found("../clients") == "it is a folder")
    #expect(found("sh").hasSuffix("/sh"))
    #expect(
      found("no-such-client")
        == "no folder in PATH has such a program; install it, or write its path, such as "
        + "./no-such-client")
  }

  @Test func `only variants that are all built in run faster when nothing is said`() {
    let builtIn = Variant(name: "after", policy: .after)
    #expect(TimeMode.usual(for: [builtIn]) == .dilated)
    let command = Variant(name: "mine", client: .command(ForeignClient(command: [])))
    #expect(TimeMode.usual(for: [builtIn, command]) == .real)
  }
}
