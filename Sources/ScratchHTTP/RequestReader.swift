/// Reads HTTP/1.1 requests from a connection's bytes, in whatever pieces they arrive.
///
/// Drive it with ``append(_:)`` after each read and ``next(bodyMax:)`` until that returns nil. It keeps no
/// more than an unfinished line and what was appended and not yet asked for, so a body of any
/// length passes in constant memory. Pipelined requests wait inside it: a shell that has a whole
/// request asks for no more events, and reads no more bytes, until its answer is out.
///
/// RFC 9112. Every line ends with CR LF here (see ``RequestFault/bareLineEnd``).
package struct RequestReader: Sendable {
  private enum State: Hashable, Sendable {
    case requestLine
    case fields(RequestLine)
    case body(left: Int)
    case chunkLine
    case chunk(left: Int)
    /// The line end behind a chunk's data; the digit is how many of its two octets were seen.
    case chunkEnd(seen: Int)
    case trailers
    /// The connection carries no further request: RFC 9112 section 9.6.
    case closed
    case failed(RequestFault)
  }

  private let limits: ReaderLimits
  private var state = State.requestLine
  private var buffer: [UInt8] = []
  private var cursor = 0
  /// No line feed lies between the cursor and here.
  private var scanned = 0
  private var emptyLines = 0
  private var section = FieldSection()
  private var keepsAlive = true
  private var chunkedBytes = 0
  private var extensionBytes = 0

  package init(limits: ReaderLimits = ReaderLimits()) {
    self.limits = limits
  }

  /// Bytes that were appended and are in no event.
  package var unread: Int { buffer.count - cursor }

  /// One request is whole, or none was begun, and no byte of the next has come; empty lines before
  /// it are none.
  package var isBetweenRequests: Bool {
    guard case .requestLine = state else { return false }
    return unread == 0
  }

  /// The body of the request whose head was the last event will not come: what comes is the next
  /// request.
  package mutating func leaveBody() {
    switch state {
    case .body, .chunkLine: state = .requestLine
    default: break
    }
  }

  /// Takes in the bytes of one read.
  package mutating func append(_ bytes: [UInt8]) {
    switch state {
    case .closed, .failed: return
    default: break
    }
    if cursor == buffer.count {
      buffer = bytes
    } else if cursor == 0 {
      buffer += bytes
      return
    } else {
      buffer = buffer[cursor...] + bytes
    }
    scanned = max(0, scanned - cursor)
    cursor = 0
  }

  /// The next event in the bytes so far; nil when more bytes are needed.
  ///
  /// Of a body it gives no more than `bodyMax` bytes at once. Throws the same fault again once it
  /// has thrown one: the bytes behind it mean nothing.
  package mutating func next(bodyMax: Int = .max) throws(RequestFault) -> RequestEvent? {
    let event = try find(bodyMax: bodyMax)
    // What was read goes with its last use, however long the next bytes are in coming.
    if event == nil, cursor == buffer.count { forget() }
    return event
  }

  private mutating func find(bodyMax: Int) throws(RequestFault) -> RequestEvent? {
    do throws(RequestFault) {
      while true {
        switch state {
        case .requestLine:
          guard try readRequestLine() else { return nil }
        case .fields(let line):
          guard let ended = try readField() else { return nil }
          if ended { return .head(try readHead(line)) }
        case .body(let left):
          if left == 0 { return end() }
          guard let slice = takeBody(atMost: min(left, bodyMax)) else { return nil }
          state = .body(left: left - slice.count)
          return .body(slice)
        case .chunkLine:
          guard try readChunkLine() else { return nil }
        case .chunk(let left):
          guard let slice = takeBody(atMost: min(left, bodyMax)) else { return nil }
          state = left == slice.count ? .chunkEnd(seen: 0) : .chunk(left: left - slice.count)
          return .body(slice)
        case .chunkEnd(let seen):
          guard cursor < buffer.count else { return nil }
          guard buffer[cursor] == (seen == 0 ? .carriageReturn : .lineFeed) else {
            throw .malformedChunk
          }
          cursor += 1
          state = seen == 0 ? .chunkEnd(seen: 1) : .chunkLine
        case .trailers:
          guard let ended = try readField() else { return nil }
          if ended { return end() }
        case .closed:
          return nil
        case .failed(let fault):
          throw fault
        }
      }
    } catch {
      state = .failed(error)
      forget()
      throw error
    }
  }

  /// Returns false when the line is not whole.
  private mutating func readRequestLine() throws(RequestFault) -> Bool {
    let longest = limits.method + limits.target + " HTTP/1.1 ".utf8.count
    guard let line = try takeLine(longest: longest, else: .targetTooLong) else { return false }
    if line.isEmpty {
      emptyLines += 1
      guard emptyLines <= limits.emptyLines else { throw .tooManyEmptyLines }
      return true
    }
    emptyLines = 0
    section = FieldSection()
    state = .fields(try RequestLine(line, limits: limits))
    return true
  }

  /// Returns whether the section has ended; nil when the line is not whole.
  private mutating func readField() throws(RequestFault) -> Bool? {
    guard let line = try takeLine(longest: limits.fieldLine, else: .fieldTooLong) else {
      return nil
    }
    if line.isEmpty { return true }
    try section.take(line, limits: limits)
    return false
  }

  private mutating func readHead(_ line: RequestLine) throws(RequestFault) -> RequestHead {
    let head = try RequestHead(line, fields: section.fields, limits: limits)
    keepsAlive = head.keepsAlive
    section = FieldSection()
    switch head.framing {
    case .none: state = .body(left: 0)
    case .length(let count): state = .body(left: count)
    case .chunked:
      (chunkedBytes, extensionBytes) = (0, 0)
      state = .chunkLine
    }
    return head
  }

  /// Reads over extensions; returns false when the line is not whole (RFC 9112 section 7.1).
  private mutating func readChunkLine() throws(RequestFault) -> Bool {
    guard let line = try takeLine(longest: limits.chunkLine, else: .chunkLineTooLong) else {
      return false
    }
    let digits = line.prefix { $0.hexValue != nil }
    var extensions = line[digits.endIndex...]
    guard !digits.isEmpty, extensions.allSatisfy(\.isFieldOctet) else { throw .malformedChunk }
    extensionBytes += extensions.count
    guard extensionBytes <= limits.chunkExtensions else { throw .chunkExtensionsTooLarge }
    if !extensions.isEmpty {
      while let first = extensions.first, first.isBlank { extensions.removeFirst() }
      guard extensions.first == UInt8(ascii: ";") else { throw .malformedChunk }
    }
    var size = 0
    for digit in digits {
      // The limit is below a sixteenth of the largest Int, so this cannot overflow.
      size = size * 16 + (digit.hexValue ?? 0)
      guard size <= limits.body - chunkedBytes else { throw .bodyTooLarge }
    }
    chunkedBytes += size
    state = size == 0 ? .trailers : .chunk(left: size)
    return true
  }

  private mutating func end() -> RequestEvent {
    let trailers = section.fields
    section = FieldSection()
    state = keepsAlive ? .requestLine : .closed
    if !keepsAlive { forget() }
    return .end(trailers: trailers)
  }

  private mutating func forget() {
    buffer = []
    (cursor, scanned) = (0, 0)
  }

  private mutating func takeBody(atMost count: Int) -> ArraySlice<UInt8>? {
    guard cursor < buffer.count else { return nil }
    let slice = buffer[cursor..<(cursor + min(count, buffer.count - cursor))]
    cursor = slice.endIndex
    scanned = cursor
    return slice
  }

  /// A line without its line end; nil when it is not whole.
  private mutating func takeLine(
    longest: Int, else fault: RequestFault
  ) throws(RequestFault) -> ArraySlice<UInt8>? {
    let from = max(scanned, cursor)
    guard let feed = buffer[from...].firstIndex(of: .lineFeed) else {
      // One more than the longest is the CR of a whole line.
      guard buffer.count - cursor <= longest + 1 else { throw fault }
      scanned = buffer.count
      return nil
    }
    guard feed - cursor <= longest + 1 else { throw fault }
    guard feed > cursor, buffer[feed - 1] == .carriageReturn else { throw .bareLineEnd }
    let line = buffer[cursor..<(feed - 1)]
    cursor = feed + 1
    scanned = cursor
    return line
  }
}
