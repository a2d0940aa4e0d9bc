import Quantities
import Reports

/// Body bytes that the client's sockets had taken when a line was shown, as the engine and the
/// proxy know them.
struct TakenBytes: Hashable {
  /// The newest request for a file, as the engine has it.
  struct Newest: Hashable {
    var bodyBytes: Int
    /// It is neither answered nor cut.
    var isOpen: Bool
  }

  /// Taken by the sockets, and not yet received by the engine.
  var onTheWay: Int
  var newest: Newest?

  /// Of the file that a line is about, at most.
  ///
  /// That is the file in flight. Once it is over, its bytes back lines about it alone, which a line is
  /// when it states the same size, or none (`total` nil): the next file has only what is on the way
  /// until the engine sees its head.
  ///
  /// `slack` is added to what was read of the kernels.
  func bytes(ofTotal total: Int?, slack: Int = 0) -> Int {
    let onTheWay = onTheWay + slack
    guard let newest else { return onTheWay }
    if newest.isOpen { return newest.bodyBytes + onTheWay }
    let isOfNewest =
      total.map { abs($0 - newest.bodyBytes) <= ByteClaim.precision.bytes } ?? true
    return isOfNewest ? max(newest.bodyBytes, onTheWay) : onTheWay
  }

  /// Whether they cover what a line claims.
  func back(_ claim: ByteClaim, slack: Int = 0) -> Bool {
    claim.isBacked(by: bytes(ofTotal: claim.total, slack: slack))
  }
}
