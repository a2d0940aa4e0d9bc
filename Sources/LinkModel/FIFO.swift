/// First in, first out, at constant cost per element on average.
package struct FIFO<Element> {
  /// Spent places are empty, so that what was taken out is not kept.
  private var elements: [Element?] = []
  private var head = 0

  package init() {}

  package var isEmpty: Bool { head == elements.count }
  package var count: Int { elements.count - head }
  package var first: Element? { isEmpty ? nil : elements[head] }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    // Give space back once half of it is spent, so that each element is moved at most once.
    if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  package mutating func removeAll(where isGone: (Element) -> Bool) {
    elements.removeFirst(head)
    head = 0
    elements.removeAll { $0.map(isGone) ?? true }
  }
}

extension FIFO: Sendable where Element: Sendable {}
