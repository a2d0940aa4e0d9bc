import Foundation

/// Reads what a connection of the engine sent, as a strict client would.
struct AnswerCheck {
  /// Statuses of the answers, interim ones left out.
  private(set) var statuses: [Int] = []
  /// Why it is no row of whole answers.
  private(set) var fault: String?
  /// The last answer goes on, or ends with the connection.
  private(set) var isOpen = false
  private var rest: ArraySlice<UInt8>

  /// Reads answers to requests by these methods; what comes behind them answers bytes that were no
  /// request.
  init(_ bytes: [UInt8], to methods: [String]) {
    rest = bytes[...]
    var methods = methods[...]
    while !rest.isEmpty, fault == nil, !isOpen {
      guard let head = takeHead() else { return }
      guard let status = Self.status(of: head) else {
        fault = "no status line: \(head.first ?? "")"
        return
      }
      if status == 100 {
        if head.count > 1 { fault = "100 with fields" }
        continue
      }
      statuses.append(status)
      takeBody(of: head, status, to: methods.popFirst() ?? "GET")
    }
  }

  /// The lines of a head.
  private mutating func takeHead() -> [String]? {
    guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else {
      fault = "a head without its end"
      return nil
    }
    let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    rest = rest[end.upperBound...]
    for line in lines.dropFirst() where !line.contains(": ") { fault = "no field: \(line)" }
    return lines
  }

  private static func status(of head: [String]) -> Int? {
    guard let line = head.first, line.hasPrefix("HTTP/1.1 "), line.utf8.count >= 13 else {
      return nil
    }
    return Int(line.dropFirst(9).prefix(3)).flatMap { (100..<600).contains($0) ? $0 : nil }
  }

  private mutating func takeBody(of head: [String], _ status: Int, to method: String) {
    func field(_ name: String) -> String? {
      head.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }
    if let text = field("Content-Length") {
      guard let count = Int(text) else {
        fault = "length \(text)"
        return
      }
      guard method != "HEAD" else { return }
      if rest.count < count { fault = "\(rest.count) of \(count) bytes of a body" }
      rest = rest.dropFirst(count)
    } else if method != "HEAD", field("Transfer-Encoding") == "chunked" {
      takeChunks()
    } else if method != "HEAD", ![204, 304].contains(status) {
      isOpen = true
    }
  }

  /// Up to the last chunk, or to where the answer goes on.
  private mutating func takeChunks() {
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != UInt8(ascii: "\r") }
      guard let count = Int(String(decoding: digits, as: UTF8.self), radix: 16),
        rest.count >= digits.count + count + 4
      else {
        fault = "no chunk"
        return
      }
      rest = rest.dropFirst(digits.count + count + 4)
      if count == 0 { return }
    }
    isOpen = true
  }
}
