/// A place where the repository breaks one of its rules, and the way out.
struct Finding: Hashable, CustomStringConvertible {
  var path: String
  /// Counts from 1.
  var line: Int
  var message: String

  var description: String { "\(path):\(line): error: \(message)" }
}
