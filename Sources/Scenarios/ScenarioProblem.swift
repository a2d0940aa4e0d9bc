package import Quantities
package import ScratchEngine

/// What is wrong with a scenario file: the fact alone; ``ScenarioProblem/text`` words it.
package enum ScenarioProblem: Hashable, Sendable {
  // The file and its YAML.
  case fileTooLarge(bytes: Int)
  case notUTF8
  case emptyFile
  case syntax(String)
  case directive, secondDocument
  case anchor, alias, tag
  case tooDeep, tooManyNodes
  case keyIsNoText
  case duplicateKey(String, first: Mark)

  // One value against its key.
  /// With the keys that a mapping can have, where they are known.
  case wrongKind(expected: ExpectedKind, found: YAMLNode.Content.Kind, keys: [String] = [])
  /// Keys where a plain value belongs.
  case keysForValue(example: String)
  case unknownKey(String, known: [String])
  case missingKey(String, example: String)
  /// Of the keys, exactly one has to be there.
  case needsOneOf([String], found: [String])
  case listLength(Int, allowed: ClosedRange<Int>)
  case unknownWord(String, known: [String])
  case unknownPreset(String)
  /// A value that its type refuses, with what the type says.
  case quantity(String)
  case outOfRange(String, least: String, most: String)
  case notWhole(String, example: String)
  case notDegrees(String)
  case notFactor(String, example: String)
  case notMoment(String)
  case notIdentifier(String)
  case emptyText
  case tooLong(characters: Int, most: Int)
  case controlCharacter
  case notHeaderName(String)
  /// A header that says where an answer ends, which the engine writes by what it sends.
  case framingHeader(String)
  case notPath(String)
  /// What PCRE2 says, and behind how many characters.
  case notPattern(String, why: String, before: Int)
  case noGroup(String)
  case unknownGroup(String, known: [String])
  case groupOfDone(String)
  case notYet(String)

  // Values against each other.
  case nameTaken(String, first: Mark)
  case namedLikeACopy(String)
  case copyNotSmaller(copy: ByteCount, original: ByteCount)
  case firstStepLate(Duration)
  case needsKey(String, for: String)
  case lumpsWithoutRate
  case lumpTooLarge(ByteCount, room: ByteCount)
  case answerLumpTooLarge(ByteCount)
  case noFile(String)
  case trace(String, reason: String)
  case stepsOutOfOrder(Duration, previous: Duration)
  case outagesOverlap(Duration, end: Duration)
  case beyondHorizon(Duration, horizon: Duration)
  case actsOutOfOrder(Duration, previous: Duration)
  /// A key that only an answer can have.
  case withoutAnswer(String)
  case statusWithoutBody(Int)
  case afterWithoutClose
  /// A length that an answer claims, and the bytes that it has.
  case lengthNotLonger(ByteCount, body: Int)
  case mismatch(ScriptedDeed.Mismatch)
  case emptyWindow
  case startOfTheLiving
  /// An act that needs a client that runs, since when none does, and what ended it.
  case actOfTheDead(String, since: Duration, end: String)
  case savedWhileDead(capture: String, since: Duration, end: String)
  case powerIsLost
  case diskIsFull, diskIsNotFull
  /// A key that only these acts have.
  case keyOfOtherActs(String, acts: [String])
  case unknownCapture(String, known: [String])
  case notKeptYet(capture: String, at: Duration)
  case clockTooFar(Duration)
  /// The word of an act that a real run cannot do.
  case virtualOnly(String)
  case attemptZero
  case stepOfNoCapture(String)
  case ruleNeverReached(first: Mark)
  /// Rules that act on every connection before any request.
  case connectionsEnd(first: Mark)
  case attemptIsTaken(Int, first: Mark)
  /// A key that says something of requests, in a rule that acts before there is one.
  case connectKnowsNo(String)
  case methodOfNoStep(String, step: String, methods: [String])
  case pathOfNoStep(String, step: String, paths: [String])
  case attemptOfNothingCounted
  case bodyAboveAll(ByteCount, largest: ByteCount)
  case placeBeyondBodies(ByteCount, largest: ByteCount)
  case stepWithoutBody(String)
  case placeBeyondReceipt(ByteCount)
  case openedBehindTheDark(Duration, dark: Duration)

  // Clients by command.
  case settingOfBuiltIn(String)
  case commandAsOneText
  case placeholderWithoutQuotes(String)
  case placeholderAsProgram(String)
  case unknownPlaceholder(String, known: [String])
  /// A placeholder that stands for one file, of so many captures, or of one that has none such.
  case placeholderOfOne(String, captures: Int)
  case sendsNothing(String)
  case savedLaterThanCommand(String, at: Duration, variant: String)
  /// An act that only the built-in client knows.
  case actOfBuiltIn(String, variant: String)
  /// A program that cannot be executed, with the reason and the next step.
  case noProgram(String, reason: String)
  case commandInVirtualTime(variant: String)
  case commandAtOwnPace(variant: String)
  /// A measure that only the built-in client tells, or that only a command has.
  case measureOfBuiltIn(String, variant: String)
  case measureOfFigures(String, variant: String)
  case measureOfCommands(String, variant: String)

  // Expectations.
  case unknownVariant(String, known: [String])
  case measureOfNoCapture(String, step: String)
  case notExpected(String, measure: String, accepted: String)

  package enum ExpectedKind: String, Hashable, Sendable {
    case value = "a value"
    case list = "a list"
    case mapping = "keys with values"
  }
}

extension YAMLNode.Content {
  /// What a node is, in the words of someone who writes one.
  package enum Kind: String, Hashable, Sendable {
    case value = "a value"
    case nothing = "nothing"
    case list = "a list"
    case mapping = "keys with values"
  }

  package var kind: Kind {
    switch self {
    case .scalar(let text): text.isEmpty ? .nothing : .value
    case .sequence: .list
    case .mapping: .mapping
    case .refused: .nothing
    }
  }
}

/// Problems in the order in which they were found, each with its place.
package struct ProblemList: Hashable, Sendable {
  package struct Placed: Hashable, Sendable {
    package var problem: ScenarioProblem
    package var mark: Mark
  }

  package private(set) var items: [Placed] = []

  package init() {}

  package mutating func add(_ problem: ScenarioProblem, at mark: Mark) {
    items.append(Placed(problem: problem, mark: mark))
  }

  package mutating func add(contentsOf other: ProblemList) {
    items += other.items
  }
}

/// One error of a scenario file, with its place.
package struct ScenarioError: Error, Hashable, CustomStringConvertible {
  package var file: String
  package var mark: Mark
  package var problem: ScenarioProblem

  /// `file:line:column: error: fact; next step`, as compilers write it and editors find it.
  package var description: String {
    "\(file):\(mark.line):\(mark.column): error: \(problem.text)"
  }
}

/// All errors of one scenario file, in the order of their places.
package struct ScenarioErrors: Error, Hashable, CustomStringConvertible {
  package var errors: [ScenarioError]
  /// Errors that were found and are not listed.
  package var unlisted: Int

  package init(_ problems: ProblemList, file: String) {
    // Equal places keep the order in which they were found.
    let sorted = problems.items.enumerated().sorted {
      ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset)
    }
    errors = sorted.prefix(ScenarioLimits.errorsListed).map {
      ScenarioError(file: file, mark: $0.element.mark, problem: $0.element.problem)
    }
    unlisted = sorted.count - errors.count
  }

  /// A line for each error.
  package var description: String {
    var lines = errors.map(\.description)
    if unlisted > 0 { lines.append("and \(unlisted) more errors") }
    return lines.joined(separator: "\n")
  }
}
