import Reports

/// The headline scenario as a hand-made record: `before` sends the copy seven times and lands
/// nothing, `after` sends each file once.
enum SlowCopy {
  static let record = RunRecord(
    tool: .init(version: "0.1"),
    scenario: .init(
      name: "The copy that never landed", file: "scenarios/slow-copy.yaml", sha256: "ab12"),
    seed: 7, time: .init(mode: .dilated, factor: 60, lateness: .init(p50: 0.0012, p99: 0.0045)),
    link: .init(
      upAsked: 20_000, downAsked: 200_000, bufferDeclared: 1_430_000,
      measuredBy: [before.instrument, after.instrument]),
    verdict: .failed,
    expectations: [
      .init(variant: "before", name: "attempts.copy", expected: "7", measured: "7", pass: true),
      .init(
        variant: "after", name: "landed", expected: "none", measured: "all", pass: false,
        why: "after: files that landed: expected none, measured all."),
    ],
    variants: [before, after])

  static let before = VariantRecord(
    name: "before", outcome: .horizon, finishedAt: nil, horizon: 900,
    files: [
      .init(
        capture: "photo-1", step: "copy", bytes: 1_650_000, attempts: 7, wireBytes: 9_926_000,
        landed: false),
      .init(
        capture: "photo-1", step: "original", bytes: 4_310_000, attempts: 0, wireBytes: 0,
        landed: false),
    ],
    wire: .init(up: 9_930_000, down: 2_100, abandoned: 9_926_000, overhead: 4_000),
    statusLines: .init(
      distinct: 2, live: 0, firstLiveAt: nil, longestSilence: 70.9,
      lines: [
        .init(text: "Kept on this device", first: 0, last: 0, times: 1, isTrue: true),
        .init(
          text: "Sending", first: 0.1, last: 786.1, times: 7, isTrue: false,
          why: "no request was in flight"),
      ]),
    honesty: .init(
      claims: 8, falseClaims: 1, worstMegabytes: nil, worstSeconds: 60.1,
      findings: ["\"Sending\" was false | for a minute."]),
    exactlyOnce: .init(moments: 1), parked: 0, notSaved: [],
    requests: (0..<7).map { attempt in
      .init(
        at: 0.2 + 131 * Double(attempt), method: "PUT", path: "/api/moments/M/media/C",
        capture: "photo-1", step: "copy", attempt: attempt + 1, status: nil,
        bodyBytes: 1_418_000, seconds: 70.9, end: "reset")
    },
    timeline: [
      .init(at: 0, handedOver: 0, carried: 0),
      .init(at: 1, handedOver: 1_430_000, carried: 18_000, claimed: 0),
      .init(at: 11, handedOver: 1_650_000, carried: 218_000),
      .init(at: 41, handedOver: 1_650_000, carried: 818_000),
      .init(at: 71, handedOver: 1_650_000, carried: 1_418_000),
    ],
    instrument: .init(
      lateness: .init(p50: 0.0012, p99: 0.0045), upRate: 20_001, buffers: [1_431_000, 1_430_000],
      takenIn: 11_550_000, carried: 9_930_000, discarded: 1_620_000, engineReceived: 9_930_000))

  static let after = VariantRecord(
    name: "after", outcome: .finished, finishedAt: 305.9, horizon: 900,
    files: [
      .init(
        capture: "photo-1", step: "copy", bytes: 1_650_000, attempts: 1, wireBytes: 1_650_000,
        landed: true, landedAt: 83.1, sha256Matches: true),
      .init(
        capture: "photo-1", step: "original", bytes: 4_310_000, attempts: 1, wireBytes: 4_310_000,
        landed: true, landedAt: 305.9, sha256Matches: true),
    ],
    wire: .init(up: 5_964_000, down: 2_400, useful: 5_960_000, overhead: 4_000),
    statusLines: .init(
      distinct: 3, live: 2, firstLiveAt: 0.9, longestSilence: 1.02,
      lines: [
        .init(text: "photo-1 | kept", first: 0, last: 0, times: 1),
        .init(
          text: "photo-1: 0.45 of 1.65 MB, 1 s", first: 0.9, last: 0.9, times: 1, isTrue: true),
        .init(
          text: "photo-1: 4.31 of 4.31 MB, 300 s", first: 300, last: 305, times: 2, isTrue: true),
      ]),
    honesty: .init(claims: 3, falseClaims: 0, worstMegabytes: 1.43, worstSeconds: 0),
    exactlyOnce: .init(moments: 1), parked: 0, notSaved: [],
    requests: [
      .init(
        at: 0.1, method: "PUT", path: "/api/moments/M", capture: "photo-1", step: "record",
        status: 201, bodyBytes: 310, seconds: 0.2, end: "answered"),
      .init(
        at: 0.4, method: "PUT", path: "/api/moments/M/media/C", capture: "photo-1",
        step: "copy", status: 201, bodyBytes: 1_650_000, seconds: 82.7, end: "answered"),
    ],
    timeline: [
      .init(at: 0, handedOver: 0, carried: 0),
      .init(at: 305.9, handedOver: 5_964_000, carried: 5_964_000, claimed: 4_310_000),
    ],
    instrument: .init(
      lateness: .init(p50: 0.0012, p99: 0.0045), upRate: 19_999, downRate: nil,
      buffers: [1_429_000], takenIn: 5_964_000, carried: 5_964_000, engineReceived: 5_964_000))
}
