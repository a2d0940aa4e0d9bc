extension LinkPreset {
  /// The two links of the scenarios that ship.
  static let story = [
    LinkPreset(
      "story-slow", "The copy that never landed", up: .limited(20, .kilobytes),
      down: .limited(200, .kilobytes), delay: .oneWay(up: 100, down: 100),
      source: "slow-copy.yaml", .source),
    LinkPreset(
      "story-fast", "Three photos and their status lines", up: .limited(61.4, .kilobytes),
      down: .limited(200, .kilobytes), delay: .oneWay(up: 100, down: 100),
      source: "three-photos.yaml", .source),
  ]
}
