import CYAML

/// Reads one YAML document into nodes, and refuses what a scenario has no use for.
///
/// Anchors and aliases can blow up a small file, tags change types behind the reader's back, and of
/// two documents or two equal keys one would be ignored: each is an error with its place. A syntax
/// error ends the reading; everything else is collected.
package struct YAMLReader {
  package static func read(_ bytes: [UInt8], _ problems: inout ProblemList) -> YAMLNode? {
    guard bytes.count <= ScenarioLimits.fileBytes else {
      problems.add(.fileTooLarge(bytes: bytes.count), at: .start)
      return nil
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      problems.add(.notUTF8, at: firstInvalidByte(in: bytes))
      return nil
    }
    // libyaml keeps a pointer to its parser inside of it, so it must not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      problems.add(.syntax("no memory is left to read it"), at: .start)
      return nil
    }
    defer { yaml_parser_delete(parser) }
    return bytes.withUnsafeBufferPointer { buffer in
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      var builder = TreeBuilder(events: YAMLEvents(parser: parser, bytes: bytes))
      let root = builder.document()
      problems.add(contentsOf: builder.problems)
      return root
    }
  }

  /// The place of the first byte that is no UTF-8.
  private static func firstInvalidByte(in bytes: [UInt8]) -> Mark {
    var line = 1
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if String(validating: part, as: UTF8.self) == nil {
        // Characters before it: the longest valid start of the line. A character has at most four
        // bytes, so the repaired text agrees with the line up to its first replacement.
        let repaired = String(decoding: part, as: UTF8.self)
        return Mark(
          line: line, column: repaired.unicodeScalars.prefix { $0 != "\u{FFFD}" }.count + 1)
      }
      line += 1
    }
    return .start
  }
}

/// Builds the tree from the events of the parser.
private struct TreeBuilder {
  let events: YAMLEvents
  var problems = ProblemList()
  private var nodes = 0

  /// The reading cannot go on; the reason is in `problems`.
  private struct Stop: Error {}

  init(events: YAMLEvents) {
    self.events = events
  }

  mutating func document() -> YAMLNode? {
    do {
      return try stream()
    } catch {
      return nil
    }
  }

  private mutating func stream() throws(Stop) -> YAMLNode? {
    _ = try next()  // The start of the stream says nothing.
    let start = try next()
    guard case .documentStart(let directives) = start.kind else {
      problems.add(.emptyFile, at: .start)
      return nil
    }
    if directives { problems.add(.directive, at: start.mark) }
    let root = try node(from: try next(), depth: 1)
    _ = try next()  // The end of the document.
    let after = try next()
    if case .documentStart = after.kind { problems.add(.secondDocument, at: after.mark) }
    return root
  }

  private mutating func next() throws(Stop) -> YAMLEvents.Event {
    switch events.next() {
    case .success(let event): return event
    case .failure(let failure):
      problems.add(.syntax(failure.text), at: failure.mark)
      throw Stop()
    }
  }

  private mutating func node(from event: YAMLEvents.Event, depth: Int) throws(Stop) -> YAMLNode {
    nodes += 1
    guard nodes <= ScenarioLimits.nodes else {
      problems.add(.tooManyNodes, at: event.mark)
      throw Stop()
    }
    guard depth <= ScenarioLimits.depth else {
      problems.add(.tooDeep, at: event.mark)
      throw Stop()
    }
    if event.anchored { problems.add(.anchor, at: event.mark) }
    if event.tagged { problems.add(.tag, at: event.mark) }
    switch event.kind {
    case .scalar(let text):
      return YAMLNode(.scalar(text), at: event.mark)
    case .alias:
      problems.add(.alias, at: event.mark)
      return YAMLNode(.refused, at: event.mark)
    case .sequenceStart:
      var items: [YAMLNode] = []
      while true {
        let item = try next()
        if case .sequenceEnd = item.kind { break }
        items.append(try node(from: item, depth: depth + 1))
      }
      return YAMLNode(.sequence(items), at: event.mark)
    case .mappingStart:
      return YAMLNode(.mapping(try entries(depth: depth)), at: event.mark)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd, .other:
      problems.add(.syntax("a value is missing here"), at: event.mark)
      throw Stop()
    }
  }

  private mutating func entries(depth: Int) throws(Stop) -> [YAMLEntry] {
    var entries: [YAMLEntry] = []
    var places: [String: Mark] = [:]
    while true {
      let event = try next()
      if case .mappingEnd = event.kind { return entries }
      let key = try node(from: event, depth: depth + 1)
      let value = try node(from: try next(), depth: depth + 1)
      switch key.content {
      case .scalar(let text):
        if let first = places[text] {
          problems.add(.duplicateKey(text, first: first), at: key.mark)
        } else {
          places[text] = key.mark
          entries.append(YAMLEntry(key: text, at: key.mark, value: value))
        }
      case .refused: break
      case .sequence, .mapping: problems.add(.keyIsNoText, at: key.mark)
      }
    }
  }
}
