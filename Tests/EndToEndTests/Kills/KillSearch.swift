import FoundationEssentials
import Glibc
import Quantities
import TestSupport

/// Kills the real client process again and again, at named points in turn and at random times.
struct KillSearch {
  /// Kills of one story: some at points, in the order in which a client comes to them.
  private static let killsPerStory = 3
  /// Of so many stories one is of kills at random times.
  private static let timedEach = 2
  /// A point that was not come to is tried this often before it is named.
  private static let triesMax = 4

  struct Target: Hashable {
    var aim: KillAim
    /// Of the place in an undisturbed life.
    var order: Int
    var tries = 0

    var isOfRecovery: Bool {
      if case .point(let point, _, _) = aim { point.part == "recovery" } else { false }
    }
  }

  /// Leaves the files of a commit, and its record aside.
  private static let torn = KillAim.point(
    KillPoint(part: "commit", what: "record renamed"), occurrence: 1, .before)

  /// How often something was killed, and what was wrong.
  struct Tally {
    var points: [KillPoint] = []
    var hits: [KillPoint: Int] = [:]
    var timed = 0
    var stories = 0
    var lives = 0
    var violations: [Violation] = []
    /// The violations with what was done before them.
    var told: [String] = []

    var kills: Int { timed + points.reduce(0) { $0 + hits[$1, default: 0] } }
  }

  let props: KillStory.Props
  /// Folders of the outboxes: on a disk, and in memory.
  let parents: [String]
  private(set) var tally = Tally()
  private var random: SeededRandom
  private var lifeSeconds = 0.0
  private var targets: [Target] = []

  init(_ props: KillStory.Props, parents: [String], seed: UInt64) {
    self.props = props
    self.parents = parents
    random = SeededRandom(seed: seed).fork("kills")
  }

  /// Kills so often; every point that there is comes in turn.
  mutating func run(kills: Int) throws {
    try explore()
    var round = targets.shuffled(using: &random)
    while tally.kills < kills {
      var aims: [Target] = []
      for _ in 0..<min(Self.killsPerStory, kills - tally.kills) {
        if tally.stories % Self.timedEach == 0 {
          let seconds = Double.random(in: 0..<lifeSeconds, using: &random)
          aims.append(Target(aim: .time(seconds), order: 0))
        } else {
          if round.isEmpty { round = targets.shuffled(using: &random) }
          aims.append(round.removeLast())
        }
      }
      if let swept = aims.firstIndex(where: \.isOfRecovery) {
        // Something has to be left behind for it first.
        round += aims.enumerated().filter { $0.offset != swept }.map(\.element)
        aims = [Target(aim: Self.torn, order: 0), aims[swept]]
      }
      aims.sort { $0.order < $1.order }
      let outcome = try tell(aims.map(\.aim), hasLink: tally.stories % 2 == 1)
      for aim in aims.suffix(outcome.missed.count) where aim.tries < Self.triesMax {
        var again = aim
        again.tries += 1
        // At the end, where it is taken first.
        if case .point = aim.aim { round.append(again) }
      }
    }
  }

  /// Lives undisturbed, to learn the points; and once behind a torn commit, for those of a sweep.
  private mutating func explore() throws {
    let whole = try tell([], hasLink: true)
    lifeSeconds = whole.seconds[0]
    let recovery = try tell([Self.torn], hasLink: false)
    let order = whole.seen.joined() + recovery.seen.joined().filter { $0.part == "recovery" }
    var counts: [KillPoint: Int] = [:]
    for (place, point) in order.enumerated() {
      let count = counts[point, default: 0] + 1
      counts[point] = count
      if !tally.points.contains(point) { tally.points.append(point) }
      // Later ones depend on how the threads took turns.
      guard count <= 2 else { continue }
      for moment in TracedProcess.Moment.allCases where moment != .within || point.hasHalf {
        targets.append(Target(aim: .point(point, occurrence: count, moment), order: place))
      }
    }
  }

  /// Runs one story, and keeps the tally of it.
  private mutating func tell(_ aims: [KillAim], hasLink: Bool) throws -> KillStory.Outcome {
    let parent = parents[tally.stories % parents.count]
    let folder = "\(parent)/outbox-\(tally.stories)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var story = KillStory(props: props)
    story.hasLink = hasLink
    let outcome = try story.run(aims, in: folder)
    tally.stories += 1
    tally.lives += outcome.seen.count
    for hit in outcome.hits {
      if let hit {
        if !tally.points.contains(hit) { tally.points.append(hit) }
        tally.hits[hit, default: 0] += 1
      } else {
        tally.timed += 1
      }
    }
    for violation in outcome.violations {
      tally.violations.append(violation)
      tally.told.append("\(violation), after \(aims), hit at \(outcome.hits)")
    }
    return outcome
  }
}
