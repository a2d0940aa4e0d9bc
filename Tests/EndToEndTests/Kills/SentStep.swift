import Captures

/// A request that the client begins to send, read from its first bytes.
struct SentStep: Hashable, Sendable {
  var step: UploadStep
  var moment: String

  /// Nil when the bytes are not the head of a step.
  init?(_ bytes: [UInt8]) {
    let line = bytes.prefix { $0 != UInt8(ascii: "\r") }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/") else { return nil }
    let target = words[1].split(separator: "?")
    let parts = (target.first ?? "").split(separator: "/").map(String.init)
    guard parts.count >= 3, parts[0] == "api", parts[1] == "moments" else { return nil }
    let role = target.dropFirst().first?.split(separator: "=").last
    let step: UploadStep? =
      switch (words[0], parts.dropFirst(3).first) {
      case ("PUT", nil): .record
      case ("GET", nil): .readback
      case ("POST", "turns"): .turn
      case ("POST", "text"): .text
      case ("PUT", "media"): role.flatMap { UploadStep(rawValue: String($0)) }
      default: nil
      }
    guard let step else { return nil }
    self.step = step
    moment = parts[2]
  }
}

extension [SentStep] {
  /// Those behind which another step of the same moment was sent: they had landed and were noted.
  var landed: Set<SentStep> {
    Set(
      indices.filter { place in
        self[place...].contains { $0.moment == self[place].moment && $0.step != self[place].step }
      }.map { self[$0] })
  }
}
