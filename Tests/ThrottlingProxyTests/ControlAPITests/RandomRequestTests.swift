import EventLoop
import JSON
import LinkModel
import Quantities
import ScratchHTTP
import Testing
import ThrottlingProxy

/// Whatever is sent, the registry and what carries it out stay of one mind, and nothing ends.
@Suite struct RandomRequestTests {
  private static let names = ["a", "b", "c", ""]
  private static let values = [
    "0", "1", "-1", "61.4", "1e400", "-0", "9223372036854775807", "9223372036854775808", "\"20\"",
    "\"\"", "null", "true", "[]", "{}", "{\"latency\":5}", "\"upstream\"", "\"localhost:1\"",
    "\"localhost:0\"", "\"[::]:3\"", "\"x\"", "{", "\"\\ud800\"",
  ]
  private static let keys = [
    "name", "listen", "upstream", "enabled", "type", "stream", "toxicity", "attributes", "link",
    "Name", "x",
  ]
  private static let attributes = [
    "latency", "jitter", "rate", "delay", "timeout", "average_size", "size_variation", "bytes",
  ]
  private static let types = [
    "latency", "bandwidth", "slow_close", "timeout", "reset_peer", "slicer", "limit_data", "noop",
    "none",
  ]

  @Test func `a hundred thousand random requests leave a registry that agrees with its host`() {
    var talk = ControlTalk()
    var random = SeededRandom(seed: 11)
    var statuses: [Int: Int] = [:]
    for number in 0..<100_000 {
      let answer = talk.api.answer(
        RequestHead(
          method: Self.pick(["GET", "POST", "POST", "POST", "PATCH", "DELETE", "PUT"], &random),
          target: Self.target(&random), fields: [HeaderField("Host", "localhost")]),
        body: Array(Self.body(&random).utf8))
      statuses[answer.status, default: 0] += 1
      guard number % 100 == 0 else { continue }
      let records = talk.api.registry.records
      #expect(records.filter(\.isEnabled).count == talk.log.ports)
      #expect(Set(records.map(\.name)).count == records.count)
      for record in records where record.isEnabled {
        #expect(record.listen.port > 0)
        #expect(talk.log.toxics[record.name] == record.toxics)
        #expect(Set(record.toxics.map(\.name)).count == record.toxics.count)
      }
    }
    for status in [200, 201, 204, 400, 404, 405, 409, 500] {
      #expect(statuses[status, default: 0] > 50, "\(status) in \(statuses)")
    }
    #expect(Set(statuses.keys).isSubset(of: [200, 201, 204, 400, 404, 405, 409, 500, 507]))
  }

  private static func pick(_ choices: [String], _ random: inout SeededRandom) -> String {
    choices[random.whole(0...(choices.count - 1))]
  }

  private static func target(_ random: inout SeededRandom) -> String {
    let proxy = "/proxies/" + pick(names, &random)
    let toxic = pick(names + types.map { "\($0)_downstream" }, &random)
    return pick(
      [
        "/proxies", "/proxies", proxy, proxy, proxy + "/toxics", proxy + "/toxics",
        proxy + "/toxics/" + toxic, proxy + "/toxics/" + toxic, "/populate", "/version",
        "/metrics", "/none", "/%zz",
      ] + (random.whole(0...20) == 0 ? ["/reset"] : []), &random)
  }

  private static func body(_ random: inout SeededRandom) -> String {
    let text =
      switch random.whole(0...9) {
      case 0: pick(values, &random)
      case 1...3: proxy(&random)
      case 4: "[\(proxy(&random)),\(proxy(&random))]"
      case 5...8: toxic(&random)
      default: object(keys, &random)
      }
    guard !text.isEmpty, random.whole(0...9) == 0 else { return text }
    return String(text.prefix(random.whole(0...text.count)))
  }

  private static func proxy(_ random: inout SeededRandom) -> String {
    let port = random.whole(0...3) + (random.whole(0...1) == 0 ? 0 : 1_000)
    return #"{"name":"\#(pick(names, &random))","upstream":"x:\#(random.whole(1...2))","#
      + #""listen":":\#(port)","enabled":\#(pick(["true", "true", "false", "1"], &random))}"#
  }

  private static func toxic(_ random: inout SeededRandom) -> String {
    #"{"type":"\#(pick(types, &random))","toxicity":\#(pick(["1", "0.5", "2"], &random)),"#
      + #""stream":"\#(pick(["upstream", "downstream", "x"], &random))","#
      + #""attributes":\#(object(attributes, &random))}"#
  }

  private static func object(_ keys: [String], _ random: inout SeededRandom) -> String {
    let fields = (0..<random.whole(0...3)).map { _ in
      "\"\(pick(keys, &random))\":\(pick(values, &random))"
    }
    return "{\(fields.joined(separator: ","))}"
  }
}
