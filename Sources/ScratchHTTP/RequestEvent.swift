/// What a reader found next in a connection's bytes.
package enum RequestEvent: Hashable, Sendable {
  case head(RequestHead)
  /// Some bytes of the body, never none; a view of what was appended, not a copy.
  case body(ArraySlice<UInt8>)
  /// The request is whole. Only a chunked body can have trailers.
  case end(trailers: [HeaderField])
}
