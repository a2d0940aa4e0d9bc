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

  /// Whether they cover what a line claims.
  ///
  /// A claim is about the file in flight. Once that is over, its bytes back lines about it alone,
  /// which a line is when it states the same size: the next file has only what is on the way until
  /// the engine sees its head.
  ///
  /// `slack` is added to what was read of the kernels.
  func back(_ claim: ByteClaim, slack: Int = 0) -> Bool {
    let onTheWay = onTheWay + slack
    guard let newest else { return claim.isBacked(by: onTheWay) }
    if newest.isOpen { return claim.isBacked(by: newest.bodyBytes + onTheWay) }
    let isOfNewest = abs(claim.total - newest.bodyBytes) <= ByteClaim.precision.bytes
    return claim.isBacked(by: isOfNewest ? max(newest.bodyBytes, onTheWay) : onTheWay)
  }
}
