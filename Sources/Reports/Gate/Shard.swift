/// One of several jobs that share the scenarios of a gate.
package struct Shard: Hashable, Sendable {
  /// More jobs than this share no folder of scenarios.
  package static let countMax = 1_000

  /// From 1.
  package var number: Int
  package var count: Int

  package static let whole = Shard(number: 1, count: 1)

  package init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// Reads `2/5`; nil when it is anything else.
  package init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(checking: number, of: count)
  }

  /// Nil when there is no such job.
  package init?(checking number: Int, of count: Int) {
    guard (1...Self.countMax).contains(count), (1...count).contains(number) else { return nil }
    self.init(number: number, count: count)
  }

  /// Its share: every n-th, so that neighbours, which are often alike, are spread.
  package func share<Item>(of items: [Item]) -> [Item] {
    items.enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
  }

  package var text: String { "\(number)/\(count)" }
}

extension Shard: ResultObject {
  static var blank: Self { .whole }
  static var fields: [ResultField<Self>] {
    [.init("number", \.number), .init("count", \.count)]
  }
}
