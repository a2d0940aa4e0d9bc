extension LinkPreset {
  /// Apple's Network Link Conditioner, on macOS, in iOS and as Xcode's device conditions.
  ///
  /// Apple publishes no text of its numbers; what copies of the pane agree on stands in the source
  /// of Facebook's Augmented Traffic Control (ATC) and of WebRTC's network emulator. Copies often drift: LTE as 12
  /// Mbit/s both ways, DSL as 50 ms, Very Bad Network as 400 ms. Left out: High Latency DNS, which
  /// only delays names, and a link has none; 2G Rural and 2G Urban, whose numbers were not found.
  static let apple = [
    LinkPreset(
      "nlc-edge", "Apple NLC Edge", up: .limited(200, .kilobits), down: .limited(240, .kilobits),
      delay: .oneWay(up: 440, down: 400), source: "ATC Edge-Average", .source),
    LinkPreset(
      "nlc-3g", "Apple NLC 3G", up: .limited(330, .kilobits), down: .limited(780, .kilobits),
      delay: .oneWay(up: 100, down: 100), source: "ATC 3G-Average", .source),
    LinkPreset(
      "nlc-lte", "Apple NLC LTE", up: .limited(10, .megabits), down: .limited(50, .megabits),
      // The script says 66 ms up; 65 is what is commonly said.
      delay: .oneWay(up: 65, down: 50), source: "a pfctl script", .unverified),
    LinkPreset(
      "nlc-wifi", "Apple NLC WiFi", up: .limited(33, .megabits), down: .limited(40, .megabits),
      delay: .oneWay(up: 1, down: 1), source: "WebRTC emulator", .secondary),
    LinkPreset(
      "nlc-wifi-ac", "Apple NLC WiFi 802.11ac", up: .limited(100, .megabits),
      down: .limited(250, .megabits), delay: .oneWay(up: 1, down: 1), source: "none found",
      .unverified),
    LinkPreset(
      "nlc-dsl", "Apple NLC DSL", up: .limited(256, .kilobits), down: .limited(2, .megabits),
      delay: .oneWay(up: 5, down: 5), source: "ATC DSL", .source),
    LinkPreset(
      "nlc-very-bad", "Apple NLC Very Bad Network", up: .limited(1, .megabits),
      down: .limited(1, .megabits),
      delay: .oneWay(up: 500, down: 500), loss: 0.1, source: "a pfctl script",
      .secondary),
    // With every packet lost, nothing crosses.
    LinkPreset(
      "nlc-100-loss", "Apple NLC 100% Loss", up: .offline, down: .offline,
      delay: .oneWay(up: 0, down: 0),
      loss: 1, source: "Appium docs", .documentation),

    // Older versions of the pane had these as well.
    LinkPreset(
      "nlc-3g-good", "Apple NLC 3G, Good Connectivity", up: .limited(420, .kilobits),
      down: .limited(850, .kilobits), delay: .oneWay(up: 100, down: 90),
      source: "ATC 3G-Good", .source),
    LinkPreset(
      "nlc-3g-lossy", "Apple NLC 3G, Lossy Network", up: .limited(330, .kilobits),
      down: .limited(780, .kilobits), delay: .oneWay(up: 100, down: 100), loss: 0.01,
      source: "WebRTC emulator", .secondary),
    LinkPreset(
      "nlc-edge-good", "Apple NLC Edge, Good Connectivity", up: .limited(200, .kilobits),
      down: .limited(250, .kilobits), delay: .oneWay(up: 370, down: 350),
      source: "ATC Edge-Good", .source),
    LinkPreset(
      "nlc-edge-lossy", "Apple NLC Edge, Lossy Network", up: .limited(200, .kilobits),
      down: .limited(240, .kilobits), delay: .oneWay(up: 440, down: 400), loss: 0.01,
      source: "ATC Edge-Lossy", .source),
    LinkPreset(
      "nlc-cable", "Apple NLC Cable Modem", up: .limited(1, .megabits),
      down: .limited(6, .megabits),
      delay: .oneWay(up: 2, down: 2), source: "ATC Cable", .source),
  ]
}
