import Quantities

/// The entries that this process knows, in capture order, and the order in which a pass comes to them.
struct SendQueue: RandomAccessCollection, MutableCollection, Sendable {
  private var items: [QueueItem]
  private let order: UploadPolicy.Order

  init(_ entries: [OutboxEntry], in order: UploadPolicy.Order) {
    items = entries.map(QueueItem.init)
    self.order = order
  }

  var startIndex: Int { items.startIndex }
  var endIndex: Int { items.endIndex }

  subscript(index: Int) -> QueueItem {
    get { items[index] }
    _modify { yield &items[index] }
  }

  /// Takes up an entry at its place in capture order.
  mutating func insert(_ entry: OutboxEntry) {
    let place = items.firstIndex { $0.entry.sequence > entry.sequence } ?? items.endIndex
    items.insert(QueueItem(entry), at: place)
  }

  mutating func remove(at index: Int) -> OutboxEntry { items.remove(at: index).entry }

  func index(of id: String) -> Int? { items.firstIndex { $0.entry.id == id } }

  /// An entry as the user names it: by its own id, or by the capture.
  func index(named name: String) -> Int? {
    index(of: name) ?? items.firstIndex { $0.entry.capture == name }
  }

  /// The places of all entries, in the order in which a pass comes to them.
  var sendOrder: [Int] {
    order == .newestFirst ? items.indices.reversed() : Array(items.indices)
  }

  /// What the lines of entries have to say now, of those that may have something new, in send order.
  mutating func standings(
    under policy: UploadPolicy, at now: Instant
  ) -> [(standing: EntryStanding, entry: OutboxEntry)] {
    var standings: [(standing: EntryStanding, entry: OutboxEntry)] = []
    var ahead = 0
    for index in sendOrder {
      // No line tells more of those before it than that there are several.
      let standing = items[index].standing(ahead: Swift.min(ahead, 2), under: policy)
      // Only a request in flight changes its line by time: thousands that wait cost no text.
      if items[index].progress != nil || items[index].shown != standing {
        items[index].shown = standing
        standings.append((standing, items[index].entry))
      }
      if items[index].isToBeSent && !items[index].rests(at: now) { ahead += 1 }
    }
    return standings
  }

  /// How far it is, for who looks at it from outside.
  func glance(under policy: UploadPolicy, isAtRest: Bool, at now: Instant) -> QueueGlance {
    let shown = items.first { $0.state == .sending } ?? items.first(where: \.isToBeSent)
    return QueueGlance(
      line: shown.flatMap {
        StatusLine.text(
          $0.standing(ahead: 0, under: policy), of: $0.entry.capture, kind: $0.entry.kind,
          sizes: $0.entry.files.count, style: policy.line, numbers: policy.numbers, now: now)
      },
      left: items.count(where: \.isToBeSent),
      parked: items.count { !$0.isToBeSent && $0.state != .done }, isAtRest: isAtRest)
  }
}
