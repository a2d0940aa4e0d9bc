/// What a request uploads outside of any moment.
package struct Upload: Hashable, Sendable {
  /// An id or a path; attempts are counted by it.
  package var name: String
  /// It can name one content only, so that whoever sends it again means the same.
  package var isID: Bool
}
