import Foundation
import Quantities

/// Where an engine is, as a user types it: a base URL.
struct EngineAddress {
  /// Without a slash at its end.
  let url: String
  let host: String

  init(parsing text: String) throws(QuantityError) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty
    else {
      throw QuantityError("\"\(text)\" is no address; write it as http://127.0.0.1:8080")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      parts.path.isEmpty || parts.path == "/"
    else {
      throw QuantityError("\"\(text)\" has more than host and port; write http://HOST:PORT")
    }
    if let port = parts.port, !(1...65_535).contains(port) {
      throw QuantityError("\"\(text)\" has no port from 1 to 65535")
    }
    url = text.hasSuffix("/") ? String(text.dropLast()) : text
    self.host = host
  }
}
