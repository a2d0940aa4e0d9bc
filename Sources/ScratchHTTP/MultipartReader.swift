/// What a reader found next in a multipart body.
package enum MultipartEvent: Hashable, Sendable {
  /// A part begins; its fields.
  case part([HeaderField])
  /// Some bytes of the part, never none.
  case body(ArraySlice<UInt8>)
  case partEnd
}

/// Reads a multipart body in whatever pieces it arrives: RFC 2046 section 5.1, RFC 7578.
///
/// Drive it with ``append(_:)`` and ``next()`` until that returns nil, and with ``finish()`` at the
/// end of the body. It keeps no more than an unfinished line, or as much of a part as may be the
/// beginning of a boundary, so that a part of any length passes in constant memory. What stands
/// before the first boundary and behind the last is read over.
package struct MultipartReader: Sendable {
  private enum State: Hashable, Sendable {
    case preamble
    /// Behind a boundary, with so many octets of padding.
    case boundary(padding: Int)
    case fields
    case body
    case epilogue
    case failed(MultipartFault)
  }

  private let limits: MultipartLimits
  /// A line end, two hyphens and the boundary.
  private let delimiter: [UInt8]
  private var state = State.preamble
  /// A body may begin with a boundary: the line end before it is given.
  private var buffer: [UInt8] = [.carriageReturn, .lineFeed]
  private var cursor = 0
  private var section = FieldSection()
  private var parts = 0

  /// Throws ``MultipartFault`` when the media type has no boundary.
  package init(
    _ type: FieldParameters, limits: MultipartLimits = MultipartLimits()
  ) throws(MultipartFault) {
    guard let boundary = type["boundary"], (1...limits.boundary).contains(boundary.utf8.count),
      boundary.utf8.allSatisfy({ $0 == .space || $0.isTargetOctet }), boundary.last != " "
    else { throw .badBoundary }
    self.limits = limits
    delimiter = [.carriageReturn, .lineFeed] + Array("--\(boundary)".utf8)
  }

  /// Takes in some bytes of the body.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    switch state {
    case .epilogue, .failed: return
    default: break
    }
    buffer.removeFirst(cursor)
    buffer += bytes
    cursor = 0
  }

  /// The next event in the bytes so far; nil when more bytes are needed.
  ///
  /// Throws the same fault again once it has thrown one.
  package mutating func next() throws(MultipartFault) -> MultipartEvent? {
    do throws(MultipartFault) {
      while true {
        switch state {
        case .preamble:
          let (slice, found) = takeUntilDelimiter()
          if found {
            state = .boundary(padding: 0)
          } else if slice.isEmpty {
            return nil
          }
        case .boundary(let padding):
          guard try readBoundaryLine(padding) else { return nil }
        case .fields:
          guard let ended = try readField() else { return nil }
          if ended {
            defer { section = FieldSection() }
            return .part(section.fields)
          }
        case .body:
          let (slice, found) = takeUntilDelimiter()
          if !slice.isEmpty { return .body(slice) }
          guard found else { return nil }
          state = .boundary(padding: 0)
          return .partEnd
        case .epilogue: return nil
        case .failed(let fault): throw fault
        }
      }
    } catch {
      state = .failed(error)
      (buffer, cursor) = ([], 0)
      throw error
    }
  }

  /// The body has ended; every event was taken.
  package func finish() throws(MultipartFault) {
    switch state {
    case .epilogue: return
    case .failed(let fault): throw fault
    default: throw .unfinished
    }
  }

  /// The bytes before the next delimiter, as far as they are certain, and whether it follows at once;
  /// then it is taken too.
  private mutating func takeUntilDelimiter() -> (ArraySlice<UInt8>, Bool) {
    let start = cursor
    var place = start
    // The delimiter holds no other carriage return, so that none can begin within a false start.
    while let candidate = buffer[place...].firstIndex(of: .carriageReturn) {
      let rest = buffer[candidate...].prefix(delimiter.count)
      if delimiter.starts(with: rest) {
        guard candidate == start, rest.count == delimiter.count else {
          cursor = candidate
          return (buffer[start..<candidate], false)
        }
        cursor = rest.endIndex
        return ([], true)
      }
      place = candidate + 1
    }
    cursor = buffer.endIndex
    return (buffer[start...], false)
  }

  /// Returns false when the line is not whole.
  private mutating func readBoundaryLine(_ padding: Int) throws(MultipartFault) -> Bool {
    guard cursor < buffer.count else { return false }
    let next = buffer[cursor]
    if next.isBlank {
      guard padding < limits.padding else { throw .malformedBoundaryLine }
      cursor += 1
      state = .boundary(padding: padding + 1)
      return true
    }
    guard cursor + 1 < buffer.count else { return false }
    switch (next, buffer[cursor + 1]) {
    case (.carriageReturn, .lineFeed):
      guard parts < limits.parts else { throw .tooManyParts }
      parts += 1
      state = .fields
    case (UInt8(ascii: "-"), UInt8(ascii: "-")) where padding == 0:
      state = .epilogue
    default: throw .malformedBoundaryLine
    }
    cursor += 2
    return true
  }

  /// Returns whether the section has ended; nil when the line is not whole.
  private mutating func readField() throws(MultipartFault) -> Bool? {
    let longest = limits.head.fieldLine
    guard let feed = buffer[cursor...].prefix(longest + 2).firstIndex(of: .lineFeed) else {
      guard buffer.count - cursor < longest + 2 else { throw .partHeadTooLarge }
      return nil
    }
    guard feed > cursor, buffer[feed - 1] == .carriageReturn else { throw .malformedPartHead }
    let line = buffer[cursor..<(feed - 1)]
    cursor = feed + 1
    guard !line.isEmpty else {
      state = .body
      return true
    }
    do throws(RequestFault) {
      try section.take(line, limits: limits.head)
    } catch {
      throw [.fieldsTooLarge, .tooManyFields].contains(error)
        ? .partHeadTooLarge : .malformedPartHead
    }
    return false
  }
}
