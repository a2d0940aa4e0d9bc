// Its headers are the first in which the compiler meets `sockaddr`.
import CCurl
import Glibc
package import Uploads

/// This machine's own link: whether any interface is up that could carry to the engine.
///
/// An interface that runs says nothing of what lies behind it, so `up` is only that. An engine on
/// this machine itself is reached over loopback.
package struct MachineLinkCheck: LinkCheck {
  private let engineIsHere: Bool

  /// `host` is the engine's name or address.
  package init(engineHost host: String) {
    engineIsHere =
      host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
  }

  package func state() async -> LinkState {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return .unknown }
    defer { freeifaddrs(first) }
    var next = first
    while let interface = next?.pointee {
      if carries(interface) { return .up }
      next = interface.ifa_next
    }
    return .down
  }

  private func carries(_ interface: ifaddrs) -> Bool {
    func has(_ flag: Int) -> Bool { Int(interface.ifa_flags) & flag != 0 }
    // A link-layer entry alone has no address to send from.
    guard let family = interface.ifa_addr?.pointee.sa_family,
      family == sa_family_t(AF_INET) || family == sa_family_t(AF_INET6),
      has(IFF_UP), has(IFF_RUNNING)
    else { return false }
    return engineIsHere || !has(IFF_LOOPBACK)
  }
}
