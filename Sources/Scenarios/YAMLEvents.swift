import CYAML

/// The events of a libyaml parser as Swift values, each released as soon as it has been copied.
struct YAMLEvents {
  enum Kind {
    case streamStart, streamEnd, documentEnd, alias, sequenceStart, sequenceEnd, mappingStart
    case mappingEnd, other
    case documentStart(directives: Bool)
    case scalar(String)
  }

  struct Event {
    var kind: Kind
    var mark: Mark
    var anchored = false
    var tagged = false
  }

  struct Failure: Error {
    var text: String
    var mark: Mark
  }

  let parser: UnsafeMutablePointer<yaml_parser_t>
  /// What is parsed, to find the place of an error that libyaml gives as an offset.
  let bytes: [UInt8]

  func next() -> Result<Event, Failure> {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { return .failure(failure()) }
    defer { yaml_event_delete(&event) }
    var copy = Event(kind: .other, mark: Mark(event.start_mark))
    switch event.type {
    case YAML_STREAM_START_EVENT: copy.kind = .streamStart
    case YAML_STREAM_END_EVENT: copy.kind = .streamEnd
    case YAML_DOCUMENT_START_EVENT:
      let start = event.data.document_start
      copy.kind = .documentStart(
        directives: start.version_directive != nil
          || start.tag_directives.start != start.tag_directives.end)
    case YAML_DOCUMENT_END_EVENT: copy.kind = .documentEnd
    case YAML_ALIAS_EVENT: copy.kind = .alias
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      copy.kind = .scalar(String(decoding: text, as: UTF8.self))
      copy.anchored = scalar.anchor != nil
      copy.tagged = scalar.tag != nil
    case YAML_SEQUENCE_START_EVENT:
      copy.kind = .sequenceStart
      copy.anchored = event.data.sequence_start.anchor != nil
      copy.tagged = event.data.sequence_start.tag != nil
    case YAML_SEQUENCE_END_EVENT: copy.kind = .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      copy.kind = .mappingStart
      copy.anchored = event.data.mapping_start.anchor != nil
      copy.tagged = event.data.mapping_start.tag != nil
    case YAML_MAPPING_END_EVENT: copy.kind = .mappingEnd
    default: break
    }
    return .success(copy)
  }

  /// What libyaml says about the error that stopped it, and where.
  private func failure() -> Failure {
    let parser = self.parser.pointee
    let problem = parser.problem.map { String(cString: $0) } ?? "no valid YAML"
    // A reader error, such as a control character, has an offset in bytes instead of a mark.
    guard parser.error != YAML_READER_ERROR else {
      return Failure(text: problem, mark: mark(ofByte: parser.problem_offset))
    }
    let place = Mark(parser.problem_mark)
    if isTab(at: place) {
      return Failure(text: "a tab cannot indent; use spaces", mark: place)
    }
    var text = problem
    if let context = parser.context { text += " \(String(cString: context))" }
    return Failure(text: text, mark: place)
  }

  private func isTab(at mark: Mark) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line - 1) else { return false }
    let line = String(decoding: lines[mark.line - 1], as: UTF8.self).unicodeScalars
    return line.dropFirst(mark.column - 1).first == "\t"
  }

  private func mark(ofByte offset: Int) -> Mark {
    let before = bytes.prefix(max(0, offset))
    let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = String(decoding: line.last ?? [], as: UTF8.self).unicodeScalars.count
    return Mark(line: max(1, line.count), column: column + 1)
  }
}

extension Mark {
  /// libyaml counts both from 0.
  init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}
