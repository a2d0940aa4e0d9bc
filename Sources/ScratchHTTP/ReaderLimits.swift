/// The most that one request may ask of the reader; reaching a limit is a ``RequestFault``.
package struct ReaderLimits: Hashable, Sendable {
  /// Bytes of a method; no known one is half as long.
  package var method = 32
  /// Bytes of a target: RFC 9112 section 3 recommends at least 8,000 for the whole line.
  package var target = 8_000
  /// Bytes of one field line, without its line end.
  package var fieldLine = 8_192
  /// Fields of a head, and fields of a trailer section.
  package var fields = 100
  /// Bytes of all field lines of a head, and of a trailer section.
  package var fieldBytes = 65_536
  /// Bytes of one chunk's line, extensions included.
  package var chunkLine = 1_024
  /// Bytes of extensions over all chunks of a body: they cost work and carry nothing.
  package var chunkExtensions = 16_384
  /// Bytes of a body; an engine sets its own, much lower ones by route.
  package var body = 1_000_000_000_000
  /// Empty lines before a request line: RFC 9112 section 2.2 asks for at least one.
  package var emptyLines = 4

  package init() {}
}
