import LinkModel

/// What each preset has to apply, written down from the publishers' tables and not from the code.
///
/// Bytes per second and milliseconds of one way, up before down; packets of a thousand lost each way.
/// A rate of 0 is offline.
struct PresetRow: CustomStringConvertible {
  var name: String
  var rates: (up: Double, down: Double)
  var latencies: (up: Double, down: Double)
  var loss: Double
  var mark: LinkPreset.Mark

  init(
    _ name: String, _ up: Double, _ down: Double, ms latencyUp: Double, _ latencyDown: Double,
    loss: Double = 0, _ mark: LinkPreset.Mark
  ) {
    self.name = name
    rates = (up, down)
    latencies = (latencyUp, latencyDown)
    self.loss = loss
    self.mark = mark
  }

  var description: String { name }

  static let all = [
    // 20 and 61.4 KB/s up, 200 KB/s down, 100 ms each way.
    PresetRow("story-slow", 20_000, 200_000, ms: 100, 100, .source),
    PresetRow("story-fast", 61_400, 200_000, ms: 100, 100, .source),

    PresetRow("nlc-edge", 25_000, 30_000, ms: 440, 400, .source),
    PresetRow("nlc-3g", 41_250, 97_500, ms: 100, 100, .source),
    PresetRow("nlc-lte", 1_250_000, 6_250_000, ms: 65, 50, .unverified),
    PresetRow("nlc-wifi", 4_125_000, 5_000_000, ms: 1, 1, .secondary),
    PresetRow("nlc-wifi-ac", 12_500_000, 31_250_000, ms: 1, 1, .unverified),
    PresetRow("nlc-dsl", 32_000, 250_000, ms: 5, 5, .source),
    PresetRow("nlc-very-bad", 125_000, 125_000, ms: 500, 500, loss: 100, .secondary),
    PresetRow("nlc-100-loss", 0, 0, ms: 0, 0, loss: 1_000, .documentation),
    PresetRow("nlc-3g-good", 52_500, 106_250, ms: 100, 90, .source),
    PresetRow("nlc-3g-lossy", 41_250, 97_500, ms: 100, 100, loss: 10, .secondary),
    PresetRow("nlc-edge-good", 25_000, 31_250, ms: 370, 350, .source),
    PresetRow("nlc-edge-lossy", 25_000, 30_000, ms: 440, 400, loss: 10, .source),
    PresetRow("nlc-cable", 125_000, 750_000, ms: 2, 2, .source),

    // Applied: 2,000 ms, 562.5 ms and 165 ms a request.
    PresetRow("devtools-slow-3g", 50_000, 50_000, ms: 1_000, 1_000, .source),
    PresetRow("devtools-slow-4g", 84_375, 180_000, ms: 281.25, 281.25, .source),
    PresetRow("devtools-fast-3g", 84_375, 180_000, ms: 281.25, 281.25, .source),
    PresetRow("devtools-fast-4g", 168_750, 1_012_500, ms: 82.5, 82.5, .source),
    PresetRow("devtools-offline", 0, 0, ms: 0, 0, .source),

    // 1,474.56 down and 675 up, of 1,024 bits: cut to whole bytes per second by Lighthouse itself.
    PresetRow("lighthouse-slow-4g", 86_400, 188_743, ms: 281.25, 281.25, .source),
    PresetRow("lighthouse-regular-3g", 80_640, 80_640, ms: 562.5, 562.5, .source),

    PresetRow("firefox-gprs", 2_560, 6_400, ms: 250, 250, .source),
    PresetRow("firefox-regular-2g", 6_400, 32_000, ms: 150, 150, .source),
    PresetRow("firefox-good-2g", 19_200, 57_600, ms: 75, 75, .source),
    PresetRow("firefox-regular-3g", 32_000, 96_000, ms: 50, 50, .source),
    PresetRow("firefox-good-3g", 96_000, 196_608, ms: 20, 20, .source),
    PresetRow("firefox-regular-4g", 393_216, 524_288, ms: 10, 10, .source),
    PresetRow("firefox-dsl", 131_072, 262_144, ms: 2.5, 2.5, .source),
    PresetRow("firefox-wifi", 1_966_080, 3_932_160, ms: 1, 1, .source),

    PresetRow("wpt-dial", 3_750, 6_125, ms: 60, 60, .documentation),
    PresetRow("wpt-edge", 25_000, 30_000, ms: 420, 420, .documentation),
    PresetRow("wpt-2g", 32_000, 35_000, ms: 400, 400, .documentation),
    PresetRow("wpt-3g-slow", 50_000, 50_000, ms: 200, 200, .documentation),
    PresetRow("wpt-3g", 96_000, 200_000, ms: 150, 150, .documentation),
    PresetRow("wpt-3g-fast", 96_000, 200_000, ms: 75, 75, .documentation),
    PresetRow("wpt-4g", 1_125_000, 1_125_000, ms: 85, 85, .documentation),
    PresetRow("wpt-lte", 1_500_000, 1_500_000, ms: 35, 35, .documentation),
    PresetRow("wpt-dsl", 48_000, 187_500, ms: 25, 25, .documentation),
    PresetRow("wpt-cable", 125_000, 625_000, ms: 14, 14, .documentation),
    PresetRow("wpt-fios", 625_000, 2_500_000, ms: 2, 2, .secondary),

    PresetRow("throttle-dial", 3_750, 6_125, ms: 30, 30, .source),
    PresetRow("throttle-edge", 25_000, 30_000, ms: 210, 210, .source),
    PresetRow("throttle-2g", 32_000, 35_000, ms: 200, 200, .source),
    PresetRow("throttle-3g-slow", 50_000, 50_000, ms: 100, 100, .source),
    PresetRow("throttle-3g", 96_000, 200_000, ms: 75, 75, .source),
    PresetRow("throttle-3g-fast", 96_000, 200_000, ms: 37.5, 37.5, .source),
    PresetRow("throttle-4g", 1_125_000, 1_125_000, ms: 42.5, 42.5, .source),
    PresetRow("throttle-lte", 1_500_000, 1_500_000, ms: 17.5, 17.5, .source),
    PresetRow("throttle-dsl", 48_000, 187_500, ms: 12.5, 12.5, .source),
    PresetRow("throttle-cable", 125_000, 625_000, ms: 7, 7, .source),
    PresetRow("throttle-fios", 625_000, 2_500_000, ms: 1, 1, .source),

    PresetRow("atc-2g-rural", 2_250, 2_500, ms: 650, 650, loss: 20, .source),
    PresetRow("atc-2g-urban", 4_000, 4_375, ms: 650, 650, .source),
    PresetRow("atc-no-connectivity", 125, 125, ms: 0, 0, .source),

    PresetRow("comcast-gprs", 6_250, 6_250, ms: 250, 250, loss: 20, .documentation),
    PresetRow("comcast-edge", 31_250, 31_250, ms: 150, 150, loss: 15, .documentation),
    PresetRow("comcast-3g", 93_750, 93_750, ms: 125, 125, loss: 15, .documentation),
    PresetRow("comcast-dial-up", 5_000, 5_000, ms: 92.5, 92.5, loss: 20, .documentation),
    PresetRow("comcast-dsl-poor", 250_000, 250_000, ms: 35, 35, loss: 20, .documentation),
    PresetRow("comcast-dsl-good", 1_000_000, 1_000_000, ms: 20, 20, loss: 5, .documentation),
    PresetRow("comcast-wifi", 3_750_000, 3_750_000, ms: 20, 20, loss: 2, .documentation),

    // The middle of 150 to 550, 80 to 400 and 35 to 200 ms, half of it each way.
    PresetRow("android-gprs", 5_000, 10_000, ms: 175, 175, .source),
    PresetRow("android-edge", 14_800, 29_600, ms: 120, 120, .source),
    PresetRow("android-umts", 16_000, 240_000, ms: 58.75, 58.75, .source),

    PresetRow("firebase-gsm-poor", 300, 300, ms: 600, 600, loss: 100, .issue),
    PresetRow("firebase-lte", 2_000_000, 2_000_000, ms: 40, 40, loss: 1, .issue),

    PresetRow("browserstack-gprs-good", 3_750, 6_250, ms: 250, 250, loss: 10, .documentation),
    PresetRow("browserstack-edge-lossy", 12_500, 18_750, ms: 250, 250, loss: 10, .documentation),
    PresetRow("browserstack-umts-lossy", 6_250, 25_000, ms: 100, 100, loss: 10, .documentation),
    PresetRow("browserstack-hspa-good", 50_000, 225_000, ms: 50, 50, .documentation),
  ]
}
