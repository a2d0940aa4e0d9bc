/// A thing that two clients are compared by: how it is read, which way is better, and how far apart
/// values have to be before it matters.
struct ComparedMeasure {
  enum Unit: String, Hashable, Sendable, CaseIterable {
    case count, bytes, seconds
  }

  /// How a sentence says it: `made # attempt(s) of the copy`, with a number and `fewer` for the `#`.
  struct Phrase: Hashable, Sendable {
    var text: String
    var less: String
    var more: String

    init(_ text: String, less: String = "fewer", more: String = "more") {
      self.text = text
      self.less = less
      self.more = more
    }
  }

  /// The smallest difference that is told as better or worse.
  struct MinimumEffect {
    /// Of the larger of the two means.
    var percent = 0.0
    /// In the unit of the measure.
    var absolute = 0.0
    /// What the instrument may be off by in one run, in the unit of the measure.
    var budget = 0.0

    /// Any difference counts.
    static let none = MinimumEffect()

    /// Of means over several runs, whose own spread tells what one run may be off by.
    func ofMeans(_ left: Double, _ right: Double) -> Double {
      max(relative(left, right), absolute, budget)
    }

    /// Of two that were run once: whatever the instrument may be off by comes on top.
    func ofSingles(_ left: Double, _ right: Double) -> Double {
      max(relative(left, right), absolute) + budget
    }

    private func relative(_ left: Double, _ right: Double) -> Double {
      max(abs(left), abs(right)) * percent / 100
    }
  }

  var name: String
  var unit: Unit
  var phrase: Phrase
  /// What there is in all, as of files that may land.
  var total: Int?
  var minimum = MinimumEffect.none
  /// Whether each of the runs measured it.
  var isMeasured: Bool
  /// Nil where it never came to be.
  var value: (VariantRecord) -> Double?
  /// The less the better; equal costs of unlike values are neither.
  var cost: (VariantRecord) -> Double
  /// What the value is the sum of: equal sums of unlike parts are different.
  var parts: ((VariantRecord) -> [Int])?

  init(
    _ name: String, _ unit: Unit, _ phrase: Phrase, total: Int? = nil,
    minimum: MinimumEffect = .none, isMeasured: Bool = true,
    cost: ((VariantRecord) -> Double)? = nil,
    parts: ((VariantRecord) -> [Int])? = nil, value: @escaping (VariantRecord) -> Double?
  ) {
    self.name = name
    self.unit = unit
    self.phrase = phrase
    self.total = total
    self.minimum = minimum
    self.isMeasured = isMeasured
    self.value = value
    // Never is later than every time.
    self.cost = cost ?? { value($0) ?? .infinity }
    self.parts = parts
  }
}
