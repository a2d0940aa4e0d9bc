import Captures

/// The names in an outbox: a record is `<sequence>-<entry id>.json`, a file `<entry id>.<step>`.
///
/// Names alone tell what belongs together, so that a record that cannot be read still protects its
/// files; sorted, records are in capture order.
enum OutboxName {
  /// How the names of records end.
  static let record = ".json"
  /// Those of records that could not be read.
  static let damaged = ".json.damaged"
  private static let aside = ".json.new"
  private static let sequenceDigits = 12

  static func file(_ step: StepName, of entry: String) -> String { "\(entry).\(step)" }

  static func record(of entry: OutboxEntry) -> String { stem(of: entry) + record }

  /// Of a record that is being written.
  static func aside(of entry: OutboxEntry) -> String { stem(of: entry) + aside }

  private static func stem(of entry: OutboxEntry) -> String {
    let digits = String(entry.sequence)
    let padding = String(repeating: "0", count: max(0, sequenceDigits - digits.count))
    return "\(padding)\(digits)-\(entry.id)"
  }

  /// The sequence number at the start of a record's name.
  static func sequence(of record: String) -> Int? { Int(record.prefix(sequenceDigits)) }

  /// The id of the entry whose record has the name, however that ends; nil when it is no such name.
  static func owner(ofRecord name: String) -> String? {
    guard let dash = name.firstIndex(of: "-"),
      let ending = [record, damaged, DeviceCopies.ending].first(where: name.hasSuffix)
    else { return nil }
    return String(name[name.index(after: dash)...].dropLast(ending.count))
  }

  /// Files of no record, and records whose commit never came to the rename; strangers are left.
  static func isLeftOver(_ name: String, owners: Set<String>) -> Bool {
    if name.hasSuffix(aside) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, StepName(parts[1])?.step.sendsFile == true else { return false }
    return !owners.contains(parts[0])
  }
}
