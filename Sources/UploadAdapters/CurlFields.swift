import CCurl
import Uploads

/// The fields of a request's head as libcurl takes them; it reads them until the transfer is over.
struct CurlFields: ~Copyable {
  private(set) var list: UnsafeMutablePointer<curl_slist>?

  /// Throws when a field would end the line that it stands on.
  init(of request: OutgoingRequest) throws(TransportFailure) {
    // A body of more than 1 MB would make libcurl wait for `100 Continue`.
    var fields = ["Expect:"]
    switch request.body {
    case .none: break
    case .bytes(_, let type), .file(_, _, let type): fields.append("Content-Type: \(type)")
    }
    // libcurl takes "name;" for a field without a value, and "name:" for one to leave out.
    fields += request.headers.map {
      $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
    }
    for field in fields { try append(field) }
  }

  deinit {
    curl_slist_free_all(list)
  }

  private mutating func append(_ field: String) throws(TransportFailure) {
    // A line break would begin a field of its own.
    if field.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
      throw .notConnected("the field \(field.debugDescription) holds a control character")
    }
    guard let longer = curl_slist_append(list, field) else {
      throw .notConnected("no memory for the head")
    }
    list = longer
  }
}
