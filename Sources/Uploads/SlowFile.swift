import Captures
import Quantities

/// A file that did not get through before the ceiling, so that its entry is held.
package struct SlowFile: Hashable, Sendable {
  /// The smallest body that shows what a link can do: one that is smaller may have come through in
  /// one lump.
  package static let witnessBytesMin = 100_000

  package var file: OutboxFile
  package var ceiling: Duration

  /// Nil when the entry is not held.
  package init?(of entry: OutboxEntry, under policy: UploadPolicy) {
    guard let held = entry.held, let file = entry.files.first(where: { $0.step == held }) else {
      return nil
    }
    self.file = file
    ceiling = policy.ceiling
  }

  /// Whether a body that was received in that time shows a link on which this file would pass.
  ///
  /// From the first byte to the receipt: no buffer on the way makes that shorter than the link does.
  package func passes(where bytes: Int, tookOnly time: Duration) -> Bool {
    bytes >= Self.witnessBytesMin
      && Double(bytes) * ceiling.inSeconds >= Double(file.bytes) * time.inSeconds
  }
}
