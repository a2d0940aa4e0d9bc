import JSON
import LinkModel
import Quantities
import Reports

/// The presets as `onebar proxy --presets` prints them.
package enum PresetList {
  /// A table, no wider than other texts on a terminal.
  package static var text: String {
    let table = ReportTable(
      header: ["preset", "KB/s up", "KB/s down", "ms up/down", "loss", "read in", "mark"],
      rows: LinkPreset.all.map { preset in
        [
          preset.name, kilobytes(preset.up), kilobytes(preset.down),
          "\(milliseconds(preset.delay.up))/\(milliseconds(preset.delay.down))",
          "\(trimmed(preset.loss * 100, decimals: 1)) %", preset.source,
          preset.mark.rawValue,
        ]
      })
    return table.plain(width: TerminalSummary.width) + """

      Rates and latencies are what is applied, latencies one way; --json has what was published as
      well. Loss is a stall of the packet (approximate). Marks: source, documentation and issue are
      where the numbers were read; secondary is a copy by others; unverified is commonly said, and not
      found anywhere.

      """
  }

  package static var json: String {
    JSONValue.array(LinkPreset.all.map(json)).text
  }

  private static func json(_ preset: LinkPreset) -> JSONValue {
    func direction(_ rate: PublishedRate, _ latency: Duration) -> JSONValue {
      var bytesPerSecond = JSONValue.null
      if case .limited(let rate) = rate.applied { bytesPerSecond = JSONValue(rate.bytesPerSecond) }
      return .object([
        "published": .string(rate.description), "bytesPerSecond": bytesPerSecond,
        "latencyMilliseconds": JSONValue(latency.inSeconds * 1_000),
      ])
    }
    return .object([
      "name": .string(preset.name), "title": .string(preset.title),
      "up": direction(preset.up, preset.delay.up),
      "down": direction(preset.down, preset.delay.down),
      "loss": JSONValue(preset.loss), "delay": .string(preset.delay.description),
      "source": .string(preset.source),
      "mark": .string(preset.mark.rawValue),
    ])
  }

  private static func kilobytes(_ rate: PublishedRate) -> String {
    guard case .limited(let rate) = rate.applied else { return "\(rate.applied)" }
    return trimmed(rate.bytesPerSecond / 1_000, decimals: 3)
  }

  private static func milliseconds(_ latency: Duration) -> String {
    trimmed(latency.inSeconds * 1_000, decimals: 2)
  }
}
