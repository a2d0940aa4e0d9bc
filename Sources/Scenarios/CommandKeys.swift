import Captures

/// The keys of a variant that is a command: a client that somebody else wrote.
enum CommandKeys {
  static let command = Field(
    "command", Reading(schema: words.schema, read: readCommand),
    """
    The program that is run as the client, and its arguments: a path from the folder of this file \
    (./client), a whole path, or a name that is looked for in PATH. {engine} is the URL through \
    the link, {capture} the file of the one capture, {copy} its smaller copy, {captures} the folder \
    of all, {work} a folder that the client may keep things in.
    """)
  static let tty = Field(
    "tty", .yesOrNo,
    "Whether the command has a terminal, as it has when this is left out, or a pipe.")
  static let dilates = Field(
    "dilates", .yesOrNo,
    """
    Whether it divides its own times by ONEBAR_TIME_FACTOR, so that time may run faster; no when it \
    is left out.
    """)
  static let sends = Field(
    "sends",
    .list(of: .word(UploadStep.files.map(\.rawValue)), count: 1...UploadStep.files.count),
    """
    Whose files it is to send; when it is left out, what {capture} and {copy} name, or with neither \
    all files.
    """)
  static let figures = Field(
    "figures", FigureKeys.reading,
    """
    Where in its lines figures stand, which are held against link and engine; without it no line is \
    judged.
    """)

  private static let words = Reading.list(
    of: Reading<String>.scalar(.text(pattern: nil, example: "\"{capture}\"")) { $0 },
    count: 1...ScenarioLimits.commandWords)

  private static func readCommand(
    _ node: YAMLNode, _ problems: inout ProblemList
  ) -> Placed<[CommandWord]>? {
    guard case .sequence(let nodes) = node.content else {
      if case .scalar = node.content {
        problems.add(.commandAsOneText, at: node.mark)
      } else {
        _ = words.read(node, &problems)
      }
      return nil
    }
    let texts = words.read(
      YAMLNode(.sequence(nodes.filter { !takesPlaceholder($0, &problems) }), at: node.mark),
      &problems)
    let known = problems.items.count
    let commandWords = zip(nodes, texts ?? []).compactMap { node, text -> CommandWord? in
      guard let text else { return nil }
      do throws(Refusal) {
        return try CommandWord(text, at: node.mark)
      } catch {
        problems.add(error.problem, at: node.mark)
        return nil
      }
    }
    if let program = commandWords.first, let placeholder = program.placeholders.first {
      problems.add(.placeholderAsProgram(placeholder.rawValue), at: program.mark)
    }
    guard problems.items.count == known, commandWords.count == nodes.count else { return nil }
    return Placed(value: commandWords, mark: node.mark)
  }

  /// `{capture}` without quotes is a mapping to YAML.
  private static func takesPlaceholder(_ node: YAMLNode, _ problems: inout ProblemList) -> Bool {
    guard case .mapping(let entries) = node.content, let entry = entries.first,
      entries.count == 1, case .scalar("") = entry.value.content
    else { return false }
    problems.add(.placeholderWithoutQuotes(entry.key), at: node.mark)
    return true
  }
}
