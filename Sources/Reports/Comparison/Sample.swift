/// What one measure came to in each of several runs of one client.
package struct Sample: Hashable, Sendable {
  /// In the order of the runs; nil where it never came to be, as the end of a run that did not land all.
  package var values: [Double?]

  package init(_ values: [Double?]) {
    self.values = values
  }

  package var numbers: [Double] { values.compactMap(\.self) }

  package var least: Double? { numbers.min() }
  package var most: Double? { numbers.max() }

  /// Every run gave the same, a number or never.
  package var isConstant: Bool { values.allSatisfy { $0 == values.first } }

  /// Of the runs that gave a number; nil when none did.
  ///
  /// Equal numbers are their own mean, to the last digit: a sum of them would not be.
  package var mean: Double? {
    let numbers = numbers
    guard let first = numbers.first else { return nil }
    return numbers.allSatisfy { $0 == first } ? first : Reports.mean(numbers)
  }

  /// Whether both hold the same values, each as often.
  func holdsTheSame(as other: Sample) -> Bool {
    func sorted(_ sample: Sample) -> [Double] { sample.values.map { $0 ?? .infinity }.sorted() }
    return sorted(self) == sorted(other)
  }
}
