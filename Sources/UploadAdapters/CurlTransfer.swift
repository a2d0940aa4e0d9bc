import CCurl
import CLinux
import Glibc
import Uploads

/// One exchange on the transport's thread: an easy handle, its body, its answer and its reports.
///
/// libcurl's callbacks hold this object unretained. The loop keeps it until the handle has been
/// taken out of the multi handle, after which no callback comes.
final class CurlTransfer {
  let id: Int
  let easy: OpaqueCurl

  private let events: CurlMailbox.Events
  private let method: String
  private let sendBuffer: Int32
  private let refusedBuffer: @Sendable (Int) -> Void
  private let counting: UploadPolicy.Counting
  private var body: BodySource
  private var answer: AnswerCollector
  /// Why a callback ended the transfer; it comes before libcurl's own word for it.
  private var problem: TransportFailure?
  /// It keeps this transfer, not the other way round.
  private weak var loop: CurlLoop?
  private let errorText: UnsafeMutablePointer<CChar>
  private let fields: CurlFields

  private var attempt = 0
  /// Body bytes that the socket has taken in this attempt, and as last reported.
  private var sent = 0
  private var sentReported = 0
  /// Of them, those that have been acknowledged as far as the kernel was asked.
  private var acknowledged = 0
  private var receivedReported = 0

  /// Prepares the handle.
  ///
  /// Throws when the request cannot be sent at all.
  init(
    id: Int, _ request: OutgoingRequest, url: String, authorities: String?,
    refusedBuffer: @escaping @Sendable (Int) -> Void, events: CurlMailbox.Events
  ) throws(TransportFailure) {
    do throws(BodySource.Failure) {
      body = try BodySource(request.body)
    } catch {
      throw .file(error.words)
    }
    fields = try CurlFields(of: request)
    guard let easy = curl_easy_init() else { throw .notConnected("libcurl has no handle left") }
    self.id = id
    self.easy = easy
    self.events = events
    method = request.method
    sendBuffer = Int32(clamping: request.sendBuffer)
    self.refusedBuffer = refusedBuffer
    counting = request.counting
    answer = AnswerCollector(bodyBytesMax: request.answerLimit)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    CurlOptions.set(on: easy, of: request, url: url, authorities: authorities)
    CCurl_setPointer(easy, CURLOPT_HTTPHEADER, fields.list)
    setCallbacks()
  }

  deinit {
    // From here on nothing may call back into this object.
    CCurl_setLong(easy, CURLOPT_VERBOSE, 0)
    CCurl_setLong(easy, CURLOPT_NOPROGRESS, 1)
    curl_easy_cleanup(easy)
    errorText.deallocate()
  }

  // MARK: What the loop calls

  /// Reports what has changed since the last turn of the loop.
  func report() {
    let counted = counting == .acknowledged ? acknowledged : sent
    if counted != sentReported {
      sentReported = counted
      events.yield(.sent(bytes: counted))
    }
    if answer.received != receivedReported {
      receivedReported = answer.received
      events.yield(.received(bytes: answer.received))
    }
  }

  /// Asks the kernel what the peer has acknowledged of the body.
  ///
  /// What a socket holds is the end of what it was given, so that the body is what is missing. TLS
  /// adds 22 bytes or so to each record of 16 KB, which are taken for bytes of the body here.
  func count(on socket: Int32) {
    guard counting == .acknowledged else { return }
    let held = Int(CLinux_unacknowledged(socket))
    guard held >= 0 else { return }
    acknowledged = max(acknowledged, sent - held)
    report()
  }

  /// This end of the connection that it has; 0 before it has one.
  var localPort: Int { CCurl_getLong(easy, CURLINFO_LOCAL_PORT) }

  /// libcurl is done with it.
  func finish(_ result: CURLcode) {
    if let problem {
      fail(problem)
    } else if result != CURLE_OK {
      fail(TransportFailure(result, words: String(cString: errorText)))
    } else if let whole = answer.answer(status: CCurl_getLong(easy, CURLINFO_RESPONSE_CODE)) {
      // Its peer has had all that it answers, and an answer that accepts is to all of it.
      if whole.status < 300 { acknowledged = sent }
      report()
      events.yield(.answered(whole))
      events.finish()
    } else {
      fail(.broken("the connection ended within the head of the answer"))
    }
  }

  /// Whether it is to be sent once more, and makes it ready for that: its kept connection was closed
  /// as it went out, before a byte of an answer had come.
  ///
  /// libcurl repeats it then by itself, unless it was about to send when it found out: it does so
  /// once the stream has ended in mid-body and what it sends meets a reset.
  func isToBeRepeated(after result: CURLcode) -> Bool {
    guard result == CURLE_SEND_ERROR, problem == nil, answer.received == 0 else { return false }
    // No connection was made for it.
    return CCurl_getLong(easy, CURLINFO_NUM_CONNECTS) == 0 && body.seek(to: 0)
  }

