/// A whole answer, before it is framed.
package struct ServerAnswer: Hashable, Sendable {
  /// 0 where it has none.
  package var status: Int
  /// Framing (`Content-Length`, `Transfer-Encoding`, `Connection`) is the writer's; such fields
  /// are left out of what is sent.
  package var fields: [HeaderField]
  package var body: [UInt8]
  /// The body goes on in pieces, until its end is written.
  package var goesOn = false
  /// What its head says of the length of its body, which is as long as it is otherwise.
  package var declaredLength: Int?
  /// The body is all that is sent: there is no head.
  package let isRaw: Bool

  /// A client that gets all of it has an answer.
  package var isWhole: Bool { !isRaw && declaredLength == nil }

  package init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
    isRaw = false
  }

  /// Octets that are sent as they are, whatever they mean.
  package init(raw octets: [UInt8]) {
    (status, fields, body) = (0, [], octets)
    isRaw = true
  }
}
