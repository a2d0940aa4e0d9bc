import Quantities

/// Bytes of no pattern from a seed, so that one lost, doubled or moved shows.
package func seededBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var random = SeededRandom(seed: seed)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 8)
  while bytes.count < count {
    withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
  }
  return Array(bytes.prefix(count))
}
