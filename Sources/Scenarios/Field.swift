/// One key of the scenario format: its name, what it is for, and how its value is read.
///
/// The same description drives the decoder, the suggestions for unknown keys and the JSON Schema.
struct Field<Value>: Sendable {
  let key: String
  let required: Bool
  /// A key that takes the place of this one where it is required.
  let substitute: String?
  let summary: String
  let reading: Reading<Value>

  init(
    _ key: String, _ reading: Reading<Value>, required: Bool = false,
    unless substitute: String? = nil,
    _ summary: String
  ) {
    self.key = key
    self.required = required
    self.substitute = substitute
    self.summary = summary
    self.reading = reading
  }

  var known: KnownField {
    KnownField(
      key: key, required: required, substitute: substitute, summary: summary,
      schema: reading.schema)
  }
}

extension KnownField {
  /// A key that a later version will understand.
  static func reserved(_ key: String, because refusal: String) -> KnownField {
    KnownField(
      key: key, required: false, summary: "", schema: .words([]), refusal: refusal)
  }
}

/// A value and where it stands in the file.
struct Placed<Value> {
  var value: Value
  var mark: Mark
}

/// How a node becomes a value: the shape for the schema, and the function.
struct Reading<Value>: Sendable {
  let schema: Schema
  /// Nil when there is no value; then at least one problem has been added.
  let read: @Sendable (YAMLNode, inout ProblemList) -> Value?

  /// A scalar; `parse` gets its text.
  static func scalar(
    _ schema: Schema, _ parse: @escaping @Sendable (String) throws(Refusal) -> Value
  ) -> Reading {
    Reading(schema: schema) { node, problems in
      if case .refused = node.content { return nil }
      guard case .scalar(let text) = node.content, !text.isEmpty else {
        let kind = node.content.kind
        problems.add(
          kind == .mapping
            ? .keysForValue(example: schema.example) : .wrongKind(expected: .value, found: kind),
          at: node.mark)
        return nil
      }
      do throws(Refusal) {
        return try parse(text)
      } catch {
        problems.add(error.problem, at: node.mark)
        return nil
      }
    }
  }

  /// A sequence; an item with a problem is nil, so that the others can still be checked.
  static func list<Item>(
    of item: Reading<Item>, count: ClosedRange<Int>
  ) -> Reading where Value == [Item?] {
    Reading(schema: .list(item.schema, count: count)) { node, problems in
      if case .refused = node.content { return nil }
      guard case .sequence(let nodes) = node.content else {
        problems.add(.wrongKind(expected: .list, found: node.content.kind), at: node.mark)
        return nil
      }
      guard count.contains(nodes.count) else {
        problems.add(.listLength(nodes.count, allowed: count), at: node.mark)
        return nil
      }
      return nodes.map { item.read($0, &problems) }
    }
  }

  /// A mapping whose keys the author chooses; an item with a problem has no value.
  static func named<Item>(
    _ item: Reading<Item>, count: ClosedRange<Int>, keyPattern: String,
    checkKey: @escaping @Sendable (String) -> ScenarioProblem?
  ) -> Reading where Value == [NamedItem<Item>] {
    Reading(schema: .named(item.schema, keyPattern: keyPattern)) { node, problems in
      if case .refused = node.content { return nil }
      guard case .mapping(let entries) = node.content else {
        problems.add(.wrongKind(expected: .mapping, found: node.content.kind), at: node.mark)
        return nil
      }
      guard count.contains(entries.count) else {
        problems.add(.listLength(entries.count, allowed: count), at: node.mark)
        return nil
      }
      return entries.map { entry in
        if let problem = checkKey(entry.key) { problems.add(problem, at: entry.mark) }
        return NamedItem(
          name: entry.key, mark: entry.mark, value: item.read(entry.value, &problems))
      }
    }
  }

