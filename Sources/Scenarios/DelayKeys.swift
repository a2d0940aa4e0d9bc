import LinkModel
import Quantities

/// What makes a packet that has left arrive later, as far as it is said.
struct DelayDraft {
  var latency: Duration?
  var jitter: Duration?
  var loss: (ratio: Double, stall: Duration?)?
}

/// The keys that `link` has for both directions, and `up` and `down` for their own.
enum DelayKeys {
  static let latency = Field(
    "latency", .duration(ScenarioLimits.latency, example: "100 ms"),
    "From leaving to arriving, one way; none when it is left out.")
  static let jitter = Field(
    "jitter", .duration(ScenarioLimits.jitter, example: "20 ms"),
    "Each packet arrives earlier or later by up to this; a late one holds up the next.")
  static let loss = Field(
    "loss", lossReading,
    "The share of packets that arrive a retransmission late: a share, or keys.")

  static let known = [latency.known, jitter.known, loss.known]

  static func take(from record: inout RecordReader) -> DelayDraft {
    DelayDraft(
      latency: record.take(latency), jitter: record.take(jitter), loss: record.take(loss))
  }

  private static let share = Reading<Double>.share(ScenarioLimits.loss, example: "1 %")
  private static let ratio = Field("ratio", share, required: true, "The share that is lost.")
  private static let stall = Field(
    "stall", .duration(ScenarioLimits.stall, example: "400 ms"),
    "How much later a lost packet arrives; a round trip and 200 ms when it is left out.")

  private static let lossRecord = Reading<(ratio: Double, stall: Duration?)>.record([
    ratio.known, stall.known,
  ]) { record in
    let stall = record.take(stall)
    return record.take(ratio).map { ($0, stall) }
  }

  private static let lossReading = Reading<(ratio: Double, stall: Duration?)>(
    schema: .anyOf([share.schema, lossRecord.schema])
  ) { node, problems in
    if node.content.kind == .mapping { return lossRecord.read(node, &problems) }
    return share.read(node, &problems).map { ($0, nil) }
  }
}
