import LinkModel
import Quantities

struct FaultDraft {
  var fault: ConnectionFault
  /// The times that the horizon of the file bounds.
  var times: [Placed<Duration>]
}

/// The keys of one item of `faults`: one fault, and the connections that it is for.
enum FaultKeys {
  private static let connections = Reading<String>.word(["connections"])

  static let refuse = Field(
    "refuse", connections, "They are reset at once, and never reach the engine.")
  static let silent = Field(
    "silent", connections,
    "They are accepted, the path takes in its buffer, and nothing of it reaches the engine.")
  static let cut = Field(
    "cut", StreamPlaceKeys.reading,
    "Behind so many bytes that have come out of the link it is cut, as \"as\" says.")
  static let way = Field(
    "as", Reading<ConnectionCut>.oneOfItsWords,
    """
    How it is cut: reset, at both ends at once; end, of the stream at both ends, and what is still \
    sent is thrown away; silence, nothing moves any more and nobody is told.
    """)
  static let hold = Field(
    "hold", StreamPlaceKeys.reading,
    "Behind so many bytes that have come out of the link nothing more of that side moves, for a time."
  )
  static let time = Field(
    "for", .duration(ScenarioLimits.outage, example: "100 s"), "How long it is held.")
  static let slowClose = Field(
    "slow-close", .duration(ScenarioLimits.outage, example: "5 s"),
    "The end of each stream is passed on this much later.")
  static let dark = Field(
    "dark", .linkTime(example: "20 s"),
    "Every connection that is there at this time is cut as silence; new ones are not.")
  static let connection = Field(
    "connection", .whole(1...100_000, example: "2"),
    "Only the n-th connection of the run, counted from 1 in order of opening.")
  static let from = Field(
    "from", .linkTime(example: "0 s"), "Only those opened then or later, in link seconds.")
  static let until = Field(
    "until", Reading<Duration>.duration(ScenarioLimits.horizon, example: "300 s").placed,
    "Only those opened before.")

  private static let kinds = [refuse.key, silent.key, cut.key, hold.key, slowClose.key, dark.key]

  static let reading = Reading<FaultDraft>.record(
    [
      refuse.known, silent.known, cut.known, way.known, hold.known, time.known, slowClose.known,
      dark.known, connection.known, from.known, until.known,
    ], oneOf: kinds
  ) { record in
    record.pair(cut, with: way)
    record.pair(hold, with: time)
    let dark = record.take(dark)
    let from = record.take(from)
    let until = record.take(until)
    if let until, let from, until.value <= from.value {
      record.problems.add(.emptyWindow, at: until.mark)
    }
    if let dark, let from, from.value > dark.value {
      record.problems.add(.openedBehindTheDark(from.value, dark: dark.value), at: from.mark)
    }
    let which = ConnectionChoice(
      number: record.take(connection).map { Int($0) }, from: from.map { .zero + $0.value },
      until: until.map { .zero + $0.value })
    return deed(&record, dark: dark).map {
      FaultDraft(
        fault: ConnectionFault($0, which: which), times: [dark, from].compactMap(\.self))
    }
  }

  private static func deed(
    _ record: inout RecordReader, dark: Placed<Duration>?
  ) -> ConnectionFault.Deed? {
    let deeds: [ConnectionFault.Deed?] = [
      record.take(refuse).map { _ in .refuse },
      record.take(silent).map { _ in .silent },
      both(record.take(cut), record.take(way)).map { .cut($0, as: $1) },
      both(record.take(hold), record.take(time)).map { .hold($0, for: $1) },
      record.take(slowClose).map { .slowClose($0) },
      dark.map { .dark(at: .zero + $0.value) },
    ]
    return deeds.compactMap(\.self).first
  }

  private static func both<One, Other>(_ one: One?, _ other: Other?) -> (One, Other)? {
    if let one, let other { (one, other) } else { nil }
  }
}

/// The value of `cut` and of `hold`: a side and its bytes.
enum StreamPlaceKeys {
  static let up = Field(
    "up", .size(ScenarioLimits.faultyBytes, example: "500 KB"),
    "So many bytes of the connection's client, heads included.")
  static let down = Field(
    "down", .size(ScenarioLimits.faultyBytes, example: "100 B"), "So many bytes of its engine.")

  static let reading = Reading<StreamPlace>.record(
    [up.known, down.known], oneOf: [up.key, down.key]
  ) { record in
    let (up, down) = (record.take(up), record.take(down))
    return up.map { StreamPlace(.up, $0.bytes) } ?? down.map { StreamPlace(.down, $0.bytes) }
  }
}
