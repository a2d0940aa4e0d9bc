/// Which names a server of the bench answers to: `localhost`, names under it, and addresses.
///
/// A page in a browser can make a name of its own resolve to loopback, and then talk to whatever
/// listens there; it cannot do that to `localhost` or to an address. Any address is taken, because
/// a client may reach the server through a proxy on another one.
package enum HostGuard {
  package static func accepts(_ host: String) -> Bool {
    if host.first == "[" { return acceptsAddress6(host) }
    let parts = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first?.lowercased(), parts.count == 1 || isPort(parts[1]) else {
      return false
    }
    return name == "localhost" || name.hasSuffix(".localhost") || isAddress4(name)
  }

  private static func acceptsAddress6(_ host: String) -> Bool {
    guard let end = host.firstIndex(of: "]") else { return false }
    let address = host[host.index(after: host.startIndex)..<end]
    let rest = host[host.index(after: end)...]
    return address.contains(":") && address.allSatisfy { $0.isHexDigit || ":.".contains($0) }
      && (rest.isEmpty || rest.first == ":" && isPort(rest.dropFirst()))
  }

  private static func isAddress4(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.count <= 3 && isDigits($0) && (Int($0) ?? 256) < 256 }
  }

  /// RFC 3986 section 3.2.3: a port may be empty.
  private static func isPort(_ text: Substring) -> Bool {
    text.count <= 5 && (text.isEmpty || isDigits(text))
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
