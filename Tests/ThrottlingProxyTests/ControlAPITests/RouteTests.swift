import LinkModel
import Quantities
import ScratchHTTP
import Testing
import ThrottlingProxy

/// Every route: what it answers, and what it does.
@Suite struct RouteTests {
  private static let proxy =
    #"{"enabled":true,"listen":"127.0.0.1:5000","name":"p","toxics":[],"#
    + #""upstream":"localhost:6000"}"#

  @Test func `the version is one that takes PATCH`() {
    var talk = ControlTalk()
    let answer = talk.ask("GET", "/version")
    #expect(answer.status == 200)
    #expect(answer.text == "{\"version\": \"2.12.0\"}\n")
    #expect(answer.type == "application/json;charset=utf-8")
  }

  @Test func `a proxy is created, shown, listed and deleted`() {
    var talk = ControlTalk()
    #expect(talk.ask("GET", "/proxies").text == "{}")
    let created = talk.ask(
      "POST", "/proxies",
      #"{"name":"p","listen":"127.0.0.1:5000","upstream":"localhost:6000","Logger":{}}"#)
    #expect(created == .init(status: 201, text: Self.proxy, type: "application/json"))
    #expect(talk.ask("GET", "/proxies/p").text == Self.proxy)
    #expect(talk.ask("GET", "/proxies").text == #"{"p":\#(Self.proxy)}"#)
    let deleted = talk.ask("DELETE", "/proxies/p")
    #expect(deleted.status == 204 && deleted.text.isEmpty)
    #expect(talk.ask("GET", "/proxies/p").status == 404)
    #expect(talk.log.lines == ["start p 127.0.0.1:5000 to localhost:6000", "stop p"])
  }

  @Test(arguments: [
    ("", "127.0.0.1:40001"), ("localhost:0", "127.0.0.1:40001"), (":77", "127.0.0.1:77"),
    ("0.0.0.0:77", "0.0.0.0:77"), ("[::]:77", "0.0.0.0:77"), ("localhost:77", "127.0.0.1:77"),
  ])
  func `where it listens comes back as an address and the port that it got`(
    asked: String, got: String
  ) {
    var talk = ControlTalk()
    let body = #"{"name":"p","upstream":"x:1","listen":"\#(asked)"}"#
    #expect(talk.ask("POST", "/proxies", body)["listen"] == got)
  }

  @Test func `a proxy that is created disabled does not listen until it is enabled`() {
    var talk = ControlTalk()
    let body = #"{"name":"p","upstream":"x:1","listen":"localhost:5000","enabled":false}"#
    #expect(talk.ask("POST", "/proxies", body)["enabled"] == "false")
    #expect(talk.log.ports == 0)
    #expect(talk.ask("POST", "/proxies/p", #"{"enabled":true}"#)["enabled"] == "true")
    #expect(talk.log.lines == ["start p 127.0.0.1:5000 to x:1"])
  }

  @Test(arguments: ["POST", "PATCH"])
  func `an update disables and enables on the same port, and keeps the toxics`(method: String) {
    var talk = ControlTalk()
    talk.makeProxy(listen: "")
    _ = talk.ask("POST", "/proxies/p/toxics", #"{"type":"latency"}"#)
    let off = talk.ask(method, "/proxies/p", #"{"enabled":false}"#)
    #expect(off["enabled"] == "false" && off["listen"] == "127.0.0.1:40001")
    let on = talk.ask(method, "/proxies/p", #"{"enabled":true}"#)
    #expect(on["enabled"] == "true" && on["listen"] == "127.0.0.1:40001")
    #expect(talk.log.toxics["p"]?.map(\.name) == ["latency_downstream"])
    #expect(talk.ask(method, "/proxies/p", "{}") == on)
    #expect(talk.log.lines.count == 4)
  }

  @Test func `other addresses restart a proxy, and the same do not`() {
    var talk = ControlTalk()
    talk.makeProxy()
    _ = talk.ask(
      "POST", "/proxies/p", #"{"name":"q","listen":"localhost:5000","upstream":"localhost:6000"}"#)
    #expect(talk.log.lines.count == 1)
    let moved = talk.ask("POST", "/proxies/p", #"{"listen":"localhost:5001"}"#)
    #expect(moved["listen"] == "127.0.0.1:5001" && moved["name"] == "p")
    #expect(talk.ask("POST", "/proxies/p", #"{"upstream":"x:1"}"#)["upstream"] == "x:1")
    #expect(
      talk.log.lines.dropFirst() == [
        "stop p", "start p 127.0.0.1:5001 to localhost:6000",
        "stop p", "start p 127.0.0.1:5001 to x:1",
      ])
  }

  @Test func `populating creates, keeps what is the same and replaces what is not`() {
    var talk = ControlTalk()
    let both =
      #"[{"name":"a","listen":"localhost:1000","upstream":"x:1"},"#
      + #"{"name":"b","listen":"localhost:2000","upstream":"x:2","enabled":false}]"#
    let created = talk.ask("POST", "/populate", both)
    #expect(created.status == 201)
    #expect(created["proxies"]?.contains(#""name":"b""#) == true)
    _ = talk.ask("POST", "/proxies/a/toxics", #"{"type":"noop"}"#)
    let kept = talk.ask("POST", "/populate", both)
    #expect(kept["proxies"]?.contains(#""type":"noop""#) == true)
    let replaced = talk.ask(
      "POST", "/populate", #"[{"name":"a","listen":"localhost:1000","upstream":"x:9"}]"#)
    #expect(replaced["proxies"]?.contains(#""toxics":[]"#) == true)
    #expect(
      talk.log.lines == [
        "start a 127.0.0.1:1000 to x:1", "toxics a: noop_downstream", "stop a",
        "start a 127.0.0.1:1000 to x:9",
      ])
    #expect(talk.ask("GET", "/proxies")["b"]?.contains(#""enabled":false"#) == true)
  }

  @Test func `populating stops at the first error and says what was made`() {
    var talk = ControlTalk()
    talk.log.portsInUse = [2_000]
    let answer = talk.ask(
      "POST", "/populate",
      #"[{"name":"a","listen":":1000","upstream":"x:1"},"#
        + #"{"name":"b","listen":":2000","upstream":"x:2"},"#
        + #"{"name":"c","listen":":3000","upstream":"x:3"}]"#)
    #expect(answer.status == 500)
    #expect(answer["status"] == "500")
    #expect(answer["error"] == "listen tcp 127.0.0.1:2000: bind: address already in use")
    #expect(answer["proxies"]?.contains(#""name":"a""#) == true)
    #expect(talk.api.registry.records.map(\.name) == ["a"])
  }

  @Test func `nothing is made of a list that cannot be read as a whole`() {
    var talk = ControlTalk()
    let answer = talk.ask(
      "POST", "/populate", #"[{"name":"a","upstream":"x:1"},{"upstream":"x:1"}]"#)
    #expect(answer.status == 400)
    #expect(answer["error"] == "missing required field: name at proxy 2")
    #expect(answer["proxies"] == "[]")
    #expect(talk.log.lines.isEmpty)
    #expect(
      talk.ask("POST", "/populate", #"[{"name":"a"}]"#)["error"]
        == "missing required field: upstream at proxy 1")
    #expect(talk.ask("POST", "/populate", "{}").status == 400)
    #expect(talk.ask("POST", "/populate", "null").status == 201)
  }

  @Test func `a reset enables every proxy and takes all toxics away`() {
    var talk = ControlTalk()
    talk.makeProxy()
    _ = talk.ask("POST", "/proxies/p/toxics", #"{"type":"timeout"}"#)
    _ = talk.ask("POST", "/proxies/p", #"{"enabled":false}"#)
    let answer = talk.ask("POST", "/reset")
    #expect(answer.status == 204 && answer.text.isEmpty)
    #expect(talk.ask("GET", "/proxies/p").text == Self.proxy)
    #expect(talk.log.toxics["p"] == [])
  }

  @Test func `a reset that cannot have a port says so`() {
    var talk = ControlTalk()
    talk.makeProxy()
    _ = talk.ask("POST", "/proxies/p", #"{"enabled":false}"#)
    talk.log.portsInUse = [5_000]
    #expect(talk.ask("POST", "/reset").status == 500)
    #expect(talk.ask("GET", "/proxies/p")["enabled"] == "false")
  }

  @Test func `toxics are added, shown, changed and removed`() {
    var talk = ControlTalk()
    talk.makeProxy()
    let added = talk.ask(
      "POST", "/proxies/p/toxics",
      #"{"type":"latency","stream":"Upstream","name":"slow","toxicity":0.4,"#
        + #""attributes":{"latency":100,"jitter":5,"note":"x"}}"#)
    let text =
      #"{"attributes":{"jitter":5,"latency":100},"name":"slow","stream":"upstream","#
      + #""toxicity":0.4,"type":"latency"}"#
    #expect(added == .init(status: 200, text: text, type: "application/json"))
    #expect(talk.ask("GET", "/proxies/p/toxics/slow").text == text)
    #expect(talk.ask("GET", "/proxies/p/toxics").text == "[\(text)]")
    let changed = talk.ask(
      "PATCH", "/proxies/p/toxics/slow",
      #"{"attributes":{"latency":7},"type":"noop","name":"x","stream":"downstream"}"#)
    #expect(changed.status == 200)
    #expect(changed["attributes"] == #"{"jitter":5,"latency":7}"#)
    #expect(changed["type"] == "latency" && changed["name"] == "slow")
    #expect(talk.ask("POST", "/proxies/p/toxics/slow", #"{"toxicity":1}"#)["toxicity"] == "1")
    #expect(
      talk.log.toxics["p"]?.map(\.kind) == [
        .latency(LatencyToxic(latency: .milliseconds(7), jitter: .milliseconds(5)))
      ])
    #expect(talk.ask("DELETE", "/proxies/p/toxics/slow").status == 204)
    #expect(talk.ask("GET", "/proxies/p/toxics").text == "[]")
  }

  @Test func `upstream toxics come first, each direction in the order of addition`() {
    var talk = ControlTalk()
    talk.makeProxy()
    for (name, stream) in [("a", "downstream"), ("b", "upstream"), ("c", "downstream")] {
      _ = talk.ask(
        "POST", "/proxies/p/toxics",
        #"{"type":"noop","name":"\#(name)","stream":"\#(stream)"}"#)
    }
    let names = talk.ask("GET", "/proxies/p/toxics").text.matches(of: /"name":"(.)"/).map(\.1)
    #expect(names == ["b", "a", "c"])
  }

  @Test(arguments: [
    ("latency", #"{"jitter":0,"latency":0}"#), ("bandwidth", #"{"rate":0}"#),
    ("slow_close", #"{"delay":0}"#), ("timeout", #"{"timeout":0}"#),
    ("reset_peer", #"{"timeout":0}"#), ("limit_data", #"{"bytes":0}"#), ("noop", "{}"),
  ])
  func `attributes that are not named are zero`(type: String, attributes: String) {
    var talk = ControlTalk()
    talk.makeProxy()
    let answer = talk.ask("POST", "/proxies/p/toxics", #"{"type":"\#(type)"}"#)
    #expect(answer.status == 200)
    #expect(answer["attributes"] == attributes)
    #expect(answer["name"] == "\(type)_downstream")
  }

  @Test(arguments: [
    ("slicer", #"{"average_size":64,"delay":10,"size_variation":32}"#),
    ("bandwidth", #"{"rate":61.4}"#), ("bandwidth", #"{"rate":1.005}"#),
    ("bandwidth", #"{"rate":9223372036854775808}"#),
    ("latency", #"{"jitter":9223372036854775807,"latency":9223372036854775807}"#),
    ("limit_data", #"{"bytes":9223372036854775807}"#),
  ])
  func `attributes come back as they were given`(type: String, attributes: String) {
    var talk = ControlTalk()
    talk.makeProxy()
    let answer = talk.ask(
      "POST", "/proxies/p/toxics", #"{"type":"\#(type)","attributes":\#(attributes)}"#)
    #expect(answer.status == 200)
    let exact = attributes.contains("9223372036854775808") ? "9.223372036854776e+18" : nil
    #expect(answer["attributes"] == (exact.map { #"{"rate":\#($0)}"# } ?? attributes))
  }

  @Test func `keys are read whatever their case`() {
    var talk = ControlTalk()
    let answer = talk.ask("POST", "/proxies", #"{"Name":"p","UPSTREAM":"x:1","Enabled":null}"#)
    #expect(answer.status == 201 && answer["enabled"] == "true")
  }

  @Test func `a shared link is read in the units of scenarios`() {
    var talk = ControlTalk()
    let body =
      #"{"name":"p","upstream":"x:1","#
      + #""link":{"up":"20 KB/s","down":"offline","latency":"100 ms","buffer":"128 KB"}}"#
    #expect(talk.ask("POST", "/proxies", body).status == 201)
    _ = talk.ask("POST", "/proxies/p", #"{"link":{"down":"unlimited"}}"#)
    let latency = Duration.milliseconds(100)
    #expect(
      talk.api.registry.records[0].link
        == LinkConditions(
          up: DirectionConditions(rate: .limited(.kilobytes(20)), latency: latency),
          down: DirectionConditions(rate: .unlimited, latency: latency),
          buffer: .kilobytes(128)))
    #expect(talk.log.lines.count == 3)
  }

  @Test func `metrics name every proxy that runs, in both directions`() {
    var talk = ControlTalk()
    talk.makeProxy()
    let answer = talk.ask("GET", "/metrics")
    #expect(answer.status == 200)
    #expect(
      answer.text.contains(
        #"toxiproxy_proxy_received_bytes_total{direction="upstream",listener="127.0.0.1:5000","#
          + #"proxy="p",upstream="localhost:6000"} 0"#))
    #expect(answer.text.contains(#"toxiproxy_proxy_sent_bytes_total{direction="downstream""#))
  }
}