  func fail(_ failure: TransportFailure) {
    report()
    events.yield(.failed(failure))
    events.finish()
  }

  /// Has the loop told of the sockets that this transfer opens, and has them closed by it.
  func openSockets(through loop: CurlLoop) {
    self.loop = loop
    CCurl_setCloseSocketFunction(easy) { context, socket in
      guard let context else { return close(socket) }
      return Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().close(socket: socket)
    }
    CCurl_setPointer(
      easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(loop).toOpaque())
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    CCurl_setPointer(easy, CURLOPT_ERRORBUFFER, errorText)

    CCurl_setSocketOptionFunction(easy) { context, socket, _ in
      CurlTransfer.at(context)?.prepare(socket: socket)
      return Int32(CURL_SOCKOPT_OK)
    }
    CCurl_setPointer(easy, CURLOPT_SOCKOPTDATA, context)

    CCurl_setReadFunction(easy) { buffer, size, count, context in
      CurlTransfer.at(context)?.read(
        UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
    }
    CCurl_setPointer(easy, CURLOPT_READDATA, context)

    CCurl_setSeekFunction(easy) { context, offset, origin in
      let isDone = CurlTransfer.at(context)?.seek(to: Int(offset), origin: origin) ?? false
      return Int32(isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
    }
    CCurl_setPointer(easy, CURLOPT_SEEKDATA, context)

    // For both of the next, any number but the one that was offered ends the transfer.
    CCurl_setHeaderFunction(easy) { buffer, size, count, context in
      let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
      return CurlTransfer.at(context)?.take(headerLine: bytes) == true ? bytes.count : 0
    }
    CCurl_setPointer(easy, CURLOPT_HEADERDATA, context)
    CCurl_setWriteFunction(easy) { buffer, size, count, context in
      let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
      return CurlTransfer.at(context)?.take(body: bytes) == true ? bytes.count : 0
    }
    CCurl_setPointer(easy, CURLOPT_WRITEDATA, context)

    CCurl_setLong(easy, CURLOPT_NOPROGRESS, 0)
    CCurl_setProgressFunction(easy) { context, _, _, _, uploaded in
      CurlTransfer.at(context)?.took(bodyBytes: Int(uploaded))
      return 0
    }
    CCurl_setPointer(easy, CURLOPT_XFERINFODATA, context)

    // The only way to see that libcurl repeats a request by itself.
    CCurl_setLong(easy, CURLOPT_VERBOSE, 1)
    CCurl_setDebugFunction(easy) { _, kind, bytes, count, context in
      if kind == CURLINFO_HEADER_OUT {
        CurlTransfer.at(context)?.wentOut(head: UnsafeRawBufferPointer(start: bytes, count: count))
      }
      return 0
    }
    CCurl_setPointer(easy, CURLOPT_DEBUGDATA, context)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Callbacks

  private func prepare(socket: Int32) {
    loop?.opened(socket: socket)
    var bytes = sendBuffer
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, size)
    if granted(to: socket) < bytes {
      // Beyond net.core.wmem_max for those who may.
      setsockopt(socket, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, size)
    }
    let granted = granted(to: socket)
    if granted < bytes { refusedBuffer(Int(granted)) }
  }

  private func granted(to socket: Int32) -> Int32 {
    var bytes: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, &size) == 0 else { return 0 }
    // The kernel doubles the number for its own book-keeping (socket(7)).
    return bytes / 2
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(BodySource.Failure) {
      return try body.read(into: buffer)
    } catch {
      problem = .file(error.words)
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private func seek(to offset: Int, origin: Int32) -> Bool {
    origin == SEEK_SET && body.seek(to: offset)
  }

  /// The socket has taken that many bytes of the body in this attempt.
  private func took(bodyBytes: Int) {
    if bodyBytes < sent {
      // libcurl starts a repeat; it counts from zero before the head of the repeat has gone out.
      report()
      sentReported = bodyBytes
      acknowledged = bodyBytes
    }
    sent = bodyBytes
  }

  private func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
    accept(answer.take(headerLine: bytes))
  }

  private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    accept(answer.take(body: bytes))
  }

  private func accept(_ refusal: AnswerCollector.Problem?) -> Bool {
    switch refusal {
    case nil: return true
    case .bodyTooLarge: problem = .answerTooLarge
    case .headTooLarge:
      problem = .broken("the head of the answer is above \(AnswerCollector.headBytesMax) bytes")
    }
    return false
  }

  /// A piece of a request's head has gone out; the piece that holds the method begins an attempt.
  private func wentOut(head: UnsafeRawBufferPointer) {
    guard head.starts(with: method.utf8 + [UInt8(ascii: " ")]) else { return }
    attempt += 1
    // A repeat must not meet another kept connection that is as stale.
    CCurl_setLong(easy, CURLOPT_FRESH_CONNECT, 1)
    events.yield(.began(attempt: attempt))
  }
}
