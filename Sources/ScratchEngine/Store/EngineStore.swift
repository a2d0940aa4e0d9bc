/// Everything that the engine has stored, in memory and in order of storing.
struct EngineStore: Sendable {
  private(set) var moments: [Moment] = []
  /// Bytes of all media.
  private(set) var mediaBytes = 0
  /// Where a moment stands in `moments`; only looked up, never walked.
  private var places: [String: Int] = [:]
  /// Which moment a client request id was stored for; only looked up.
  private var momentByRequest: [String: String] = [:]

  func moment(_ id: String) -> Moment? {
    places[id].map { moments[$0] }
  }

  func momentStored(for requestID: String) -> String? {
    momentByRequest[requestID]
  }

  mutating func add(_ moment: Moment) {
    places[moment.id] = moments.count
    momentByRequest[moment.record.requestID] = moment.id
    moments.append(moment)
  }

  mutating func add(_ media: StoredMedia, to id: String) {
    guard let place = places[id] else { return }
    mediaBytes += media.bytes.count
    moments[place].media.append(media)
  }

  mutating func add(_ turn: StoredTurn, to id: String) {
    guard let place = places[id] else { return }
    moments[place].turns.append(turn)
  }
}