  /// A mapping with known keys; `build` takes them one by one.
  ///
  /// Of the keys `oneOf` exactly one has to be there.
  static func record(
    _ fields: [KnownField], oneOf: [String] = [],
    build: @escaping @Sendable (inout RecordReader) -> Value?
  ) -> Reading {
    Reading(schema: .record(fields.filter { $0.refusal == nil }, oneOf: oneOf)) { node, problems in
      if case .refused = node.content { return nil }
      guard case .mapping(let entries) = node.content else {
        let keys = fields.filter { $0.refusal == nil }.map(\.key)
        problems.add(
          .wrongKind(expected: .mapping, found: node.content.kind, keys: keys), at: node.mark)
        return nil
      }
      var reader = RecordReader(entries: entries, mark: node.mark)
      reader.check(fields, oneOf: oneOf)
      let value = build(&reader)
      problems.add(contentsOf: reader.problems)
      return value
    }
  }

  /// The same, together with its place.
  var placed: Reading<Placed<Value>> {
    Reading<Placed<Value>>(schema: schema) { node, problems in
      read(node, &problems).map { Placed(value: $0, mark: node.mark) }
    }
  }
}

/// An item under a name that the author chose.
struct NamedItem<Item> {
  var name: String
  var mark: Mark
  var value: Item?
}

/// Why a scalar was refused.
struct Refusal: Error {
  let problem: ScenarioProblem

  init(_ problem: ScenarioProblem) {
    self.problem = problem
  }
}

/// The keys of one mapping while they are being read.
struct RecordReader {
  let entries: [YAMLEntry]
  let mark: Mark
  var problems = ProblemList()
  /// A key is reserved, and whatever else is wrong here says nothing.
  private(set) var isRefused = false

  init(entries: [YAMLEntry], mark: Mark) {
    self.entries = entries
    self.mark = mark
  }

  mutating func check(_ fields: [KnownField], oneOf: [String]) {
    for entry in entries {
      guard let refusal = fields.first(where: { $0.key == entry.key })?.refusal else { continue }
      if !isRefused { problems.add(.notYet(refusal), at: entry.mark) }
      isRefused = true
    }
    if isRefused { return }
    let known = fields.filter { $0.refusal == nil }.map(\.key)
    for entry in entries where !known.contains(entry.key) {
      problems.add(.unknownKey(entry.key, known: known), at: entry.mark)
    }
    // A misspelt key is one mistake, not two.
    func isMeant(_ key: String) -> Bool {
      mark(of: key) != nil
        || entries.contains {
          !known.contains($0.key) && Spelling.nearest(to: $0.key, in: known) == key
        }
    }
    for field in fields where field.required && !isMeant(field.key) {
      if let substitute = field.substitute, isMeant(substitute) { continue }
      problems.add(
        .missingKey(field.key, example: "\(field.key): \(field.schema.example)"), at: mark)
    }
    guard !oneOf.isEmpty else { return }
    let found = oneOf.filter { mark(of: $0) != nil }
    if found.count != 1 { problems.add(.needsOneOf(oneOf, found: found), at: mark) }
  }

  /// The value at a key; nil when the key is absent or its value is wrong.
  mutating func take<Value>(_ field: Field<Value>) -> Value? {
    guard !isRefused, let entry = entries.first(where: { $0.key == field.key }) else { return nil }
    return field.reading.read(entry.value, &problems)
  }

  /// A detail stands beside what it belongs to, and nowhere else.
  mutating func pair<Value, Detail>(_ field: Field<Value>, with detail: Field<Detail>) {
    switch (mark(of: field.key), mark(of: detail.key)) {
    case (nil, let mark?): problems.add(.needsKey(field.key, for: detail.key), at: mark)
    case (.some, nil):
      let example = "\(detail.key): \(detail.reading.schema.example)"
      problems.add(.missingKey(detail.key, example: example), at: mark)
    default: break
    }
  }

  func mark(of key: String) -> Mark? {
    entries.first { $0.key == key }?.mark
  }
}
