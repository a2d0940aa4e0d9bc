extension LinkPreset {
  /// Profiles of Facebook's Augmented Traffic Control that are not Apple's.
  static let trafficControl = [
    LinkPreset(
      "atc-2g-rural", "ATC 2G, Developing Rural", up: .limited(18, .kilobits),
      down: .limited(20, .kilobits), delay: .oneWay(up: 650, down: 650), loss: 0.02,
      source: "2G-DevelopingRural", .source),
    LinkPreset(
      "atc-2g-urban", "ATC 2G, Developing Urban", up: .limited(32, .kilobits),
      down: .limited(35, .kilobits), delay: .oneWay(up: 650, down: 650),
      source: "2G-DevelopingUrban", .source),
    // Not offline, whatever it is called.
    LinkPreset(
      "atc-no-connectivity", "ATC No Connectivity", up: .limited(1, .kilobits),
      down: .limited(1, .kilobits), delay: .oneWay(up: 0, down: 0), source: "NoConnectivity",
      .source),
  ]

  /// The profiles that comcast lists for its options.
  ///
  /// It has one bandwidth, and its delay sits where packets leave the machine, so that a round trip
  /// has it once. Left out: Starlink and Satellite, which have no rate.
  static let comcast: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, _ rate: Double, delay: Double, loss: Double
    ) -> LinkPreset {
      LinkPreset(
        name, "comcast \(title)", up: .limited(rate, .kilobits), down: .limited(rate, .kilobits),
        delay: .roundTrip(delay), loss: loss, source: "README", .documentation)
    }
    return [
      preset("comcast-gprs", "GPRS (good)", 50, delay: 500, loss: 0.02),
      preset("comcast-edge", "EDGE (good)", 250, delay: 300, loss: 0.015),
      preset("comcast-3g", "3G/HSDPA (good)", 750, delay: 250, loss: 0.015),
      preset("comcast-dial-up", "DIAL-UP (good)", 40, delay: 185, loss: 0.02),
      preset("comcast-dsl-poor", "DSL (poor)", 2_000, delay: 70, loss: 0.02),
      preset("comcast-dsl-good", "DSL (good)", 8_000, delay: 40, loss: 0.005),
      preset("comcast-wifi", "WIFI (good)", 30_000, delay: 40, loss: 0.002),
    ]
  }()
}
