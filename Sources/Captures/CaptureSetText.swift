import FoundationEssentials

extension CaptureSet {
  /// The bytes of `captures.json`: indented, keys sorted, the same for equal sets.
  ///
  /// Throws when a place is not a number.
  package func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self)) + [0x0a]
    } catch {
      throw CaptureError.badTruth(place: "captures", cause: "a place is not a number")
    }
  }

  /// Reads the bytes of `captures.json`.
  ///
  /// Throws with the key at fault. Names of files are held to the folder, so that a changed list
  /// cannot make a reader open something else.
  package init(json: [UInt8]) throws {
    do {
      self = try JSONDecoder().decode(CaptureSet.self, from: Data(json))
    } catch let error as DecodingError {
      throw CaptureError(error)
    }
    for (index, capture) in captures.enumerated() {
      for (step, file) in capture.files {
        let key = step.photo.map { "photos[\($0 - 1)]" } ?? "\(step)"
        try file.check(place: "captures[\(index)].\(key)")
      }
    }
  }
}

extension CaptureFile {
  private static let longestName = 255

  fileprivate func check(place: String) throws {
    guard CaptureName.isSafe(file, longest: Self.longestName) else {
      throw CaptureError.badTruth(
        place: "\(place).file", cause: "\"\(file)\" is not the name of a file in the folder")
    }
    guard bytes >= 0 else {
      throw CaptureError.badTruth(place: "\(place).bytes", cause: "\(bytes) is below 0")
    }
    let digits = Set("0123456789abcdef".utf8)
    guard sha256.utf8.count == 64, sha256.utf8.allSatisfy(digits.contains) else {
      throw CaptureError.badTruth(
        place: "\(place).sha256", cause: "expected 64 lowercase hexadecimal digits")
    }
  }
}

extension CaptureError {
  fileprivate init(_ error: DecodingError) {
    func path(_ keys: [any CodingKey]) -> String {
      var text = ""
      for key in keys {
        if let index = key.intValue {
          text += "[\(index)]"
        } else {
          text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
        }
      }
      return text.isEmpty ? "the whole file" : text
    }
    switch error {
    case .keyNotFound(let key, let context):
      self = .badTruth(place: path(context.codingPath + [key]), cause: "the key is missing")
    case .valueNotFound(_, let context):
      self = .badTruth(place: path(context.codingPath), cause: "the value is missing")
    case .typeMismatch(_, let context):
      self = .badTruth(place: path(context.codingPath), cause: "the value is of another kind")
    case .dataCorrupted(let context):
      self = .badTruth(
        place: path(context.codingPath),
        cause: context.codingPath.isEmpty ? "it is not JSON" : "the value does not fit")
    @unknown default:
      self = .badTruth(place: "the whole file", cause: "it cannot be read")
    }
  }
}
