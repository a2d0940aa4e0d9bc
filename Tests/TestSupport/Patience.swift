import Glibc

/// Asks again every millisecond until the condition holds; false when it never does in the time.
package func eventually(seconds: Double = 10, _ condition: () -> Bool) -> Bool {
  let deadline = monotonicSeconds() + seconds
  while !condition() {
    guard monotonicSeconds() < deadline else { return false }
    usleep(1_000)
  }
  return true
}
