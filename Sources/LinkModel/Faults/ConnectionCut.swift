/// How a connection is cut off on its way.
///
/// What has come out of the link by then has been handed on in each of them, and nothing else is.
package enum ConnectionCut: String, CaseIterable, Hashable, Sendable {
  /// Both ends see a reset at once.
  case reset
  /// Both ends see the end of the stream at once; what they still send is thrown away where it comes
  /// out of the link.
  case end
  /// Nothing moves any more, and neither end is told; once the client has ended its side, the server
  /// sees a reset.
  case silence
}
