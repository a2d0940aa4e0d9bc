extension Sequence where Element: Equatable {
  /// Each element once, in order of first standing; for few different ones.
  package var distinct: [Element] {
    var found: [Element] = []
    for element in self where !found.contains(element) { found.append(element) }
    return found
  }
}
