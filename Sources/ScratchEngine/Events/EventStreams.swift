import Quantities

/// The event streams that are open, each at its place in the history of a moment.
///
/// A stream holds no events of its own: when its connection has taken what it was given, it is given
/// what has happened since, so that a client that does not read costs nothing.
struct EventStreams: Sendable {
  private struct Stream {
    var connection: ConnectionID
    var moment: String
    /// Events that were given to the connection.
    var told: Int
    var toldAt: Instant
    var endsAt: Instant
  }

  private var streams: [Stream] = []

  var count: Int { streams.count }

  /// Opens a stream that begins behind the event `last`, if there is one of that number.
  mutating func open(
    _ connection: ConnectionID, of moment: Moment, after last: Int, at now: Instant,
    limits: EngineLimits
  ) {
    let happened = moment.history.events.prefix { $0.at <= now }.count
    streams.append(
      Stream(
        connection: connection, moment: moment.id, told: min(last, happened), toldAt: now,
        endsAt: now + limits.streamTime))
  }

  mutating func close(_ connection: ConnectionID) {
    streams.removeAll { $0.connection == connection }
  }

  /// The connections of the streams of a moment, in order of opening.
  func connections(of moment: String) -> [ConnectionID] {
    streams.filter { $0.moment == moment }.map(\.connection)
  }

  /// What the stream of a connection does next; it ends when there is none.
  mutating func next(
    on connection: ConnectionID, of store: EngineStore, heartbeat: Duration, at now: Instant,
    limits: EngineLimits
  ) -> NextPiece {
    guard let place = streams.firstIndex(where: { $0.connection == connection }),
      let moment = store.moment(streams[place].moment)
    else { return .end }
    let stream = streams[place]
    let rest = moment.history.events.dropFirst(stream.told)
    let happened = rest.prefix(limits.eventsAtOnce).prefix { $0.at <= now }
    if !happened.isEmpty {
      streams[place].told = happened.endIndex
      streams[place].toldAt = now
      let texts = zip(happened.indices, happened).map { $1.text(number: $0 + 1, of: moment.id) }
      return .send(Array(texts.joined().utf8))
    }
    guard now < stream.endsAt else {
      close(connection)
      return .end
    }
    if now >= stream.toldAt + heartbeat {
      streams[place].toldAt = now
      return .send(Array(": nothing new\n\n".utf8))
    }
    let quiet = min(stream.toldAt + heartbeat, stream.endsAt)
    return .wait(until: rest.first.map { min($0.at, quiet) } ?? quiet)
  }
}
