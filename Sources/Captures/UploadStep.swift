/// A step of sending one capture, as engine, client, scenarios and reports all name it.
package enum UploadStep: String, Hashable, Sendable, Codable, CaseIterable {
  case record, copy, turn, original, document, text
  /// One photo of a plate goes up under its own id.
  case staged
  /// The photos of a plate are named together.
  case encounter
  /// The record is read back by the device.
  case readback

  /// The steps that send a file.
  package static let files = allCases.filter(\.sendsFile)

  /// Whether the body of its request is a file.
  package var sendsFile: Bool {
    switch self {
    case .copy, .original, .document, .staged: true
    case .record, .turn, .text, .encounter, .readback: false
    }
  }
}
