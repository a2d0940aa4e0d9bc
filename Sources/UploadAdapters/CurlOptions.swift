import CCurl
import Uploads

/// How libcurl is to send a request, and what it is to leave to the client.
enum CurlOptions {
  static func set(
    on easy: OpaqueCurl, of request: OutgoingRequest, url: String, authorities: String?
  ) {
    CCurl_setText(easy, CURLOPT_URL, url)
    CCurl_setLong(easy, CURLOPT_PATH_AS_IS, 1)
    CCurl_setText(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    CCurl_setLong(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    CCurl_setLong(easy, CURLOPT_FOLLOWLOCATION, 0)
    CCurl_setText(easy, CURLOPT_PROXY, "")
    CCurl_setText(easy, CURLOPT_NOPROXY, "*")
    if let authorities { CCurl_setText(easy, CURLOPT_CAINFO, authorities) }

    // Every body, and a body of nothing where one is expected (RFC 9110 section 8.6), goes through
    // the read callback, so that it is counted in one way.
    switch (request.method, request.body) {
    case ("HEAD", .none):
      CCurl_setLong(easy, CURLOPT_NOBODY, 1)
    case (let method, .none) where !["POST", "PUT", "PATCH"].contains(method):
      CCurl_setLong(easy, CURLOPT_HTTPGET, 1)
    default:
      CCurl_setLong(easy, CURLOPT_UPLOAD, 1)
      CCurl_setOffset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.bodyBytes))
    }
    CCurl_setText(easy, CURLOPT_CUSTOMREQUEST, request.method)

    // The smallest that libcurl takes: it bounds what it holds beyond what the socket took.
    CCurl_setLong(easy, CURLOPT_UPLOAD_BUFFERSIZE, 16_384)
    CCurl_setLong(easy, CURLOPT_TCP_NODELAY, 1)

    // No clock of libcurl's decides anything; zero would mean 300 s for the first and 118 s for
    // the second.
    let never = Int(Int32.max)
    CCurl_setLong(easy, CURLOPT_CONNECTTIMEOUT_MS, never)
    CCurl_setLong(easy, CURLOPT_MAXAGE_CONN, never / 1_000)
    CCurl_setLong(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1)
    CCurl_setLong(easy, CURLOPT_NOSIGNAL, 1)
    // Without this, a cut during a name look-up would wait for the look-up.
    CCurl_setLong(easy, CURLOPT_QUICK_EXIT, 1)
  }
}
