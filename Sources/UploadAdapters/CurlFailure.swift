import CCurl
import Uploads

extension TransportFailure {
  /// What a result of libcurl means to the client; `words` is libcurl's own text for the case.
  init(_ result: CURLcode, words: String) {
    let text = words.isEmpty ? String(cString: curl_easy_strerror(result)) : words
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_URL_MALFORMAT,
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      self = .notConnected(text)
    default:
      self = .broken(text)
    }
  }
}
