/// The most that the engine takes; reaching a limit is an answer of its own.
package struct EngineLimits: Hashable, Sendable {
  /// Bytes of one media file: 413 beyond.
  package var media = 64_000_000
  /// Bytes of a JSON body: 413 beyond.
  package var json = 256_000
  /// Bytes of all media and staged uploads: 507 beyond, for they are held in memory.
  package var store = 2_000_000_000
  /// 507 beyond.
  package var moments = 10_000
  /// Media files, turns and texts of one moment, and uploads of an encounter: 507 beyond.
  package var perMoment = 64
  /// Staged uploads, and encounters: 507 beyond.
  package var plates = 10_000
  /// 507 beyond: their text is kept, to know a repeat by.
  package var liveCalls = 10_000
  /// Bytes that are kept of the open files of one request; of those beyond only count and digest
  /// are, so that a body of any length passes in constant memory.
  package var fileKept = 64_000_000
  /// Bytes of all open files that are kept: 507 beyond.
  package var filesKept = 1_000_000_000
  /// Open files, kept or not: 507 beyond.
  package var files = 10_000
  /// Moments, or encounters, in one answer of a list.
  package var listed = 100
  /// Event streams at once: 503 beyond.
  package var streams = 64
  /// Events that a stream is given in one piece; more wait until its client has taken them.
  package var eventsAtOnce = 64
  /// How long an event stream lasts before it ends in order, and the client has to ask again: one
  /// that vanished without an end would hold its place for ever.
  package var streamTime = Duration.seconds(3_600)
  /// A body that will be refused is read over up to here, so that the answer finds a client that
  /// listens and the connection stays; beyond, the answer comes early and the connection closes.
  package var readOver = 1_000_000
  /// Requests in the ledger: 503 beyond.
  package var requests = 100_000
  /// Connections in the ledger; later ones are counted in its totals only.
  package var connections = 100_000

  package init() {}

  /// Nil when it takes any.
  func body(of route: Route) -> Int? {
    switch route.body {
    case .none: readOver
    case .files: nil
    case .json: json
    case .media: media
    }
  }
}
