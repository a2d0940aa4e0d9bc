import EventLoop

/// A program that stands between client and server, or nothing.
enum Peer: String, CaseIterable {
  case direct, onebar, haproxy, nginx, socat

  /// What a peer is asked to be.
  struct Task {
    /// Bytes per second towards the server, of each connection by itself unless `isShared`; nil is
    /// as fast as it goes.
    var rate: Double?
    var isShared = false
    /// What `--buffer` of onebar gets.
    var buffer: String?
  }

  /// Where its program is; nil when it is not installed.
  func executable(onebar: String) -> String? {
    switch self {
    case .direct: ""
    case .onebar: onebar
    case .haproxy, .nginx, .socat:
      ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"]
        .map { $0 + rawValue }.first(where: isExecutable)
    }
  }

  /// haproxy's bandwidth limits came with version 2.7, and socat has none.
  var canThrottle: Bool { self == .onebar || self == .nginx }

  /// The words of its command line; a configuration goes into a file of the work folder.
  func words(
    _ task: Task, port: UInt16, to target: SocketAddress, in folder: WorkFolder
  ) throws -> [String] {
    switch self {
    case .direct: return []
    case .onebar:
      var words = ["proxy", "--quiet", "--listen", "127.0.0.1:\(port)", "--to", "\(target)"]
      if let rate = task.rate { words += ["--up", "\(Self.plain(rate))B/s"] }
      if task.rate != nil, !task.isShared { words.append("--per-connection") }
      if let buffer = task.buffer { words += ["--buffer", buffer] }
      return words
    case .haproxy:
      return [
        "-q", "-db", "-f",
        try folder.write(
          """
          global
            nbthread 1
          defaults
            mode tcp
            timeout connect 5s
            timeout client 600s
            timeout server 600s
          listen bench
            bind 127.0.0.1:\(port)
            server sink \(target)
          """, to: "haproxy-\(port).conf"),
      ]
    case .nginx:
      let limit = task.rate.map { "proxy_upload_rate \(Int($0.rounded()));" } ?? ""
      return [
        "-p", folder.path, "-c",
        try folder.write(
          """
          \(Self.nginxStream)
          daemon off;
          master_process off;
          pid nginx-\(port).pid;
          error_log stderr crit;
          events { worker_connections 40000; }
          stream {
            proxy_timeout 600s;
            server { listen 127.0.0.1:\(port) backlog=4096; proxy_pass \(target); \(limit) }
          }
          """, to: "nginx-\(port).conf"),
      ]
    case .socat:
      return [
        "-b262144", "TCP-LISTEN:\(port),bind=127.0.0.1,reuseaddr,nodelay", "TCP:\(target),nodelay",
      ]
    }
  }

  /// Debian has nginx's stream module apart, in a package of its own.
  private static let nginxStream: String = {
    let module = "/usr/lib/nginx/modules/ngx_stream_module.so"
    return isReadable(module) ? "load_module \(module);" : ""
  }()

  /// Rates such as 61399 without an exponent or a point.
  private static func plain(_ rate: Double) -> String {
    rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
  }
}
