import ScratchHTTP
import Testing
import ThrottlingProxy

/// What the control API does not do: statuses and texts.
@Suite struct ControlRefusalTests {
  @Test(arguments: [
    ("GET", "/proxies/none", "", 404, "proxy not found"),
    ("PATCH", "/proxies/none", "bad", 404, "proxy not found"),
    ("DELETE", "/proxies/none", "", 404, "proxy not found"),
    ("GET", "/proxies/none/toxics", "", 404, "proxy not found"),
    ("POST", "/proxies/none/toxics", "bad", 404, "proxy not found"),
    ("GET", "/proxies/none/toxics/t", "", 404, "proxy not found"),
    ("GET", "/proxies/p/toxics/none", "", 404, "toxic not found"),
    ("POST", "/proxies/p/toxics/none", "bad", 404, "toxic not found"),
    ("DELETE", "/proxies/p/toxics/none", "", 404, "toxic not found"),
    ("POST", "/proxies", #"{"name":"p","upstream":"x:1"}"#, 409, "proxy already exists"),
    ("POST", "/proxies/p/toxics", #"{"type":"noop","name":"t"}"#, 409, "toxic already exists"),
    (
      "POST", "/proxies/p/toxics", #"{"type":"noop","name":"t","stream":"upstream"}"#, 409,
      "toxic already exists"
    ),
    ("POST", "/proxies", "", 400, "bad request body: EOF"),
    ("POST", "/proxies", "{", 400, "bad request body: 1:2: expected a key in quotes"),
    ("POST", "/proxies", "[]", 400, "bad request body: the body must be an object, not a list"),
    (
      "POST", "/proxies", #"{"name":7}"#, 400,
      "bad request body: name must be a text, not the number 7"
    ),
    (
      "POST", "/proxies/p", #"{"enabled":"true"}"#, 400,
      "bad request body: enabled must be true or false, not the text \"true\""
    ),
    ("POST", "/proxies", "{}", 400, "missing required field: name"),
    ("POST", "/proxies", #"{"name":"","upstream":"x:1"}"#, 400, "missing required field: name"),
    ("POST", "/proxies", #"{"name":"q"}"#, 400, "missing required field: upstream"),
    (
      "POST", "/proxies/p/toxics", #"{"type":"noop","stream":"sideways"}"#, 400,
      "stream was invalid, can be either upstream or downstream"
    ),
    ("POST", "/proxies/p/toxics", #"{"type":"latencyy"}"#, 400, "invalid toxic type"),
    ("POST", "/proxies/p/toxics", "{}", 400, "invalid toxic type"),
    (
      "POST", "/proxies/p/toxics", #"{"type":"bandwidth","attributes":{"rate":"20"}}"#, 400,
      "bad request body: attributes.rate must be a number, not the text \"20\""
    ),
    (
      "POST", "/proxies/p/toxics", #"{"type":"bandwidth","attributes":{"rate":-1}}"#, 400,
      "bad request body: attributes.rate must be at least 0, not the number -1"
    ),
    (
      "POST", "/proxies/p/toxics", #"{"type":"bandwidth","attributes":{"rate":1e999}}"#, 400,
      "bad request body: attributes.rate must be a number, not the number 1e999"
    ),
    (
      "POST", "/proxies/p/toxics", #"{"type":"latency","attributes":{"latency":1.5}}"#, 400,
      "bad request body: attributes.latency must be a whole number, not the number 1.5"
    ),
    (
      "POST", "/proxies/p/toxics", #"{"type":"latency","attributes":7}"#, 400,
      "bad request body: attributes must be an object, not the number 7"
    ),
    (
      "POST", "/proxies/p/toxics", #"{"type":"slicer","attributes":{"average_size":0}}"#, 400,
      "bad request body: attributes.average_size must be at least 1, not the number 0"
    ),
    (
      "POST", "/proxies/p/toxics", #"{"type":"slicer"}"#, 400,
      "bad request body: attributes.average_size must be at least 1, and is missing"
    ),
    (
      "POST", "/proxies/p/toxics/t", #"{"toxicity":1.1}"#, 400,
      "bad request body: toxicity must be from 0 to 1"
    ),
    (
      "POST", "/proxies", #"{"name":"q","upstream":"x:1","listen":"127.0.0.1:5000"}"#, 500,
      "listen tcp 127.0.0.1:5000: bind: address already in use"
    ),
    (
      "POST", "/proxies", #"{"name":"q","upstream":"x:1","listen":"nowhere"}"#, 500,
      "listen tcp nowhere: \"nowhere\" is not an IPv4 address and port; write it as 127.0.0.1:8080"
    ),
    (
      "POST", "/proxies", #"{"name":"q","upstream":"x:1","link":{"up":"20"}}"#, 400,
      "bad request body: link.up: \"20\" has no unit; write it as 20 KB/s"
    ),
    (
      "POST", "/proxies", #"{"name":"q","upstream":"x:1","link":{"buffer":"1 KB"}}"#, 400,
      "bad request body: link.buffer: the smallest buffer is 32 KB"
    ),
  ])
  func `each mistake has its status and says which it is`(
    method: String, target: String, body: String, status: Int, error: String
  ) {
    var talk = ControlTalk()
    talk.makeProxy()
    _ = talk.ask("POST", "/proxies/p/toxics", #"{"type":"noop","name":"t"}"#)
    let before = talk.api.registry.records
    let answer = talk.ask(method, target, body)
    #expect(answer.status == status)
    #expect(answer["error"] == error)
    #expect(answer["status"] == "\(status)")
    #expect(answer.type == "application/json")
    #expect(answer.text.hasSuffix("}\n"))
    #expect(talk.api.registry.records == before)
  }

  @Test(arguments: [
    "/", "/none", "/proxies/", "/proxies/p/", "/proxies/p/none", "/proxies/p/toxics/",
    "/proxies/p/toxics/t/u", "/version/x", "/reset/x", "*",
  ])
  func `an unknown route is not found, in plain text`(target: String) {
    var talk = ControlTalk()
    #expect(
      talk.ask("GET", target)
        == .init(status: 404, text: "404 page not found\n", type: "text/plain; charset=utf-8"))
  }

  @Test(arguments: [
    ("POST", "/version"), ("GET", "/reset"), ("GET", "/populate"), ("PUT", "/proxies"),
    ("PUT", "/proxies/p"), ("DELETE", "/proxies/p/toxics"), ("PUT", "/proxies/p/toxics/t"),
    ("POST", "/metrics"), ("HEAD", "/version"), ("OPTIONS", "/proxies"),
  ])
  func `another method is not allowed, without a body`(method: String, target: String) {
    var talk = ControlTalk()
    #expect(talk.ask(method, target) == .init(status: 405, text: "", type: nil))
  }

  @Test(arguments: [
    (HeaderField("User-Agent", "Mozilla/5.0 (X11)"), "User agent not allowed\n"),
    (HeaderField("Origin", "http://localhost:3000"), "Origin not allowed\n"),
  ])
  func `pages in a browser are refused`(field: HeaderField, text: String) {
    var talk = ControlTalk()
    talk.makeProxy()
    let answer = talk.ask("DELETE", "/proxies/p", "", [field])
    #expect(answer.status == 403 && answer.text == text)
    #expect(talk.api.registry.records.count == 1)
  }

  @Test func `a name that was made to lead here is refused, unless others may come`() {
    func status(isLocal: Bool, host: String) -> Int {
      var api = ControlAPI(ProxyRegistry(host: ProxyLog()), isLocal: isLocal)
      return api.answer(
        RequestHead(
          method: "GET", target: "/version", fields: [HeaderField("Host", host)]), body: []
      ).status
    }
    #expect(status(isLocal: true, host: "evil.example:8474") == 403)
    #expect(status(isLocal: true, host: "127.0.0.1:8474") == 200)
    #expect(status(isLocal: true, host: "localhost") == 200)
    #expect(status(isLocal: false, host: "toxiproxy:8474") == 200)
  }

  @Test func `every answer has a number of its own`() {
    var api = ControlAPI(ProxyRegistry(host: ProxyLog()))
    let head = RequestHead(method: "GET", target: "/none")
    let ids = (0..<3).map { _ in
      api.answer(head, body: []).fields.first("X-Toxiproxy-Request-Id")
    }
    #expect(Set(ids).count == 3 && !ids.contains(nil))
  }

  @Test func `proxies, toxics and the length of names have their limits`() {
    var talk = ControlTalk()
    for number in 0..<ControlLimits.proxies {
      #expect(
        talk.ask("POST", "/proxies", #"{"name":"\#(number)","upstream":"x:1"}"#).status == 201)
    }
    let proxy = talk.ask("POST", "/proxies", #"{"name":"more","upstream":"x:1"}"#)
    #expect(proxy.status == 507 && proxy["error"]?.contains("1000 proxies already") == true)
    for number in 0..<ControlLimits.toxics {
      let body = #"{"type":"noop","name":"\#(number)"}"#
      #expect(talk.ask("POST", "/proxies/0/toxics", body).status == 200)
    }
    let toxic = talk.ask("POST", "/proxies/0/toxics", #"{"type":"noop","name":"more"}"#)
    #expect(toxic.status == 507 && toxic["error"]?.contains("100 toxics already") == true)
    let long = String(repeating: "n", count: ControlLimits.name + 1)
    let name = talk.ask("POST", "/proxies", #"{"name":"\#(long)","upstream":"x:1"}"#)
    #expect(name.status == 400)
    #expect(name["error"] == "bad request body: name must have at most 1000 bytes")
  }
}
