/// The most that the engine takes; reaching a limit is an answer of its own.
package struct EngineLimits: Hashable, Sendable {
  /// Bytes of one media file: 413 beyond.
  package var media = 64_000_000
  /// Bytes of a JSON body: 413 beyond.
  package var json = 256_000
  /// Bytes of all media: 507 beyond, for they are held in memory.
  package var store = 2_000_000_000
  /// 507 beyond.
  package var moments = 10_000
  /// Media files, and turns, of one moment: 507 beyond.
  package var perMoment = 64
  /// A body that will be refused is read over up to here, so that the answer finds a client that
  /// listens and the connection stays; beyond, the answer comes early and the connection closes.
  package var readOver = 1_000_000
  /// Requests in the ledger: 503 beyond.
  package var requests = 100_000
  /// Connections in the ledger; later ones are counted in its totals only.
  package var connections = 100_000

  package init() {}

  func body(of route: Route) -> Int {
    switch route.body {
    case .none: readOver
    case .json: json
    case .media: media
    }
  }
}
