import Bench
import Synchronization
import TestSupport
import Testing

/// What lets runs go on beside each other without changing a byte.
struct OrderedWorkTests {
  @Test(arguments: [1, 2, 7])
  func `results come in order, and pieces are prepared in order`(threads: Int) throws {
    let prepared = Recorder<Int>()
    let work = try OrderedWork(pieces: 200, threads: threads) { piece in
      prepared.record(piece)
      return {
        // Uneven, so that later ones are ready before earlier ones.
        (0..<(piece % 7 == 0 ? 20_000 : 10)).reduce(piece) { $0 &+ ($1 & 0) }
      }
    }
    let results = (0..<200).compactMap { _ in work.next {} }
    #expect(results == Array(0..<200))
    #expect(prepared.values == Array(0..<200))
  }

  @Test func `no more is begun than may wait`() throws {
    let begun = Atomic(0)
    let work = try OrderedWork(pieces: 1_000, threads: 2) { _ in
      begun.add(1, ordering: .relaxed)
      return {}
    }
    // The first result is there, and nobody takes it.
    while begun.load(ordering: .relaxed) < 2 * OrderedWork<Void>.aheadMax {}
    for taken in 1...100 {
      work.next {}
      #expect(begun.load(ordering: .relaxed) <= 2 * OrderedWork<Void>.aheadMax + taken)
    }
  }

  @Test func `what nobody takes ends with it`() throws {
    let begun = Atomic(0)
    var work: OrderedWork<Int>? = try OrderedWork(pieces: 1_000, threads: 2) { piece in
      begun.add(1, ordering: .relaxed)
      return { piece }
    }
    work?.skip(3)
    #expect(work?.next {} == 3)
    work = nil
    // Its threads have been waited for.
    let sum = begun.load(ordering: .relaxed)
    #expect(sum <= 4 + 2 * OrderedWork<Int>.aheadMax)
  }

  @Test(arguments: [1, 3])
  func `what is not begun any more is no result, and is not waited for`(threads: Int) throws {
    let work = try OrderedWork<Int>(pieces: 1_000, threads: threads) { piece in
      guard piece < 5 else { return nil }
      return { piece }
    }
    for piece in 0..<5 { #expect(work.next {} == piece) }
    #expect(!work.nextHasBegun)
    #expect(work.next {} == nil)
    work.skip(10)
  }

  @Test func `of nothing no thread is made`() throws {
    _ = try OrderedWork(pieces: 0, threads: 64) { _ in {} }
  }
}
