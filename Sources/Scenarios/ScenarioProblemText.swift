import LinkModel
import Quantities
import ScratchEngine

extension ScenarioProblem {
  /// The fact, and where there is one, the next step.
  package var text: String {
    switch self {
    case .fileTooLarge(let bytes):
      "the file has \(ByteCount(bytes)); a scenario has at most "
        + "\(ByteCount(ScenarioLimits.fileBytes))"
    case .notUTF8: "this is not UTF-8; save the file as UTF-8"
    case .emptyFile:
      "the file is empty; start a scenario with \"name: ...\", an engine's script with \"script:\""
    case .syntax(let reason): "this is not YAML: \(reason)\(Self.hint(for: reason))"
    case .directive: "YAML directives are not used here; remove the line that starts with %"
    case .secondDocument: "a file holds one scenario; put the second one in its own file"
    case .anchor: "anchors (&) are not used here; remove it and write the values out"
    case .alias: "aliases (*) are not used here; write the values out"
    case .tag: "tags (!) are not used here; remove it, the key decides the type"
    case .tooDeep: "nested more than \(ScenarioLimits.depth) deep"
    case .tooManyNodes: "more than \(ScenarioLimits.nodes) values"
    case .keyIsNoText: "a key is a plain word"
    case .duplicateKey(let key, let first):
      "the key \(quoted(key)) is here twice; it was first on line \(first.line)"
    case .wrongKind(let expected, let found, let keys):
      "expected \(expected.rawValue), found \(found.rawValue)"
        + (keys.isEmpty ? "" : "; known keys: \(keys.joined(separator: ", "))")
    case .keysForValue(let example):
      "expected a value, found keys with values; write it after the colon, such as \(example)"
    case .unknownKey(let key, let known):
      "unknown key \(quoted(key)); \(Self.suggestion(for: key, in: known, called: "keys"))"
    case .missingKey(let key, let example):
      "the key \(quoted(key)) is missing; add \(example)"
    case .needsOneOf(let keys, let found):
      found.isEmpty
        ? "one of the keys \(Self.list(keys)) is needed"
        : "only one of the keys \(Self.list(keys)) can be here, found \(Self.list(found))"
    case .listLength(let count, let allowed):
      count < allowed.lowerBound
        ? "expected at least \(allowed.lowerBound), found \(count)"
        : "expected at most \(allowed.upperBound), found \(count)"
    case .unknownWord(let word, let known):
      "\(quoted(word)) is not known here; \(Self.suggestion(for: word, in: known, called: "words"))"
    case .unknownPreset(let name):
      "there is no preset \(quoted(name)); "
        + (Spelling.nearest(to: name, in: LinkPreset.names).map { "did you mean \"\($0)\"?" }
          ?? "onebar proxy --presets lists them")
    case .quantity(let reason): reason
    case .outOfRange(let text, let least, let most):
      "\(quoted(text)) is out of range; it can be \(least) to \(most)"
    case .notWhole(let text, let example):
      "\(quoted(text)) is not a whole number from 0 up; write it as \(example)"
    case .notDegrees(let text):
      "\(quoted(text)) is not a number of degrees; write it as 48.8583"
    case .notFactor(let text, let example):
      "\(quoted(text)) is not a number; write it as \(example)"
    case .notMoment(let text):
      "\(quoted(text)) is not a time of day with its offset; "
        + "write it as 2026-05-04T19:12:33+02:00"
    case .notIdentifier(let text):
      "\(quoted(text)) cannot be a name; use up to \(ScenarioLimits.identifierCharacters) of "
        + "a-z, 0-9 and -, and start with a letter"
    case .emptyText: "the text is empty"
    case .tooLong(let characters, let most):
      "the text has \(characters) characters; it can have \(most)"
    case .controlCharacter: "the text holds a control character or a line break"
    case .notHeaderName(let text): "\(quoted(text)) is not the name of a header"
    case .framingHeader(let name):
      "\(name) is written by the engine; for an answer that breaks off, write at: { answer: 20 B } "
        + "with a close"
    case .notPath(let text):
      "\(quoted(text)) is not a path without query; write it as /api/moments/*/turns"
    case .notPattern(let text, let why, let before):
      "\(quoted(text)) is no pattern of PCRE2: \(why), at its character \(before + 1)"
    case .noGroup(let name):
      "the pattern has no group \(quoted(name)), so it reads nothing; write (?<\(name)>[0-9.]+) where "
        + "the figure stands"
    case .unknownGroup(let name, let known):
      "no figure is called \(quoted(name)); \(Self.suggestion(for: name, in: known, called: "groups")) "
        + "For brackets that read nothing write (?: )"
    case .groupOfDone(let name):
      "no figure is read by \"done\"; move the group \(quoted(name)) to a pattern"
    case .notYet(let fact): fact
    case .nameTaken(let name, let first):
      "the name \(quoted(name)) is taken on line \(first.line); give each capture its own"
    case .namedLikeACopy(let name):
      "\(quoted(name)) ends like the name of a copy's file; leave out \"-copy\""
    case .copyNotSmaller(let copy, let original):
      "the copy (\(copy)) has to be smaller than the original (\(original))"
    case .firstStepLate(let time):
      "the first step is at \(time.text), and what the rate is before that is not said; start at 0 s"
    case .needsKey(let key, let other):
      "\(quoted(other)) belongs to \(quoted(key)), which is not here; add it, or remove this"
    case .lumpsWithoutRate:
      "lumps gather what a rate carries; give a rate such as 20 KB/s, or remove the lumps"
    case .lumpTooLarge(let lump, let room):
      "a lump is \(lump), and at most \(room) wait for it (of the buffer, the kernels hold up to "
        + "\(ScenarioLimits.kernelPart)); the rest would be lost, so use shorter lumps or a larger buffer"
    case .answerLumpTooLarge(let lump):
      "a lump is \(lump), and at most \(LinkConditions.defaultBuffer) of answers wait for it; the "
        + "rest would be lost, so use shorter lumps"
    case .noFile(let name):
      "\(quoted(name)) cannot be read; name a file beside this one, or its path from here"
    case .trace(let name, let reason): "\(quoted(name)) is no trace: \(reason)"
    case .stepsOutOfOrder(let time, let previous):
      "the step at \(time.text) comes after the one at \(previous.text); sort them by time, each "
        + "at its own"
    case .outagesOverlap(let time, let end):
      "the link is offline until \(end.text) already, so it cannot go offline at \(time.text); "
        + "join the two, or sort them by time"
    case .beyondHorizon(let time, let horizon):
      "\(time.text) is beyond the horizon (\(horizon.text)): it would never happen"
    case .actsOutOfOrder(let time, let previous):
      "the act at \(time.text) comes after the one at \(previous.text); sort them by time"
    case .startOfTheLiving:
      "the client is running already; a start needs a kill or a power-loss before it"
    case .actOfTheDead(let word, let since, let end):
      "no client runs since the \(end) at \(since.text); a \(word) needs a start before it"
    case .savedWhileDead(let capture, let since, let end):
      "\(capture) would be saved while no client runs (\(end) at \(since.text)); "
        + "move the capture or the acts"
    case .withoutAnswer(let key):
      "\(quoted(key)) belongs to an answer; add answer: 503, or remove it"
    case .statusWithoutBody(let status):
      "an answer \(status) has no body (RFC 9112, section 6.3); remove it, or write another status"
    case .afterWithoutClose:
      "\"after\" is the time from an answer to a close; add both, or remove it"
    case .lengthNotLonger(let length, let body):
      "the body has \(body) B, and \(length) is not more; a length is what the answer claims and "
        + "does not send, so write more, or remove it"
    case .mismatch(.answerBeforeRequest):
      "nobody has asked yet; write at: head, or close"
    case .mismatch(.dribbleBeforeStored):
      "there is no answer yet that could dribble; write at: stored or { answer: 20 B }, or leave "
        + "\"at\" out; an answer of the script's own has dribble beside it"
    case .mismatch(.delayBeforeWhole):
      "until the body has come there is nothing to delay; write stall, or at: whole"
    case .mismatch(.stallBehindWhole):
      "the whole request was read by then; write delay, or at: head or { body: 500 KB }"
    case .mismatch(.answerInAnswer):
      "an answer is going out already; write at: whole or stored, or close"
    case .mismatch(.continueBehindHead):
      "a client waits for 100 Continue behind its head; write at: head, or leave it out"
    case .emptyWindow: "\"until\" has to be later than \"from\"; nothing is in between"
    case .powerIsLost: "the power is lost already; a second power-loss needs a start before it"
    case .diskIsFull: "the disk is full already; a second fill-disk needs a free-disk before it"
    case .diskIsNotFull: "the disk is not full; a free-disk needs a fill-disk before it"
    case .keyOfOtherActs(let key, let acts):
      "\(key) belongs to \(acts.joined(separator: " and ")); write do: \(acts[0]), or remove it"
    case .unknownCapture(let name, let known):
      "no capture is named \(quoted(name)); "
        + Self.suggestion(for: name, in: known, called: "captures")
    case .notKeptYet(let capture, let time):
      "\(capture) is only saved at \(time.text), so nothing can be done with it before; move the "
        + "act behind that"
    case .clockTooFar(let sum):
      "all jumps so far move the wall clock by \(sum.text); it can be off by "
        + "\(ScenarioLimits.clockJump.upperBound.text), 100 years, either way"
    case .virtualOnly(let word):
      "\(word) happens in the virtual world only, which has a power and a disk of its own; "
        + "run it with --time virtual, and without --against"
    case .attemptZero: "attempts are counted from 1, so this rule can never match"
    case .stepOfNoCapture(let step):
      "no capture here has the step \(quoted(step)), so this rule can never match"
    case .ruleNeverReached(let first):
      "the rule on line \(first.line) matches all of these first, so this one can never act"
    case .connectionsEnd(let first):
      "the rule on line \(first.line) ends every connection before a request, so this one can never "
        + "act; give that one a connection, a time or times"
    case .attemptIsTaken(let attempt, let first):
      "the rule on line \(first.line) acts on attempt \(attempt) of the one capture that has this "
        + "step, so this one can never act; write a later attempt, or put this rule first"
    case .connectKnowsNo(let key):
      "nothing is known of a request when a connection is accepted, so a rule at: connect with "
        + "\(quoted(key)) can never match; write connection, from or until, or at: head"
    case .methodOfNoStep(let method, let step, let methods):
      "a \(step) is never sent by \(method), so this rule can never match; write "
        + "\(methods.joined(separator: " or ")), or remove it"
    case .pathOfNoStep(let path, let step, let paths):
      "a \(step) never goes to \(quoted(path)), so this rule can never match; its path is "
        + "\(paths.joined(separator: " or ")), so remove one of the two"
    case .attemptOfNothingCounted:
      "attempts are counted of steps and of uploads, and nothing here is one, so this rule can "
        + "never match; write times: 1, or another path"
    case .bodyAboveAll(let size, let largest):
      "no body here has \(size) or more, so this rule can never match; the largest that it could "
        + "match has \(largest)"
    case .placeBeyondBodies(let place, let largest):
      "no body that this rule matches comes to \(place), so it can never act; the largest has "
        + "\(largest)"
    case .stepWithoutBody(let step):
      "a \(step) has no body, so this rule can never act; write at: head or whole"
    case .placeBeyondReceipt(let place):
      "no answer to a file comes to \(place), so this rule can never act; its head and the receipt "
        + "are within \(ByteCount(ScenarioLimits.receiptBytes))"
    case .openedBehindTheDark(let from, let dark):
      "connections opened from \(from.text) are not there at \(dark.text), so this can never "
        + "happen; write an earlier from, or remove it"
    case .settingOfBuiltIn(let key):
      "\(quoted(key)) is of the built-in client, and this variant is a command; remove one of the two"
    case .commandAsOneText:
      "a command is a list, the program and then its arguments; write "
        + "[curl, -T, \"{capture}\", \"{engine}/files/photo\"]"
    case .placeholderWithoutQuotes(let word):
      "YAML takes {\(word)} for keys with values; put it in quotes, \"{\(word)}\""
    case .placeholderAsProgram(let word):
      "a program has to be there before the run, so that {\(word)} cannot name it; write its path"
    case .unknownPlaceholder(let word, let known):
      "{\(word)} is no placeholder; "
        + Self.suggestion(for: word, in: known, called: "placeholders")
        + " For the text itself write {{\(word)}}"
    case .placeholderOfOne(let word, let captures):
      captures == 1
        ? "the capture here has no file that {\(word)} could stand for; write {captures}, the folder "
          + "of all files"
        : "{\(word)} stands for the file of one capture, and here are \(captures); write {captures}, "
          + "the folder of all files"
    case .sendsNothing(let step): "no capture here has a file of the step \(quoted(step))"
    case .savedLaterThanCommand(let capture, let time, let variant):
      "\(capture) is saved at \(time.text), and a command (\(variant)) has all files from its start; "
        + "write at: 0 s, or give the command a scenario of its own"
    case .actOfBuiltIn(let word, let variant):
      "\(word) is done to the built-in client, and \(variant) is a command, which can be killed and "
        + "started only; remove it, or give the command a scenario of its own"
    case .noProgram(let program, let reason): "\(quoted(program)) cannot be run: \(reason)"
    case .commandInVirtualTime(let variant):
      "\(variant) is a command, a process that cannot be simulated; run it with --time 1x"
    case .commandAtOwnPace(let variant):
      "\(variant) is a command whose own times do not run faster; run it with --time 1x, or write "
        + "dilates: yes if it divides them by ONEBAR_TIME_FACTOR"
    case .measureOfFigures(let measure, let variant):
      "\(quoted(measure)) needs lines that can be judged, and \(variant) is a command without figures; "
        + "say where they stand, figures: { pattern: '(?<claimed>[0-9.]+) MB' }, or remove it"
    case .measureOfBuiltIn(let measure, let variant):
      "\(quoted(measure)) is known of the built-in client only, and \(variant) is a command; remove it"
    case .measureOfCommands(let measure, let variant):
      "\(quoted(measure)) is known of a command only, and \(variant) is the built-in client, which the "
        + "bench ends; remove it"
    case .unknownVariant(let name, let known):
      "\(quoted(name)) is not a variant of this file; "
        + Self.suggestion(for: name, in: known, called: "variants")
    case .measureOfNoCapture(let measure, let step):
      "\(quoted(measure)) measures nothing: no capture here has the step \(quoted(step))"
    case .notExpected(let text, let measure, let accepted):
      "\(quoted(text)) cannot be expected of \(measure); write \(accepted)"
    }
  }

  private static func suggestion(
    for word: String, in known: [String], called noun: String
  ) -> String {
    if let nearest = Spelling.nearest(to: word, in: known) { return "did you mean \"\(nearest)\"?" }
    return "known \(noun): \(known.joined(separator: ", "))"
  }

  /// What the usual slip behind a message of the parser is.
  private static func hint(for reason: String) -> String {
    if reason.contains("block scalar") || reason.contains("cannot start any token") {
      return "; put a text that starts with a sign, such as \">= 299\", in quotes"
    }
    if ["block mapping", "block collection", "mapping values"].contains(where: reason.contains) {
      return "; look at the indentation and the colons of this line and the one above"
    }
    return ""
  }

  private static func list(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

/// The text in quotes, on one line, and cut when it is long.
func quoted(_ text: String) -> String {
  let shown = text.unicodeScalars.prefix(61).map { scalar in
    scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
  }
  return "\"\(String(shown.prefix(60)))\(shown.count > 60 ? "..." : "")\""
}
