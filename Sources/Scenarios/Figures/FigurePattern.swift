package import Captures

/// How figures are read from the lines of a client that is not ours.
package struct FigurePattern: Hashable, Sendable {
  /// The groups that a pattern may have.
  package enum Group: String, Hashable, Sendable, CaseIterable {
    case claimed, total, rate
  }

  /// Which figures stand where, in named groups; nil when lines only say that a file is done.
  package var pattern: String?
  package var unit: FigureUnit
  /// The file that the lines are about; nil when it is the one under way.
  package var file: UploadStep?
  /// A line with this says that the file has landed.
  package var done: String?

  package init(
    _ pattern: String?, unit: FigureUnit = .bytes, file: UploadStep? = nil, done: String? = nil
  ) {
    self.pattern = pattern
    self.unit = unit
    self.file = file
    self.done = done
  }
}
