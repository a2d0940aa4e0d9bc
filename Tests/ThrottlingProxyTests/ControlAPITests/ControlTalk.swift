import EventLoop
import Glibc
import JSON
import LinkModel
import ScratchHTTP
import ThrottlingProxy

/// Proxies without sockets: ports are numbers here, and everything that is asked for is written
/// down.
final class ProxyLog: ProxyHost {
  private(set) var lines: [String] = []
  private(set) var toxics: [String: [Toxic]] = [:]
  var portsInUse: Set<UInt16> = []
  private var listening: [String: UInt16] = [:]
  private var nextPort: UInt16 = 40_000

  func start(_ record: ProxyRecord) throws(SystemFailure) -> SocketAddress {
    var address = record.listen
    if address.port == 0 {
      nextPort += 1
      address.port = nextPort
    }
    guard !portsInUse.contains(address.port), !listening.values.contains(address.port) else {
      throw SystemFailure("listening", code: EADDRINUSE)
    }
    listening[record.name] = address.port
    toxics[record.name] = record.toxics
    lines.append("start \(record.name) \(address) to \(record.upstream)")
    return address
  }

  func stop(_ name: String) {
    listening[name] = nil
    lines.append("stop \(name)")
  }

  func setToxics(_ toxics: [Toxic], of name: String) {
    self.toxics[name] = toxics
    lines.append("toxics \(name): \(toxics.map(\.name).joined(separator: " "))")
  }

  func flow(of name: String) -> (up: LaneFlow, down: LaneFlow)? {
    listening[name] == nil ? nil : (LaneFlow(), LaneFlow())
  }

  var ports: Int { listening.count }
}

/// Requests to the control API and its answers, without a socket.
struct ControlTalk {
  struct Answer: Equatable {
    var status: Int
    var text: String
    var type: String?

    /// The field of a JSON object, written in one line.
    subscript(key: String) -> String? {
      guard case .object(let fields) = try? JSONValue(parsing: text) else { return nil }
      if case .string(let text) = fields[key] { return text }
      return fields[key]?.line
    }
  }

  let log = ProxyLog()
  var api: ControlAPI

  init(isLocal: Bool = true) {
    api = ControlAPI(ProxyRegistry(host: log), isLocal: isLocal)
  }

  mutating func ask(
    _ method: String, _ target: String, _ body: String = "", _ fields: [HeaderField] = []
  ) -> Answer {
    let head = RequestHead(
      method: method, target: target, fields: [HeaderField("Host", "localhost:8474")] + fields)
    let answer = api.answer(head, body: Array(body.utf8))
    return Answer(
      status: answer.status, text: String(decoding: answer.body, as: UTF8.self),
      type: answer.fields.first("Content-Type"))
  }

  /// A proxy with the name `p`.
  mutating func makeProxy(listen: String = "127.0.0.1:5000") {
    _ = ask(
      "POST", "/proxies", #"{"name":"p","listen":"\#(listen)","upstream":"localhost:6000"}"#)
  }
}
