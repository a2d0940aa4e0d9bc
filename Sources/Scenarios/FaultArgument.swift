package import LinkModel
package import Quantities

extension ConnectionFault {
  /// A fault of the command line: an item of `faults` as scenarios write it, braces or not.
  ///
  /// Throws when it is none, and says where in the text.
  package init(parsing text: String) throws(QuantityError) {
    let item = text.hasPrefix("{") ? text : "{ \(text) }"
    var problems = ProblemList()
    let node = YAMLReader.read(Array(item.utf8), &problems)
    let draft = node.flatMap { FaultKeys.reading.read($0, &problems) }
    guard let draft, problems.items.isEmpty else {
      let facts = problems.items.map(\.problem.text).joined(separator: "; ")
      throw QuantityError("\(quoted(text)): \(facts)")
    }
    self = draft.fault
  }
}
