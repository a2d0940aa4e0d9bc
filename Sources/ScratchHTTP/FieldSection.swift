/// The field lines of a head or of a trailer section, as they come in: RFC 9112 section 5.
struct FieldSection: Hashable {
  private(set) var fields: [HeaderField] = []
  private var bytes = 0

  /// Takes one line without its line end; not the empty line that ends the section.
  mutating func take(_ line: ArraySlice<UInt8>, limits: ReaderLimits) throws(RequestFault) {
    bytes += line.count + 2
    guard bytes <= limits.fieldBytes else { throw .fieldsTooLarge }
    guard fields.count < limits.fields else { throw .tooManyFields }
    guard let start = line.first, !start.isBlank else { throw .foldedField }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedField }
    let name = line[..<colon]
    if let last = name.last, last.isBlank { throw .spaceBeforeColon }
    guard !name.isEmpty, name.allSatisfy(\.isTokenOctet) else { throw .malformedField }
    var value = line[(colon + 1)...]
    while let first = value.first, first.isBlank { value.removeFirst() }
    while let last = value.last, last.isBlank { value.removeLast() }
    guard !value.contains(.carriageReturn) else { throw .bareLineEnd }
    guard value.allSatisfy(\.isFieldOctet) else { throw .malformedField }
    fields.append(
      HeaderField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
  }
}
