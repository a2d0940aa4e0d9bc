/// A whole answer, before it is framed.
package struct ServerAnswer: Hashable, Sendable {
  package var status: Int
  /// Framing (`Content-Length`, `Transfer-Encoding`, `Connection`) is the writer's; such fields
  /// are left out of what is sent.
  package var fields: [HeaderField]
  package var body: [UInt8]
  /// The body goes on in pieces, until its end is written.
  package var goesOn = false

  package init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}
