import Captures
import LinkModel
import Quantities

/// A scenario as a drawing in text: what crosses, what is saved and done, and what the fluid model
/// forecasts, under each other on one axis of link time.
///
/// A column is an equal part of the horizon; no line is longer than ``width``.
struct ScenarioTimeline {
  static let width = 100
  private static let labelWidth = 20
  private static let columns = width - labelWidth - 2
  /// Between two marks of the axis, at least.
  private static let markColumns = 11
  /// Rows of faults; what is beyond stands in the words.
  static let faultsMax = 12
  private static let levels = Array("▁▂▃▄▅▆▇█")

  private let scenario: Scenario
  private let end: Instant

  init(_ scenario: Scenario) {
    self.scenario = scenario
    end = .zero + scenario.horizon
  }

  var lines: [String] {
    [axis, rate("up", scenario.link.up), rate("down", scenario.link.down)]
      + faults + [captures] + acts + scenario.variants.flatMap(attempts)
      + ["(· nothing crosses; = sending, o landed, x cut by a limit, > still sending at the end)"]
  }

  // MARK: The rows

  private var axis: String {
    let least = scenario.horizon.inSeconds * Double(Self.markColumns) / Double(Self.columns)
    let decades = sequence(first: 0.001) { $0 * 10 }.prefix(12)
    let step =
      decades.flatMap { [$0, 2 * $0, 5 * $0] }.first { $0 >= least } ?? scenario.horizon.inSeconds
    var cells = blank
    for mark in 0..<Self.columns {
      let at = Double(mark) * step
      guard at < scenario.horizon.inSeconds else { break }
      put("|\(trimmed(at, decimals: 3)) s", at: column(Instant(seconds: at)), in: &cells)
    }
    return row("link time", cells)
  }

  private func rate(_ name: String, _ direction: DirectionConditions) -> String {
    let most = direction.rate.fastest
    let course = direction.course(until: end)
    var cells = blank
    for column in cells.indices {
      let span = start(of: column)..<start(of: column + 1)
      var bytes = 0.0
      var isUnlimited = false
      for (index, step) in course.enumerated() {
        let next = index + 1 < course.count ? course[index + 1].at : end
        let (from, until) = (max(step.at, span.lowerBound), min(next, span.upperBound))
        guard from < until else { continue }
        switch step.rate {
        case .offline: break
        case .unlimited: isUnlimited = true
        case .limited(let rate): bytes += rate.bytesPerSecond * (until - from).inSeconds
        }
      }
      let mean = bytes / (span.upperBound - span.lowerBound).inSeconds
      // A mean of a trace's stretch may be above that of all.
      let share = isUnlimited ? 1 : min(1, mean / (most?.bytesPerSecond ?? 1))
      let level = Int((share * Double(Self.levels.count)).rounded(.up)) - 1
      cells[column] = level < 0 ? "·" : Self.levels[level]
    }
    return row("\(name), \(most?.description ?? "no rate")", cells)
  }

  private var faults: [String] {
    let timed = scenario.link.faults.compactMap { fault -> String? in
      var cells = blank
      let (name, which) = (fault.name, fault.which)
      if case .dark(let at) = fault.deed {
        guard at < end else { return nil }
        cells[column(at)] = "x"
      } else {
        guard which.from != nil || which.until != nil else { return nil }
        fill("-", from: which.from ?? .zero, until: which.until ?? end, in: &cells)
      }
      return row(which.number.map { "\(name), connection \($0)" } ?? name, cells)
    }
    return Array(timed.prefix(Self.faultsMax))
      + (timed.count > Self.faultsMax ? ["and \(timed.count - Self.faultsMax) faults more"] : [])
  }

  /// How many are saved in each column.
  private var captures: String {
    var counts = Array(repeating: 0, count: Self.columns)
    for capture in scenario.captures { counts[column(capture.at)] += 1 }
    return row("saved", counts.map { $0 == 0 ? " " : $0 < 10 ? Character("\($0)") : "+" })
  }

  /// A row for each kind of act.
  private var acts: [String] {
    ActWord.allCases.compactMap { word in
      let own = scenario.acts.filter { $0.deed.word == word }
      guard !own.isEmpty else { return nil }
      var cells = blank
      for act in own { cells[column(act.at)] = "*" }
      return row(word.rawValue, cells)
    }
  }

  /// A row for each step that sends a file: a client sends one after the other.
  private func attempts(of variant: Variant) -> [String] {
    guard case .success(let forecast) = FluidForecaster.forecast(scenario, variant) else {
      return [row(variant.name, Array("no forecast: see below"))]
    }
    return forecast.files.map(\.step.step).distinct.map { step in
      var cells = blank
      for attempt in forecast.attempts where attempt.step.step == step {
        fill("=", from: attempt.start, until: attempt.end, in: &cells)
        cells[column(attempt.end)] =
          switch attempt.how {
          case .landed: "o"
          case .idleLimit, .ceiling: "x"
          case .horizon: ">"
          }
      }
      return row("\(variant.name), \(step.rawValue)", cells)
    }
  }

  // MARK: Drawing

  private var blank: [Character] { Array(repeating: " ", count: Self.columns) }

  private func column(_ instant: Instant) -> Int {
    let share = (instant - .zero).inSeconds / scenario.horizon.inSeconds
    return min(max(0, Int(share * Double(Self.columns))), Self.columns - 1)
  }

  private func start(of column: Int) -> Instant {
    .zero + scenario.horizon * column / Self.columns
  }

  private func fill(
    _ mark: Character, from: Instant, until: Instant, in cells: inout [Character]
  ) {
    guard from < until else { return }
    for column in column(from)...column(until) { cells[column] = mark }
  }

  private func put(_ text: String, at column: Int, in cells: inout [Character]) {
    guard column + text.count <= cells.count else { return }
    cells.replaceSubrange(column..<(column + text.count), with: text)
  }

  private func row(_ label: String, _ cells: [Character]) -> String {
    let name =
      label.count <= Self.labelWidth ? label : label.prefix(Self.labelWidth - 1) + "…"
    let gap = String(repeating: " ", count: Self.labelWidth - name.count + 2)
    var line = name + gap + String(cells)
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension ConnectionFault {
  /// Its key in a scenario.
  fileprivate var name: String {
    switch deed {
    case .refuse: FaultKeys.refuse.key
    case .silent: FaultKeys.silent.key
    case .cut: FaultKeys.cut.key
    case .hold: FaultKeys.hold.key
    case .slowClose: FaultKeys.slowClose.key
    case .dark: FaultKeys.dark.key
    }
  }
}
