/// Names by which time, chance or a thread of its own would slip into a pure module.
enum BannedNames {
  private static let time = "the Instant or the LinkClock that is passed in"
  private static let chance = "the SeededRandom that is passed in"
  private static let concurrency = "a task group"

  /// Each name, and what to use.
  static let table = [
    ("Date()", time), ("Date.now", time), ("ContinuousClock", time), ("SuspendingClock", time),
    ("DispatchTime", time), ("clock_gettime", time), ("gettimeofday", time),
    ("Task.sleep", "LinkClock.sleep(until:)"), ("Task {", concurrency), ("Task(", concurrency),
    ("Task.detached", concurrency), ("Task.immediate", concurrency), ("Thread", concurrency),
    ("pthread_create", concurrency), ("DispatchQueue", concurrency),
    ("DispatchSource", concurrency), ("SystemRandomNumberGenerator", chance), ("UUID()", chance),
    ("ProcessInfo", "a value that is passed in"), ("getenv", "a value that is passed in"),
    ("URLSession", "the Transport protocol"),
  ]

  /// Calls that draw from the system's generator unless they are given one.
  static let drawing = ["random(", "randomElement(", "shuffled(", "shuffle("]

  static func findings(in source: SwiftSource) -> [Finding] {
    var found: [Finding] = []
    for (index, line) in source.code.enumerated() {
      // Searching is slow, and few lines hold even the first word of a name.
      let words = Set(line.split { !isPart($0) })
      func mayHold(_ name: String) -> Bool { words.contains(name.prefix(while: isPart)) }
      for (name, instead) in table where mayHold(name) && position(of: name, in: line) != nil {
        found.append(
          Finding(
            path: source.path, line: index + 1,
            message: "\(name) is banned in pure modules, use \(instead)"))
      }
      for name in drawing where mayHold(name) {
        guard let call = position(of: name, in: line) else { continue }
        let rest = ([String(line[call...])] + source.code[(index + 1)...].prefix(5)).joined()
        guard !arguments(of: rest).contains("using:") else { continue }
        found.append(
          Finding(
            path: source.path, line: index + 1,
            message: "\(name)) without using: is banned in pure modules, use \(chance)"))
      }
    }
    return found
  }

  /// Where `name` stands in a line as a whole word.
  static func position(of name: String, in line: String) -> String.Index? {
    line.ranges(of: name).first { range in
      let before = line[..<range.lowerBound].last
      let after = line[range.upperBound...].first
      let endsAsWord = name.last.map(isPart) ?? false
      return !(before.map(isPart) ?? false) && !(endsAsWord && (after.map(isPart) ?? false))
    }?.lowerBound
  }

  /// True of what names are made of.
  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// What stands between the first bracket and the one that closes it.
  private static func arguments(of call: String) -> Substring {
    var depth = 0
    for index in call.indices {
      if call[index] == "(" { depth += 1 }
      if call[index] == ")" { depth -= 1 }
      if depth == 0, call[index] == ")" { return call[..<index] }
    }
    return call[...]
  }
}
