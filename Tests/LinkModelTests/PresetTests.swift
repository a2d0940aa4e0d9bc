import LinkModel
import Quantities
import Testing

@Suite struct PresetTests {
  @Test(arguments: PresetRow.all)
  func `a preset applies the numbers of its publisher`(row: PresetRow) throws {
    let preset = try #require(LinkPreset(named: row.name))
    let link = preset.conditions()
    #expect(link.up.rate == .constant(Self.rate(row.rates.up)))
    #expect(link.down.rate == .constant(Self.rate(row.rates.down)))
    #expect(link.up.latency == .microseconds(Int64(row.latencies.up * 1_000)))
    #expect(link.down.latency == .microseconds(Int64(row.latencies.down * 1_000)))
    #expect(preset.loss == row.loss / 1_000)
    #expect(preset.mark == row.mark)
  }

  @Test func `each preset stands in the table of this test, in its order`() {
    #expect(LinkPreset.names == PresetRow.all.map(\.name))
  }

  @Test func `names are unique and in kebab case, and no longer than a key can be`() {
    #expect(Set(LinkPreset.names).count == LinkPreset.all.count)
    for name in LinkPreset.names {
      #expect(name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)+/) != nil, "\(name)")
      #expect(name.count <= 40, "\(name)")
    }
  }

  @Test func `each preset has a title of its own and says what was read`() {
    #expect(Set(LinkPreset.all.map(\.title)).count == LinkPreset.all.count)
    for preset in LinkPreset.all {
      #expect(!preset.source.isEmpty, "\(preset.name)")
      #expect(preset.source.count <= 40, "\(preset.name)")
    }
  }

  @Test func `an unknown name is no preset`() {
    #expect(LinkPreset(named: "nlc-egde") == nil)
    #expect(LinkPreset(named: "") == nil)
    #expect(LinkPreset(named: "NLC-Edge") == nil)
  }

  @Test func `a delay of one way counts twice in a round trip, one of a round trip once`() throws {
    let edge = try #require(LinkPreset(named: "nlc-edge"))
    let webPageTest = try #require(LinkPreset(named: "wpt-edge"))
    #expect(edge.delay.up + edge.delay.down == .milliseconds(840))
    #expect(webPageTest.delay.up + webPageTest.delay.down == .milliseconds(840))
    #expect(PublishedDelay.oneWay(up: 3, down: 4).up == .milliseconds(3))
    #expect(PublishedDelay.oneWay(up: 3, down: 4).down == .milliseconds(4))
    for delay in [
      PublishedDelay.roundTrip(5), .unstated(5), .request(5), .drawn(least: 4, most: 6),
    ] {
      #expect(delay.up == .microseconds(2_500), "\(delay)")
      #expect(delay.down == .microseconds(2_500), "\(delay)")
    }
  }

  @Test(
    arguments: [
      "dial", "edge", "2g", "3g-slow", "3g", "3g-fast", "4g", "lte", "dsl", "cable", "fios",
    ])
  func `throttle has the rates of WebPageTest and half of its delay`(profile: String) throws {
    let webPageTest = try #require(LinkPreset(named: "wpt-\(profile)")).conditions()
    let throttle = try #require(LinkPreset(named: "throttle-\(profile)")).conditions()
    #expect(throttle.up.rate == webPageTest.up.rate)
    #expect(throttle.down.rate == webPageTest.down.rate)
    #expect(throttle.up.latency * 2 == webPageTest.up.latency)
    #expect(throttle.down.latency * 2 == webPageTest.down.latency)
  }

  @Test func `what is published stays beside what is applied`() throws {
    let slow = try #require(LinkPreset(named: "devtools-slow-3g"))
    #expect(slow.up.description == "500 kbit/s, of which 80 % are applied")
    #expect(slow.delay.description == "400 ms, a request, of which 500 % are applied")
    let lighthouse = try #require(LinkPreset(named: "lighthouse-slow-4g"))
    #expect(lighthouse.down.description == "1638.4 Kibit/s, of which 90 % are applied")
    let edge = try #require(LinkPreset(named: "nlc-edge"))
    #expect(edge.up.description == "200 kbit/s")
    #expect(edge.delay.description == "440 ms up and 400 ms down, one way")
    let gprs = try #require(LinkPreset(named: "android-gprs"))
    #expect(gprs.delay.description == "150 to 550 ms, a round trip")
    let lost = try #require(LinkPreset(named: "nlc-100-loss"))
    #expect(lost.up.description == "offline")
  }

  @Test func `a preset has no buffer of its own`() throws {
    let preset = try #require(LinkPreset(named: "nlc-3g"))
    #expect(preset.conditions().buffer == LinkConditions.defaultBuffer)
    #expect(preset.conditions(buffer: .kilobytes(500)).buffer == .kilobytes(500))
  }

  private static func rate(_ bytesPerSecond: Double) -> LinkRate {
    bytesPerSecond == 0 ? .offline : .limited(DataRate(bytesPerSecond: bytesPerSecond))
  }
}
