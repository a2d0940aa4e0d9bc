extension LinkPreset {
  /// The Android emulator's -netspeed and -netdelay of the same name, as of AOSP 5.1.1.
  ///
  /// The source says of its delays that they are "totally imaginary". Its later help prints other
  /// rates. Left out: gsm, hscsd and hsdpa, which have no delay.
  static let android: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, up: Double, down: Double, delay: PublishedDelay
    ) -> LinkPreset {
      LinkPreset(
        name, "Android emulator \(title)", up: .limited(up, .kilobits),
        down: .limited(down, .kilobits), delay: delay, source: #"AOSP, "imaginary""#,
        .source)
    }
    return [
      preset("android-gprs", "gprs", up: 40, down: 80, delay: .drawn(least: 150, most: 550)),
      preset("android-edge", "edge", up: 118.4, down: 236.8, delay: .drawn(least: 80, most: 400)),
      preset("android-umts", "umts", up: 128, down: 1_920, delay: .drawn(least: 35, most: 200)),
    ]
  }()

  /// Firebase Test Lab's network profiles: a rule for each direction, with its own delay.
  ///
  /// As a change request of mozilla-mobile/firefox-android lists them, number 5174.
  static let firebase = [
    LinkPreset(
      "firebase-gsm-poor", "Firebase Test Lab GSM-poor", up: .limited(2.4, .kilobits),
      down: .limited(2.4, .kilobits), delay: .oneWay(up: 600, down: 600), loss: 0.1,
      source: "mozilla PR 5174", .issue),
    LinkPreset(
      "firebase-lte", "Firebase Test Lab LTE", up: .limited(16, .megabits),
      down: .limited(16, .megabits), delay: .oneWay(up: 40, down: 40), loss: 0.001,
      source: "mozilla PR 5174", .issue),
  ]

  /// BrowserStack's network profiles, from "Simulate network conditions".
  static let browserStack: [LinkPreset] = {
    func preset(
      _ name: String, _ title: String, up: Double, down: Double, delay: Double, loss: Double
    ) -> LinkPreset {
      LinkPreset(
        name, "BrowserStack \(title)", up: .limited(up, .kilobits), down: .limited(down, .kilobits),
        delay: .unstated(delay), loss: loss, source: "its documentation",
        .documentation)
    }
    return [
      preset(
        "browserstack-gprs-good", "2g-gprs-good", up: 30, down: 50, delay: 500, loss: 0.01),
      preset(
        "browserstack-edge-lossy", "edge-lossy", up: 100, down: 150, delay: 500, loss: 0.01),
      preset(
        "browserstack-umts-lossy", "3g-umts-lossy", up: 50, down: 200, delay: 200, loss: 0.01),
      preset(
        "browserstack-hspa-good", "3.5g-hspa-good", up: 400, down: 1_800, delay: 100, loss: 0),
    ]
  }()
}
