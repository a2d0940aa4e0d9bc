/// A step of sending one capture, as engine, client, scenarios and reports all name it.
package enum UploadStep: String, Hashable, Sendable, Codable, CaseIterable {
  case record, copy, turn, original, document, text
  /// The record is read back by the device.
  case readback
}
