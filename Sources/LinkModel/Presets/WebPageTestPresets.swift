extension LinkPreset {
  /// WebPageTest's connectivity profiles; their delay is a round trip.
  static let webPageTest: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, down: Double, up: Double, roundTrip: Double,
      source: String = "connectivity.ini", _ mark: Mark = .documentation
    ) -> LinkPreset {
      LinkPreset(
        name, "WebPageTest \(title)", up: .limited(up, .kilobits), down: .limited(down, .kilobits),
        delay: .roundTrip(roundTrip), source: source, mark)
    }
    return [
      preset("wpt-dial", "Dial", down: 49, up: 30, roundTrip: 120),
      preset("wpt-edge", "Edge", down: 240, up: 200, roundTrip: 840),
      preset("wpt-2g", "2G", down: 280, up: 256, roundTrip: 800),
      preset("wpt-3g-slow", "3GSlow", down: 400, up: 400, roundTrip: 400),
      preset("wpt-3g", "3G", down: 1_600, up: 768, roundTrip: 300),
      preset("wpt-3g-fast", "3GFast", down: 1_600, up: 768, roundTrip: 150),
      preset("wpt-4g", "4G", down: 9_000, up: 9_000, roundTrip: 170),
      preset("wpt-lte", "LTE", down: 12_000, up: 12_000, roundTrip: 70),
      preset("wpt-dsl", "DSL", down: 1_500, up: 384, roundTrip: 50),
      preset("wpt-cable", "Cable", down: 5_000, up: 1_000, roundTrip: 28),
      preset(
        "wpt-fios", "FIOS", down: 20_000, up: 5_000, roundTrip: 4, source: "copies of it",
        .secondary),
    ]
  }()

  /// sitespeed.io's throttle on Linux, with WebPageTest's names.
  ///
  /// It took over half of each round trip as its own, and halves that again onto each direction: a
  /// profile has half the delay of WebPageTest's one with the same name.
  static let throttle: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, down: Double, up: Double, roundTrip: Double
    ) -> LinkPreset {
      LinkPreset(
        name, "throttle \(title)", up: .limited(up, .kilobits), down: .limited(down, .kilobits),
        delay: .roundTrip(roundTrip), source: "profiles, tc.js", .source)
    }
    return [
      preset("throttle-dial", "dial", down: 49, up: 30, roundTrip: 60),
      preset("throttle-edge", "edge", down: 240, up: 200, roundTrip: 420),
      preset("throttle-2g", "2g", down: 280, up: 256, roundTrip: 400),
      preset("throttle-3g-slow", "3gslow, 3gem", down: 400, up: 400, roundTrip: 200),
      preset("throttle-3g", "3g", down: 1_600, up: 768, roundTrip: 150),
      preset("throttle-3g-fast", "3gfast", down: 1_600, up: 768, roundTrip: 75),
      preset("throttle-4g", "4g", down: 9_000, up: 9_000, roundTrip: 85),
      preset("throttle-lte", "lte", down: 12_000, up: 12_000, roundTrip: 35),
      preset("throttle-dsl", "dsl", down: 1_500, up: 384, roundTrip: 25),
      preset("throttle-cable", "cable", down: 5_000, up: 1_000, roundTrip: 14),
      // Spelt so there.
      preset("throttle-fios", "fois", down: 20_000, up: 5_000, roundTrip: 2),
    ]
  }()
}
