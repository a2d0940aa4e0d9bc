import Captures
import JSON
import Quantities
import Uploads

/// Tells of each file what has become of it.
final class AddView {
  private let isJSON: Bool
  private var kept = 0
  private(set) var refusals = 0

  init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  func kept(
    _ path: String, _ entry: OutboxEntry, _ taken: FileIntake.Taken, _ time: Duration
  ) {
    kept += 1
    if isJSON {
      Terminal.print(
        ClientByHand.json([
          "event": .string("kept"), "path": .string(path), "id": .string(entry.id),
          "moment": .string(entry.moment), "capture": .string(entry.capture),
          "kind": .string(entry.kind.rawValue), "bytes": JSONValue(entry.bytes),
          "capturedAt": .string(entry.capturedAt),
          "capturedAtSource": .string(taken.timeSource.rawValue),
          "place": ClientByHand.json(entry.place),
          "placeSource": ClientByHand.json(taken.placeSource?.rawValue),
          "withoutCopy": ClientByHand.json(taken.withoutCopy),
          "seconds": JSONValue(Double(time.nanoseconds) / 1e9),
        ]))
      return
    }
    let place = entry.place.map { place in
      let source = taken.placeSource == .camera ? "camera" : "--place"
      return ", \(place.latitude), \(place.longitude) (\(source))"
    }
    let without = taken.withoutCopy.map { "; without a smaller size: \($0)" }
    Terminal.print(
      ClientByHand.line(
        "kept \(entry.id)  \(entry.capture), \(ByteCount(entry.bytes)), \(entry.capturedAt)"
          + " (\(taken.timeSource == .camera ? "camera" : "now"))" + (place ?? "")
          + (without ?? "")))
  }

  /// The outbox has it already.
  func has(_ path: String, _ entry: OutboxEntry) {
    if isJSON {
      Terminal.print(
        ClientByHand.json([
          "event": .string("known"), "path": .string(path), "id": .string(entry.id),
        ]))
    } else {
      Terminal.print(
        ClientByHand.line(
          "has  \(entry.id)  \(path): the same bytes are kept already; --again keeps them twice"))
    }
  }

  func refused(_ path: String, _ reason: String) {
    refusals += 1
    if isJSON {
      Terminal.print(
        ClientByHand.json([
          "event": .string("refused"), "path": .string(path), "reason": .string(reason),
        ]))
    } else {
      Terminal.complain(ClientByHand.line("not kept: \(reason)"))
    }
  }

  func end(passedOver: Int) {
    guard !isJSON else { return }
    if passedOver > 0 {
      Terminal.note("\(passedOver) of the folder passed over: not named .jpg or .jpeg")
    }
    if refusals > 0 { Terminal.note("\(kept) kept, \(refusals) not") }
  }
}
