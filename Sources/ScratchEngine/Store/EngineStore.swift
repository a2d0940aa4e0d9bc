import Quantities

/// Everything that the engine has stored, in memory and in order of storing.
struct EngineStore: Sendable {
  private(set) var moments: [Moment] = []
  private(set) var encounters: [Encounter] = []
  private(set) var liveCalls: [LiveCall] = []
  private(set) var files: [StoredFile] = []
  /// Bytes of all media and staged uploads.
  private(set) var mediaBytes = 0
  /// Bytes of the open files that are kept.
  private(set) var fileBytes = 0
  // These are only looked up, never walked.
  /// Where a moment stands in `moments`, and so on.
  private var places: [String: Int] = [:]
  private var encounterPlaces: [String: Int] = [:]
  private var livePlaces: [String: Int] = [:]
  /// Which moment a client request id was stored for.
  private var momentByRequest: [String: String] = [:]
  private var stagedUploads: [String: StagedUpload] = [:]
  private var filePlaces: [String: Int] = [:]

  // MARK: Moments

  func moment(_ id: String) -> Moment? {
    places[id].map { moments[$0] }
  }

  func momentStored(for requestID: String) -> String? {
    momentByRequest[requestID]
  }

  mutating func add(_ moment: Moment, at now: Instant) {
    places[moment.id] = moments.count
    momentByRequest[moment.record.requestID] = moment.id
    moments.append(moment)
    note(.record, moment.record.requestID, of: moment.id, at: now)
  }

  mutating func add(_ media: StoredMedia, to id: String, at now: Instant) {
    guard let place = places[id] else { return }
    mediaBytes += media.bytes.count
    moments[place].media.append(media)
    note(.media, media.id, of: id, at: now)
  }

  mutating func add(_ turn: StoredTurn, to id: String) {
    guard let place = places[id] else { return }
    moments[place].turns.append(turn)
    note(.turn, turn.requestID, of: id, at: turn.readyAt)
  }

  mutating func add(_ text: StoredText, to id: String, at now: Instant) {
    guard let place = places[id] else { return }
    moments[place].texts.append(text)
    note(.text, text.requestID, of: id, at: now)
  }

  private mutating func note(
    _ kind: MomentEvent.Kind, _ what: String, of id: String, at time: Instant
  ) {
    guard let place = places[id] else { return }
    moments[place].history.add(MomentEvent(kind: kind, id: what, at: time))
  }

  // MARK: Plates

  var stagedCount: Int { stagedUploads.count }

  func staged(_ id: String) -> StagedUpload? {
    stagedUploads[id]
  }

  mutating func add(_ upload: StagedUpload) {
    mediaBytes += upload.bytes.count
    stagedUploads[upload.id] = upload
  }

  func encounterStored(for requestID: String) -> Encounter? {
    encounterPlaces[requestID].map { encounters[$0] }
  }

  /// Mints an id for the encounter, and lets it have the uploads that it names.
  mutating func addEncounter(_ content: EncounterRecord) -> Encounter {
    let encounter = Encounter(id: "plate-\(encounters.count + 1)", content: content)
    encounterPlaces[content.record.requestID] = encounters.count
    encounters.append(encounter)
    for id in content.staged { stagedUploads[id]?.encounter = encounter.id }
    return encounter
  }

  // MARK: The live lane

  func liveCall(_ requestID: String) -> LiveCall? {
    livePlaces[requestID].map { liveCalls[$0] }
  }

  mutating func add(_ call: LiveCall) {
    livePlaces[call.requestID] = liveCalls.count
    liveCalls.append(call)
  }

  // MARK: Open files

  var fileCount: Int { files.count }

  func file(_ id: String) -> StoredFile? {
    filePlaces[id].map { files[$0] }
  }

  mutating func add(_ file: StoredFile) {
    fileBytes += file.bytes?.count ?? 0
    filePlaces[file.id] = files.count
    files.append(file)
  }
}
