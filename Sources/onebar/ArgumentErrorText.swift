import Scenarios

extension ArgumentError: CustomStringConvertible {
  /// The fact and the next step, as one line without a line break.
  package var description: String {
    switch self {
    case .noCommand(let known):
      "a command is missing; known commands: \(known.joined(separator: ", "))"
    case .unknownCommand(let name, let known):
      "unknown command \"\(name)\"; \(suggestion(for: name, in: known, called: "commands"))"
    case .unknownOption(let name, let command, let known):
      "\(command) has no option \"\(name)\"; "
        + suggestion(for: name, in: known, called: "options")
    case .missingValue(let option): "\(option) needs a value; write it as \(option) VALUE"
    case .missingOption(let option, let command):
      "\(command) needs \(option); onebar \(command) --help shows an example"
    case .unexpectedValue(let option, let value):
      "\(option) takes no value, but \"\(value)\" was given; leave out \"=\(value)\""
    case .givenTwice(let option): "\(option) is given twice; leave out one"
    case .tooFewArguments(let command, let argument, let needed):
      needed == 1
        ? "\(command) needs \(argument); onebar \(command) --help shows an example"
        : "\(command) needs \(argument) \(needed) times; onebar \(command) --help shows an example"
    case .tooManyArguments(let command, let first):
      "\(command) does not take \"\(first)\"; onebar \(command) --help shows what it takes"
    case .badValue(let option, let reason): "\(option): \(reason)"
    }
  }

  private func suggestion(
    for word: String, in known: [String], called noun: String
  ) -> String {
    let whole = known.first { $0.hasSuffix(" \(word)") }
    if let nearest = whole ?? Spelling.nearest(to: word, in: known) {
      return "did you mean \"\(nearest)\"?"
    }
    return "known \(noun): \(known.joined(separator: ", "))"
  }
}
