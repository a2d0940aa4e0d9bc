import ScratchHTTP

/// Which part of a list a request asks for, in order of storing: `?after=ID&limit=N`.
struct ListPage {
  /// Places in the list.
  let range: Range<Int>
  /// What to ask for after this page; nil when it is the last.
  let next: String?

  /// Throws ``Refusal`` when the query asks for what cannot be; `max` is the most on a page, and as
  /// many are on one that does not say.
  init(of ids: [String], _ query: [QueryItem], max: Int) throws(Refusal) {
    var start = 0
    if let after = query.first("after") {
      guard let place = ids.firstIndex(of: after) else {
        throw .invalidField("There is nothing of the id that after names.")
      }
      start = place + 1
    }
    var count = max
    if let text = query.first("limit") {
      guard let limit = Int(text), (1...max).contains(limit) else {
        throw .invalidField("limit is not a number from 1 to \(max).")
      }
      count = limit
    }
    range = start..<min(ids.count, start + count)
    next = range.upperBound < ids.count ? ids[range.upperBound - 1] : nil
  }
}
