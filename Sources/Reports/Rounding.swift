/// Seconds to the nearest millisecond, as every time in a record is kept.
///
/// Records round once, when they are made, so that a record and its text never differ.
package func toMilliseconds(_ seconds: Double) -> Double {
  rounded(seconds, decimals: 3)
}

/// A number to the nearest of `decimals` digits after the point; not finite stays as it is.
func rounded(_ value: Double, decimals: Int) -> Double {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  return (value * scale).rounded() / scale
}
