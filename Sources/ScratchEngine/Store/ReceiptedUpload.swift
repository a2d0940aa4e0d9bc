import JSON

/// A whole body that the engine keeps under an id, and gives a receipt for.
protocol ReceiptedUpload {
  var id: String { get }
  var bytes: [UInt8] { get }
  /// Nil of an engine that makes no digests.
  var sha256: String? { get }
}

extension ReceiptedUpload {
  /// Whether a request brings the same; without digests the bytes themselves are compared.
  func isSame(as request: WholeRequest) -> Bool {
    sha256 == request.sha256 && (sha256 != nil || bytes == request.body)
  }

  /// The receipt, as it is answered to a request.
  func receipt(for request: WholeRequest, replay: Bool) -> Outcome {
    Outcome(
      answer: .json(
        replay ? 200 : 201, .receipt(id, bytes: bytes.count, sha256: sha256, replay: replay)),
      at: request.now, stored: !replay, replay: replay)
  }
}
