package import Captures

/// What a line of a client that is not ours says of a file, as far as patterns read it.
package struct FigureClaim: Hashable, Sendable {
  package var claimed: Figure?
  package var total: Figure?
  /// In bytes per second.
  package var rate: Figure?
  /// It says that the file has landed.
  package var isDone: Bool
  /// Nil when it is about the file under way.
  package var file: UploadStep?

  package init(
    claimed: Figure? = nil, total: Figure? = nil, rate: Figure? = nil, isDone: Bool = false,
    file: UploadStep? = nil
  ) {
    self.claimed = claimed
    self.total = total
    self.rate = rate
    self.isDone = isDone
    self.file = file
  }
}
