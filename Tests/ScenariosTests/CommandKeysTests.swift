import Captures
import Scenarios
import Testing

/// Variants that are a command: what is read, and what is refused.
struct CommandKeysTests {
  private func client(_ text: String) throws -> ForeignClient {
    try #require(try decode(text).get().variants[0].command)
  }

  private func with(_ variant: String, expect: String = "attempts: 1") -> String {
    sound.replacing(once: "{ client: outbox, policy: before }", with: variant)
      .replacing(once: "attempts: 1", with: expect)
  }

  @Test func `a command has its words, and says what it has, honours and sends`() throws {
    let client = try client(foreign)
    let filled = client.command.map { $0.filled { "<\($0)>" } }
    #expect(filled == ["./client", "--to", "<engine>/files/{id}", "<captures>", "%{json}"])
    #expect(!client.hasTerminal && client.dilates)
    #expect(client.sends == [.original])
    #expect(client.sends(.original) && !client.sends(.copy))
  }

  @Test func `what is not said is a terminal, and a pace of its own`() throws {
    let client = try client(with("{ command: [curl] }"))
    #expect(client.hasTerminal && !client.dilates && client.sends == nil)
  }

  @Test(arguments: [
    (#"[c, "{capture}"]"#, [StepName.original]), (#"[c, "{copy}"]"#, [.copy]),
    (#"[c, "{capture}", "{copy}"]"#, [.copy, .original]),
    (#"[c, "{captures}/x", "{copy}"]"#, [.copy, .original]), ("[c]", [.copy, .original]),
  ])
  func `who is given a file sends that one, and who is given the folder all`(
    command: String, sends: [StepName]
  ) throws {
    let client = try client(with("{ command: \(command) }"))
    #expect([StepName.copy, .original].filter(client.sends) == sends)
  }

  @Test(arguments: [
    Mistake(
      "a built-in client's settings beside it", "{ client: outbox, policy: before }",
      "{ command: [c], client: outbox, idle: 5 s }",
      #"13:27: error: "client" is of the built-in client, and this variant is a command; remove one "#
        + "of the two"),
    Mistake(
      "a command's settings beside a policy", "policy: before }", "policy: before, dilates: yes }",
      #"13:45: error: "dilates" belongs to "command", which is not here; add it, or remove this"#),
    Mistake(
      "one text", "{ client: outbox, policy: before }", "{ command: curl -T x }",
      "13:22: error: a command is a list, the program and then its arguments; write "
        + #"[curl, -T, "{capture}", "{engine}/files/photo"]"#),
    Mistake(
      "no quotes", "{ client: outbox, policy: before }", "{ command: [c, {captures}] }",
      #"13:26: error: YAML takes {captures} for keys with values; put it in quotes, "{captures}""#),
    Mistake(
      "misspelt placeholder", "{ client: outbox, policy: before }",
      #"{ command: [c, "{captres}"] }"#,
      #"13:26: error: {captres} is no placeholder; did you mean "captures"? For the text itself "#
        + "write {{captres}}"),
    Mistake(
      "placeholder as program", "{ client: outbox, policy: before }",
      #"{ command: ["{work}/client"] }"#,
      "13:23: error: a program has to be there before the run, so that {work} cannot name it; write "
        + "its path"),
    Mistake(
      "nothing", "{ client: outbox, policy: before }", "{ command: [] }",
      "13:22: error: expected at least 1, found 0"),
    Mistake(
      "sends what is not there", "{ client: outbox, policy: before }",
      "{ command: [c], sends: [document] }",
      #"13:22: error: no capture here has a file of the step "document""#),
    Mistake(
      "saved later", "at: 0 s\nvariants:\n  before: { client: outbox, policy: before }",
      "at: 5 s\nvariants:\n  before: { command: [c] }",
      "11:9: error: photo-1 is saved at 5 s, and a command (before) has all files from its start; "
        + "write at: 0 s, or give the command a scenario of its own"),
    Mistake(
      "a measure that only the built-in client tells",
      "{ client: outbox, policy: before }\nexpect:\n  before:\n    attempts: 1",
      "{ command: [c] }\nexpect:\n  before:\n    lost: 0",
      #"16:5: error: "lost" is known of the built-in client only, and before is a command; remove it"#
    ),
    Mistake(
      "exit of the built-in client", "attempts: 1", "exit: 0",
      #"16:5: error: "exit" is known of a command only, and before is the built-in client, which the "#
        + "bench ends; remove it"),
    Mistake(
      "an act of the built-in client", "variants:\n  before: { client: outbox, policy: before }",
      "acts: [{ at: 5 s, do: refresh }]\nvariants:\n  before: { command: [c] }",
      "12:23: error: refresh is done to the built-in client, and before is a command, which can be "
        + "killed and started only; remove it, or give the command a scenario of its own"),
    Mistake(
      "one file of many", "at: 0 s\nvariants:\n  before: { client: outbox, policy: before }",
      "at: 0 s\n  - document: 40 KB\n    at: 0 s\nvariants:\n  before: { command: [c, \"{capture}\"] }",
      "15:26: error: {capture} stands for the file of one capture, and here are 2; write {captures}, "
        + "the folder of all files"),
    Mistake(
      "copy of a document",
      "- photo: { original: 4.31 MB, copy: 1.65 MB }\n    at: 0 s\nvariants:\n"
        + "  before: { client: outbox, policy: before }",
      "- document: 40 KB\n    at: 0 s\nvariants:\n  before: { command: [c, \"{copy}\"] }",
      "13:26: error: the capture here has no file that {copy} could stand for; write {captures}, the "
        + "folder of all files"),
  ])
  func `a mistake gets its place and a way out`(_ mistake: Mistake) {
    let found = errors(in: sound.replacing(once: mistake.old, with: mistake.new))
    #expect(found.first == "a.yaml:\(mistake.error)")
  }

  @Test func `kills and starts are done to a command too`() {
    let acts = "acts: [{ at: 5 s, do: kill }, { at: 6 s, do: start }]\nvariants:"
    #expect(
      errors(
        in: with("{ command: [c] }", expect: "exit: never").replacing(once: "variants:", with: acts)
      )
      .isEmpty)
  }

  @Test func `virtual and faster time are refused, unless it says that it honours the factor`()
    throws
  {
    let slow = try decode(with("{ command: [c] }")).get()
    #expect(
      slow.refusalOfAVirtualRun(of: slow.variants)?.description
        == "a.yaml:13:22: error: before is a command, a process that cannot be simulated; run it with "
        + "--time 1x")
    #expect(
      slow.refusalOfADilatedRun(of: slow.variants)?.description
        == "a.yaml:13:22: error: before is a command whose own times do not run faster; run it with "
        + "--time 1x, or write dilates: yes if it divides them by ONEBAR_TIME_FACTOR")
    #expect(slow.refusalOfADilatedRun(of: []) == nil)
    let honouring = try decode(foreign).get()
    #expect(honouring.refusalOfADilatedRun(of: honouring.variants) == nil)
    #expect(honouring.refusalOfAVirtualRun(of: honouring.variants) != nil)
  }

  @Test func `the limits of a command are refused in words`() {
    let many = Array(repeating: "a", count: 101).joined(separator: ", ")
    #expect(
      errors(in: with("{ command: [\(many)] }")) == [
        "a.yaml:13:22: error: expected at most 100, found 101"
      ])
    #expect(
      errors(in: with("{ command: [c, \(String(repeating: "a", count: 4_097))] }")) == [
        "a.yaml:13:26: error: the text has 4097 characters; it can have 4096"
      ])
  }

  @Test func `its plan is told in words, with the least time that the link needs`() throws {
    let text = ScenarioExplanation(try decode(foreign).get()).text
    #expect(
      text.contains(
        """
        before (command): ./client --to {engine}/files/{id} {captures} %{json}, into a pipe, its times \
        divided by the factor
          It is to send photo-1 original (4.31 MB); how, it decides by itself.
          A line with (?<claimed>[0-9]+)% says how much of the original it has sent, in percent.
          A line with uploaded says that the file under way has landed.
          That takes 215.5 s on the link at least.
          expected: exit: 0
        """), "\(text)")
  }
}
