import Bench
import TestSupport
import Testing
import Uploads

struct CrashSearchTests {
  @Test func `at every write of a life the client can end, and loses and repeats nothing`() throws {
    let search = CrashSearch()
    let points = WritePoint.points(of: try search.calls())
    let ends = try search.ends(seeds: 6)
    var faults: [String] = []
    for end in ends {
      for violation in try search.violations(after: [end]) ?? [] {
        faults.append("\(points[end.call]), \(end): \(violation)")
      }
    }
    #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
    print("crash search: \(points.count) writes, \(Set(points).count) points, \(ends.count) cases")
    var listed: Set<WritePoint> = []
    for point in points where listed.insert(point).inserted {
      print("  \(point), \(points.count { $0 == point }) times")
    }
  }

  @Test(arguments: [1, 2])
  func `whatever ends while the device's copies are made and dropped, nothing is lost`(
    copies: Int
  ) throws {
    let search = CrashSearch(deviceCopies: copies)
    let points = WritePoint.points(of: try search.calls())
    let ends = try search.ends(seeds: 4).filter { points[$0.call].part == "retire" }
    #expect(!ends.isEmpty)
    var faults: [String] = []
    for end in ends {
      for violation in try search.violations(after: [end]) ?? [] {
        faults.append("\(points[end.call]), \(end): \(violation)")
      }
    }
    #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
    print("crash search: \(ends.count) cases with \(copies) device copies")
  }

  @Test func `the start after an end can end as well`() throws {
    let search = CrashSearch()
    let points = WritePoint.points(of: try search.calls())
    var faults: [String] = []
    let cases = try twoEnds(search) { first, second, violations in
      faults += violations.map { "\(points[first.call]), \(first), then \(second): \($0)" }
      return true
    }
    #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
    print("crash search: \(cases) cases of two ends")
  }

  @Test func `a client that trusts the names that it finds is caught by the second end`() throws {
    var caught: Violation?
    let cases = try twoEnds(CrashSearch(order: .startNotSynced)) { first, second, violations in
      caught = violations.first
      if let caught { print("startNotSynced: \(first), then \(second): \(caught)") }
      return caught == nil
    }
    print("startNotSynced: caught by case \(cases)")
    #expect(caught?.kind == WrongOrder.startNotSynced.consequence)
  }

  /// A first end at every write, and a second one at each of the first calls of the next start.
  ///
  /// `judge` is told the violations of each case, and goes on if it is true; gives their number.
  private func twoEnds(
    _ search: CrashSearch, judge: (LifeEnd, LifeEnd, [Violation]) -> Bool
  ) throws -> Int {
    var cases = 0
    // To the disk, before a call is after the one before it.
    for first in try search.ends(seeds: 1) where first.moment != .before {
      for call in 0..<8 {
        // A loss of power is certain about more than a killed process is.
        for power in 0..<UInt64(first.power == nil ? 2 : 1) {
          let second = LifeEnd(call: call, moment: .after, power: power + UInt64(cases))
          guard let violations = try search.violations(after: [first, second]) else { break }
          cases += 1
          guard judge(first, second, violations) else { return cases }
        }
      }
    }
    return cases
  }

  @Test func `the clearing up after a failed commit can end as well`() throws {
    var faults: [String] = []
    let cases = try failuresAndEnds(CrashSearch()) { end, violations in
      faults += violations.map { "\(end): \($0)" }
      return true
    }
    #expect(faults.isEmpty, "\(faults.prefix(40).joined(separator: "\n"))")
    print("crash search: \(cases) cases of a failure and an end")
  }

  @Test func `a client that clears up all at once is caught by a failure and an end`() throws {
    var caught: Violation?
    let cases = try failuresAndEnds(CrashSearch(order: .removalsNotSynced)) { _, violations in
      caught = violations.first
      return caught == nil
    }
    print("removalsNotSynced: caught by case \(cases) of a failure and an end")
    #expect(caught?.kind == .recordWithoutFile)
  }

  /// A failure of each call of a commit, and then an end at each of the calls that follow.
  private func failuresAndEnds(
    _ search: CrashSearch, judge: (LifeEnd, [Violation]) -> Bool
  ) throws -> Int {
    var cases = 0
    for (failing, point) in WritePoint.points(of: try search.calls()).enumerated()
    where point.part == "commit" {
      for call in failing + 1..<failing + 8 {
        for power in 0..<UInt64(4) {
          let end = LifeEnd(call: call, moment: .after, power: power, failing: failing)
          cases += 1
          guard judge(end, try search.violations(after: [end]) ?? []) else { return cases }
        }
      }
    }
    return cases
  }

  @Test(arguments: WrongOrder.allCases.filter { $0 != .startNotSynced })
  func `a client that writes in a wrong order is caught, for the right reason`(
    order: WrongOrder
  ) throws {
    let search = CrashSearch(order: order)
    let points = WritePoint.points(of: try search.calls())
    var cases = 0
    for end in try search.ends(seeds: 6) {
      cases += 1
      guard let violation = try search.violations(after: [end])?.first else { continue }
      print("\(order): caught by case \(cases), \(points[end.call]), \(end): \(violation)")
      #expect(violation.kind == order.consequence)
      return
    }
    Issue.record("not caught in \(cases) cases")
  }
}

extension WrongOrder {
  /// What the search finds first.
  fileprivate var consequence: Violation.Kind {
    switch self {
    case .recordBeforeFiles, .filesNotSynced, .namesNotSynced, .removalsNotSynced,
      .filesRemovedBeforeRecord:
      .recordWithoutFile
    case .recordNotSynced, .recordInPlace: .unreadableRecord
    case .folderNotSynced, .renamesNotSynced, .startNotSynced: .lost
    case .doneSetNotSaved: .sentAgain
    case .idsMintedAtStart: .twice
    }
  }
}
