/// One condition on one direction of a proxy's connections, as toxiproxy's protocol has it.
package struct Toxic: Hashable, Sendable {
  package enum Stream: String, Hashable, Sendable {
    /// From the client to the server.
    case upstream
    case downstream
  }

  /// Tells it from every other one that was ever made, whatever their names.
  package var number: Int
  package var name: String
  package var stream: Stream
  /// The share of connections that it is laid on, from 0 to 1; drawn once for each.
  package var toxicity: Double
  package var kind: ToxicKind

  package init(
    number: Int, name: String, stream: Stream, toxicity: Double = 1, kind: ToxicKind
  ) {
    self.number = number
    self.name = name
    self.stream = stream
    self.toxicity = toxicity
    self.kind = kind
  }
}
