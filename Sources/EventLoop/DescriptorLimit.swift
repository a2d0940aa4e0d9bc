import Glibc

/// How many descriptors this process may have open at a time.
package enum DescriptorLimit {
  /// Raises it as far as the system lets anybody (RLIMIT_NOFILE, its hard limit), and returns it.
  ///
  /// Many systems start programs with 1,024, which programs that use select(2) need. Programs that
  /// are started from here get the higher one as well.
  @discardableResult
  package static func raise() -> Int {
    let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0 else { return 0 }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(descriptors, &limit)
    _ = getrlimit(descriptors, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
