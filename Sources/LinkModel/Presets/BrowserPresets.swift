// Browsers throttle requests, not packets: a delay before a request's answer, and a rate for all.

extension LinkPreset {
  /// Chrome's DevTools.
  ///
  /// What the panel names is not what it applies: Slow 3G is 500 kbit/s and 400 ms by name, 80 % of
  /// the one and five times the other in fact.
  static let devTools: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, up: Double, down: Double, _ percent: Int,
      delay: PublishedDelay
    ) -> LinkPreset {
      LinkPreset(
        name, "Chrome \(title)", up: .limited(up, .kilobits, percent: percent),
        down: .limited(down, .kilobits, percent: percent), delay: delay,
        source: "NetworkManager.ts", .source)
    }
    return [
      preset(
        "devtools-slow-3g", "Slow 3G", up: 500, down: 500, 80, delay: .request(400, percent: 500)),
      preset(
        "devtools-slow-4g", "Slow 4G", up: 750, down: 1_600, 90,
        delay: .request(150, percent: 375)),
      // The old name of Slow 4G, until May 2024.
      preset(
        "devtools-fast-3g", "Fast 3G", up: 750, down: 1_600, 90,
        delay: .request(150, percent: 375)),
      preset(
        "devtools-fast-4g", "Fast 4G", up: 1_500, down: 9_000, 90,
        delay: .request(60, percent: 275)),
      LinkPreset(
        "devtools-offline", "Chrome Offline", up: .offline, down: .offline, delay: .request(0),
        source: "NetworkManager.ts", .source),
    ]
  }()

  /// Lighthouse, as it throttles through DevTools: 90 % of the rate, and 1,024 bits to a kilobit.
  ///
  /// Left out: desktopDense4G, which throttles nothing there and has no rate up.
  static let lighthouse = [
    LinkPreset(
      "lighthouse-slow-4g", "Lighthouse mobileSlow4G", up: .limited(750, .kibibits, percent: 90),
      down: .limited(1_638.4, .kibibits, percent: 90), delay: .request(150, percent: 375),
      source: "constants.js", .source),
    LinkPreset(
      "lighthouse-regular-3g", "Lighthouse mobileRegular3G",
      up: .limited(700, .kibibits, percent: 90), down: .limited(700, .kibibits, percent: 90),
      delay: .request(300, percent: 375), source: "constants.js", .source),
  ]

  /// Firefox, with the profiles that Chrome had before; 1,024 bits to a kilobit.
  static let firefox: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, up: PublishedRate, down: PublishedRate, delay: Double
    ) -> LinkPreset {
      LinkPreset(
        name, "Firefox \(title)", up: up, down: down, delay: .request(delay),
        source: "profiles.js", .source)
    }
    return [
      preset(
        "firefox-gprs", "GPRS", up: .limited(20, .kibibits), down: .limited(50, .kibibits),
        delay: 500),
      preset(
        "firefox-regular-2g", "Regular 2G", up: .limited(50, .kibibits),
        down: .limited(250, .kibibits), delay: 300),
      preset(
        "firefox-good-2g", "Good 2G", up: .limited(150, .kibibits), down: .limited(450, .kibibits),
        delay: 150),
      preset(
        "firefox-regular-3g", "Regular 3G", up: .limited(250, .kibibits),
        down: .limited(750, .kibibits), delay: 100),
      preset(
        "firefox-good-3g", "Good 3G", up: .limited(750, .kibibits), down: .limited(1.5, .mebibits),
        delay: 40),
      preset(
        "firefox-regular-4g", "Regular 4G / LTE", up: .limited(3, .mebibits),
        down: .limited(4, .mebibits), delay: 20),
      preset(
        "firefox-dsl", "DSL", up: .limited(1, .mebibits), down: .limited(2, .mebibits), delay: 5),
      preset(
        "firefox-wifi", "Wi-Fi", up: .limited(15, .mebibits), down: .limited(30, .mebibits),
        delay: 2),
    ]
  }()
}
