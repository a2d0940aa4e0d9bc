import FoundationEssentials

/// JSON bodies of requests, read into what a route expects.
enum JSONBody {
  /// Unknown keys are read over.
  ///
  /// Throws ``Refusal`` with 400 when the body is no JSON, with 422 when
  /// a key is missing or of another type.
  static func read<Body: Decodable>(
    _ type: Body.Type, from bytes: [UInt8]
  ) throws(Refusal) -> Body {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let DecodingError.keyNotFound(key, context) {
      throw .invalidField("\(path(context, key)) is missing.")
    } catch let DecodingError.typeMismatch(_, context) {
      throw .invalidField("\(path(context, nil)) is of the wrong type.")
    } catch let DecodingError.valueNotFound(_, context) {
      throw .invalidField("\(path(context, nil)) is null.")
    } catch {
      throw Refusal(status: 400, code: "bad_json", message: "The body is not valid JSON in UTF-8.")
    }
  }

  private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)?) -> String {
    let keys = context.codingPath.map(\.stringValue) + (key.map { [$0.stringValue] } ?? [])
    return keys.isEmpty ? "The body" : keys.joined(separator: ".")
  }

  /// Throws when an id that a body brings is not one.
  static func checkID(_ id: String, _ key: String) throws(Refusal) {
    guard ClientID.isPlain(id) else {
      throw .invalidField(
        "\(key) is not an id: 1 to \(ClientID.lengthMax) letters, digits, or any of - . _ ~")
    }
  }
}
