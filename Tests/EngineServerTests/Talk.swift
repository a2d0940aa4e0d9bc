import Foundation
import TestSupport

/// A plain client of HTTP/1.1 on one connection.
final class Talk {
  struct Answer: Equatable {
    var status: Int
    var fields: [String: String]
    var body: String
  }

  let socket: any ClientSocket
  private var pending: [UInt8] = []

  init(_ socket: any ClientSocket) {
    self.socket = socket
  }

  /// The octets of a request; a body gets its Content-Length.
  static func request(
    _ method: String, _ target: String, _ body: [UInt8] = [], _ fields: [String] = [],
    host: String = "127.0.0.1", declared: Int? = nil
  ) -> [UInt8] {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields
    let length = declared ?? body.count
    if length > 0 { lines.append("Content-Length: \(length)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  @discardableResult
  func send(
    _ method: String, _ target: String, _ body: [UInt8] = [], _ fields: [String] = [],
    host: String = "127.0.0.1", declared: Int? = nil
  ) -> Int {
    let bytes = Self.request(method, target, body, fields, host: host, declared: declared)
    socket.send(bytes)
    return bytes.count
  }

  /// A request and its answer.
  func ask(
    _ method: String, _ target: String, _ body: String = "", _ fields: [String] = []
  ) -> Answer? {
    send(method, target, Array(body.utf8), fields)
    return receive(to: method)
  }

  /// The next answer; nil when the connection ends before it is whole.
  func receive(to method: String = "GET") -> Answer? {
    guard let end = waitForHead() else { return nil }
    let lines = String(decoding: pending[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    pending = Array(pending[(end + 4)...])
    let words = lines[0].split(separator: " ")
    guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    let length = method == "HEAD" ? 0 : Int(fields["Content-Length"] ?? "") ?? 0
    while pending.count < length {
      guard let part = socket.receive(), !part.isEmpty else { return nil }
      pending += part
    }
    let body = String(decoding: pending[..<length], as: UTF8.self)
    pending = Array(pending[length...])
    return Answer(status: status, fields: fields, body: body)
  }

  /// Whether this text comes next, whatever comes before it.
  func reads(upTo text: String) -> Bool {
    while true {
      if let end = pending.firstRange(of: Array(text.utf8))?.upperBound {
        pending = Array(pending[end...])
        return true
      }
      guard let part = socket.receive(), !part.isEmpty else { return false }
      pending += part
    }
  }

  /// Whether the connection ends here, in order, without a further byte.
  func endsCleanly() -> Bool {
    pending.isEmpty && socket.receive() == []
  }

  private func waitForHead() -> Int? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound { return end }
      guard let part = socket.receive(), !part.isEmpty else { return nil }
      pending += part
    }
  }
}
