/// How true the status lines of a variant were.
package struct HonestyRecord: Hashable, Sendable {
  /// Lines with a claim that was judged, each time that it was shown.
  package var claims: Int
  package var falseClaims: Int
  /// The most that a line was ahead of the link, in megabytes.
  ///
  /// Those that it claimed of a body, less those that had crossed; nil when no line claimed any.
  package var worstMegabytes: Double?
  /// The longest time for which a line stood that was not so, or was so no longer.
  package var worstSeconds: Double
  /// What was false, a sentence each: of each kind the first.
  package var findings: [String]

  package init(
    claims: Int, falseClaims: Int, worstMegabytes: Double?, worstSeconds: Double,
    findings: [String] = []
  ) {
    self.claims = claims
    self.falseClaims = falseClaims
    self.worstMegabytes = worstMegabytes.map { rounded($0, decimals: 6) }
    self.worstSeconds = toMilliseconds(worstSeconds)
    self.findings = findings
  }
}
