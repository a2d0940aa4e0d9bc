/// One option of a command, such as `--time 60x` or `--json`.
package struct CommandOption: Hashable, Sendable {
  /// With its dashes, such as `--time`.
  package var name: String
  /// Whether a value follows, after a space or after `=`.
  package var takesValue: Bool
  /// Whether it may be given more than once; each value counts.
  package var repeats: Bool

  package static func flag(_ name: String) -> CommandOption {
    CommandOption(name: name, takesValue: false, repeats: false)
  }

  package static func value(_ name: String, repeats: Bool = false) -> CommandOption {
    CommandOption(name: name, takesValue: true, repeats: repeats)
  }
}

/// What one command accepts, and its help.
package struct Command: Sendable {
  /// The words that choose it, such as `["scenario", "check"]`.
  package var path: [String]
  /// The whole page as it is printed: usage, options, exit codes, and an example that works.
  package var help: String
  package var options: [CommandOption]
  /// What a positional argument is called in messages, such as `FILE`.
  package var argument: String
  package var argumentCount: ClosedRange<Int>
  /// A word of another command has to follow, such as `add` behind `client`.
  package var isGroup: Bool

  package init(
    _ path: [String], help: String, options: [CommandOption] = [], argument: String = "argument",
    argumentCount: ClosedRange<Int> = 0...0, isGroup: Bool = false
  ) {
    self.path = path
    self.help = help
    self.options = options
    self.argument = argument
    self.argumentCount = argumentCount
    self.isGroup = isGroup
  }
}

/// What the words after the name of the program ask for.
package enum CommandRequest {
  case run(Command, Arguments)
  /// Help is asked for: of one command, or of the program.
  case help(Command?)
}

/// The options and positional arguments of one command.
package struct Arguments: Hashable, Sendable {
  package var positional: [String] = []
  private var given: [Given] = []

  private struct Given: Hashable, Sendable {
    var option: String
    var value: String?
  }

  package func has(_ flag: String) -> Bool {
    given.contains { $0.option == flag }
  }

  package func value(_ option: String) -> String? {
    values(option).first
  }

  /// Every value of an option that repeats, in the order of the command line.
  package func values(_ option: String) -> [String] {
    given.compactMap { $0.option == option ? $0.value : nil }
  }

  /// The value of an option as a quantity or another type.
  ///
  /// Throws the error of `parse` with the option's name before it.
  package func value<Value>(
    _ option: String, _ parse: (String) throws -> Value
  ) throws(ArgumentError) -> Value? {
    guard let text = value(option) else { return nil }
    do {
      return try parse(text)
    } catch {
      throw .badValue(option: option, reason: "\(error)")
    }
  }

  fileprivate mutating func add(_ option: String, _ value: String? = nil) {
    given.append(Given(option: option, value: value))
  }
}

/// Why a command line is refused: the fact alone; its text and its exit code stand elsewhere.
package enum ArgumentError: Error, Hashable, Sendable {
  case noCommand(known: [String])
  case unknownCommand(String, known: [String])
  case unknownOption(String, command: String, known: [String])
  case missingValue(option: String)
  /// An option that the command cannot do without, with the name of its value.
  case missingOption(String, command: String)
  case unexpectedValue(option: String, value: String)
  case givenTwice(option: String)
  case tooFewArguments(command: String, argument: String, needed: Int)
  case tooManyArguments(command: String, first: String)
  case badValue(option: String, reason: String)
}

/// Reads a command line by a table of commands; prints nothing and ends nothing.
package struct ArgumentReader {
  private static let helpOptions = ["--help", "-h"]

  private let commands: [Command]

  package init(_ commands: [Command]) {
    self.commands = commands
  }

  /// Reads the words after the name of the program.
  ///
  /// Options may stand before, between and after positional arguments; what follows `--` is
  /// positional. Help wins over every mistake, so that someone who is lost gets it.
  package func read(_ words: [String]) throws(ArgumentError) -> CommandRequest {
    let beforeEnd = words.prefix { $0 != "--" }
    let asksForHelp = beforeEnd.contains { Self.helpOptions.contains($0) }
    let command: Command
    do throws(ArgumentError) {
      command = try choose(words)
    } catch {
      if asksForHelp { return .help(nil) }
      throw error
    }
    if asksForHelp { return .help(command) }
    return .run(command, try arguments(of: command, in: words.dropFirst(command.path.count)))
  }

  /// The command whose words come first; of several, the one with the most words.
  private func choose(_ words: [String]) throws(ArgumentError) -> Command {
    let fitting = commands.filter { words.starts(with: $0.path) }
    if let command = fitting.max(by: { $0.path.count < $1.path.count }) {
      let next = words.dropFirst(command.path.count).first
      if command.isGroup, let next, !next.hasPrefix("-") {
        let group = command.path.joined(separator: " ")
        throw .unknownCommand(
          "\(group) \(next)", known: names(after: command.path).map { "\(group) \($0)" })
      }
      return command
    }
    guard let first = words.first, !first.hasPrefix("-") else {
      throw .noCommand(known: names(after: []))
    }
    let group = names(after: [first])
    guard !group.isEmpty else {
      // The second word of a command, as "explain", is as good as its whole name.
      let meant = commands.filter { $0.path.count > 1 && $0.path.last == first }
        .map { $0.path.joined(separator: " ") }
      throw .unknownCommand(first, known: meant.isEmpty ? names(after: []) : meant)
    }
    guard words.count > 1, !words[1].hasPrefix("-") else {
      throw .noCommand(known: group.map { "\(first) \($0)" })
    }
    throw .unknownCommand("\(first) \(words[1])", known: group.map { "\(first) \($0)" })
  }

  /// The words that can come next, each once, in the order of the table.
  private func names(after path: [String]) -> [String] {
    var names: [String] = []
    for command in commands where command.path.starts(with: path) {
      guard let name = command.path.dropFirst(path.count).first else { continue }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func arguments(
    of command: Command, in words: ArraySlice<String>
  ) throws(ArgumentError) -> Arguments {
    let name = command.path.joined(separator: " ")
    var arguments = Arguments()
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        arguments.positional += rest
        break
      }
      // A single dash is the usual name of standard input.
      guard word.hasPrefix("-"), word != "-" else {
        arguments.positional.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let spelling = parts.first.map(String.init) ?? word
      let attached = parts.count == 2 ? String(parts[1]) : nil
      guard let option = command.options.first(where: { $0.name == spelling }) else {
        let known = command.options.map(\.name) + ["--help"]
        throw .unknownOption(spelling, command: name, known: known)
      }
      if arguments.has(option.name), !option.repeats { throw .givenTwice(option: option.name) }
      guard option.takesValue else {
        if let attached { throw .unexpectedValue(option: option.name, value: attached) }
        arguments.add(option.name)
        continue
      }
      if let attached {
        if attached.isEmpty { throw .missingValue(option: option.name) }
        arguments.add(option.name, attached)
      } else if let next = rest.first, !next.hasPrefix("--"), !next.isEmpty {
        rest = rest.dropFirst()
        arguments.add(option.name, next)
      } else {
        throw .missingValue(option: option.name)
      }
    }
    let count = arguments.positional.count
    if count < command.argumentCount.lowerBound {
      throw .tooFewArguments(
        command: name, argument: command.argument, needed: command.argumentCount.lowerBound)
    }
    if count > command.argumentCount.upperBound {
      let first = arguments.positional[command.argumentCount.upperBound]
      throw .tooManyArguments(command: name, first: first)
    }
    return arguments
  }
}
