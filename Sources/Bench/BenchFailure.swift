/// Why a run could not be made: the bench, its surroundings or its files, never the client's work.
package struct BenchFailure: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
