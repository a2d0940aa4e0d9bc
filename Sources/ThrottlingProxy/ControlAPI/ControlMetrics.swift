import LinkModel

/// What the proxies have carried, in the text format of Prometheus (version 0.0.4).
enum ControlMetrics {
  static func text(_ registry: ProxyRegistry) -> String {
    let flows = registry.records.compactMap { record in
      registry.flow(of: record).map { (record, [("upstream", $0.up), ("downstream", $0.down)]) }
    }
    var text = ""
    for (name, help, count) in [
      ("received", "Bytes taken in from the senders.", \LaneFlow.takenIn),
      ("sent", "Bytes handed on to the receivers.", \LaneFlow.carried),
    ] {
      let metric = "toxiproxy_proxy_\(name)_bytes_total"
      text += "# HELP \(metric) \(help)\n# TYPE \(metric) counter\n"
      for (record, directions) in flows {
        for (direction, flow) in directions {
          let labels = [
            ("direction", direction), ("listener", "\(record.listen)"), ("proxy", record.name),
            ("upstream", record.upstream),
          ]
          text +=
            "\(metric){"
            + labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
            + "} \(flow[keyPath: count])\n"
        }
      }
    }
    return text
  }

  private static func escaped(_ label: String) -> String {
    label.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n", "\r\n": text += "\\n"
      default: text.append(character)
      }
    }
  }
}
