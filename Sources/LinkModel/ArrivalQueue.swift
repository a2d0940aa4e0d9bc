import Quantities

/// What is on its way, the earliest first; of equal instants the one that was sent first.
struct ArrivalQueue: Sendable {
  private struct Entry {
    var arrival: LinkDirection.Arrival
    var number: Int

    func isBefore(_ other: Entry) -> Bool {
      arrival.at != other.arrival.at ? arrival.at < other.arrival.at : number < other.number
    }
  }

  /// A binary heap: while nothing overtakes, an entry stays where it was put.
  private var entries: [Entry] = []
  private var sent = 0

  var first: LinkDirection.Arrival? { entries.first?.arrival }

  mutating func insert(_ arrival: LinkDirection.Arrival) {
    sent += 1
    let entry = Entry(arrival: arrival, number: sent)
    var place = entries.count
    entries.append(entry)
    while place > 0 {
      let parent = (place - 1) / 2
      guard entry.isBefore(entries[parent]) else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    guard !entries.isEmpty else { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
      guard entries[child].isBefore(last) else { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = last
  }
}
