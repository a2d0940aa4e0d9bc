import Synchronization
import Uploads

@testable import UploadAdapters

/// Keeps the events of one exchange as they come, for a test that looks at them under way.
final class Recorder: Sendable {
  private let events = Mutex<[ExchangeEvent]>([])
  private let reading = Mutex<Task<Void, Never>?>(nil)

  init(_ exchange: any Exchange) {
    let task = Task {
      for await event in exchange.events { self.events.withLock { $0.append(event) } }
    }
    reading.withLock { $0 = task }
  }

  var soFar: [ExchangeEvent] { events.withLock { $0 } }

  func all() async -> [ExchangeEvent] {
    await reading.withLock { $0 }?.value
    return soFar
  }

  /// Waits for at most ten seconds.
  func wait(until isTrue: ([ExchangeEvent]) -> Bool) async throws {
    for _ in 0..<1_000 where !isTrue(soFar) { try await pause(.milliseconds(10)) }
  }

  /// The count of body bytes once it has stood still for 300 ms.
  func quietCount() async throws -> Int {
    try await wait { !$0.sent.isEmpty }
    var last = soFar.sent.last
    while true {
      try await pause(.milliseconds(300))
      if soFar.sent.last == last { return last ?? 0 }
      last = soFar.sent.last
    }
  }
}

extension Exchange {
  func all() async -> [ExchangeEvent] {
    var all: [ExchangeEvent] = []
    for await event in events { all.append(event) }
    return all
  }
}

extension [ExchangeEvent] {
  var sent: [Int] { compactMap { if case .sent(let bytes) = $0 { bytes } else { nil } } }
  var received: [Int] { compactMap { if case .received(let bytes) = $0 { bytes } else { nil } } }
  var answer: HTTPAnswer? { if case .answered(let answer) = last { answer } else { nil } }
  var isBroken: Bool { if case .failed(.broken) = last { true } else { false } }
  var isNotConnected: Bool { if case .failed(.notConnected) = last { true } else { false } }
}

extension OutgoingRequest {
  static func get(_ path: String) -> OutgoingRequest {
    OutgoingRequest(method: "GET", path: path, answerLimit: 10_000, sendBuffer: 16_000)
  }

  static func put(_ path: String, file: String, _ bytes: Int) -> OutgoingRequest {
    OutgoingRequest(
      method: "PUT", path: path, headers: [HTTPField("X-Mark", "7")],
      body: .file(path: file, bytes: bytes, type: "image/jpeg"), answerLimit: 10_000,
      sendBuffer: 16_000)
  }

  static func post(_ path: String, _ bytes: [UInt8]) -> OutgoingRequest {
    OutgoingRequest(
      method: "POST", path: path, body: .bytes(bytes, type: "application/json"),
      answerLimit: 10_000, sendBuffer: 16_000)
  }
}
