// The one list of fields of a result: what is not here is neither written, read back nor described.

extension RunRecord: ResultObject {
  static var blank: RunRecord {
    RunRecord(
      tool: .blank, scenario: .blank, seed: 0, time: .blank, link: .blank, verdict: .inconclusive,
      variants: [])
  }
  static var fields: [ResultField<RunRecord>] {
    [
      .init("tool", \.tool), .init("scenario", \.scenario), .init("seed", \.seed),
      .init("time", \.time, "How time ran; every other time is in link seconds."),
      .init("link", \.link), .init("verdict", \.verdict),
      .init("doubts", \.doubts, "Why the run is inconclusive, a sentence each."),
      .init("expectations", \.expectations), .init("variants", \.variants),
    ]
  }
}

extension RunRecord.Tool: ResultObject {
  static var blank: Self { Self(name: "", version: "") }
  static var fields: [ResultField<Self>] { [.init("name", \.name), .init("version", \.version)] }
}

extension RunRecord.ScenarioReference: ResultObject {
  static var blank: Self { Self(name: "", file: "", sha256: "") }
  static var fields: [ResultField<Self>] {
    [.init("name", \.name), .init("file", \.file), .init("sha256", \.sha256)]
  }
}

extension RunRecord.Time: ResultObject {
  static var blank: Self { Self(mode: .real) }
  static var fields: [ResultField<Self>] {
    [
      .init("mode", \.mode), .init("factor", \.factor, "Link seconds in one second."),
      .init("lateness", \.lateness, "How late timers fired, in link seconds."),
    ]
  }
}

extension RunRecord.Time.Mode: ResultWord {}

extension RunRecord.Lateness: ResultObject {
  static var blank: Self { Self(p50: 0, p99: 0) }
  static var fields: [ResultField<Self>] { [.init("p50", \.p50), .init("p99", \.p99)] }
}

extension RunRecord.Direction: ResultObject {
  static var blank: Self { Self(asked: nil, measured: []) }
  static var fields: [ResultField<Self>] {
    [
      .init(
        "asked", \.asked,
        "Bytes per second, on the mean where it changes; null when that is no number."),
      .init("measured", \.measured, "Of the variants, the rate furthest from what was asked."),
      .init("errorPercent", \.errorPercent),
      .init("course", \.course, "How the rate changes over time; null when it does not."),
      .init("rates", \.rates, "What was asked for over time, each until the next."),
    ]
  }
}

extension RunRecord.RatePoint: ResultObject {
  static var blank: Self { Self(at: 0, rate: nil) }
  static var fields: [ResultField<Self>] {
    [
      .init("at", \.at),
      .init("rate", \.rate, "Bytes per second, 0 while offline; null without a limit."),
    ]
  }
}

extension RunRecord.Buffer: ResultObject {
  static var blank: Self { Self(declared: 0, measured: []) }
  static var fields: [ResultField<Self>] {
    [
      .init("declared", \.declared, "Bytes of one connection taken in before they cross."),
      .init("measured", \.measured, "Mean over the attempts that filled it."),
    ]
  }
}

extension RunRecord.Link: ResultObject {
  static var blank: Self { Self(up: .blank, down: .blank, buffer: .blank) }
  static var fields: [ResultField<Self>] {
    [
      .init("up", \.up), .init("down", \.down), .init("buffer", \.buffer),
      .init("probe", \.probe, "What its two ends measured before the run; null without a probe."),
    ]
  }
}

extension RunRecord.Probe: ResultObject {
  static var blank: Self { Self(asked: .init(), measured: .init()) }
  static var fields: [ResultField<Self>] {
    [.init("asked", \.asked), .init("measured", \.measured)]
  }
}

extension LinkProbeCheck.Values: ResultObject {
  static var blank: Self { Self() }
  static var fields: [ResultField<Self>] {
    [
      .init("rate", \.rate, "Bytes per second, up."), .init("latencyUp", \.latencyUp, "One way."),
      .init("latencyDown", \.latencyDown), .init("buffer", \.buffer),
    ]
  }
}

extension RunRecord.Verdict: ResultWord {}

extension ExpectationRecord: ResultObject {
  static var blank: Self { Self(variant: "", name: "", expected: "", measured: nil, pass: false) }
  static var fields: [ResultField<Self>] {
    [
      .init("variant", \.variant), .init("name", \.name),
      .init("expected", \.expected, "As the scenario writes it."),
      .init("measured", \.measured, "Null when it was not measured: then it is no pass."),
      .init("pass", \.pass), .init("why", \.why, "What went wrong; null when it passed."),
      .init("line", \.line, "Where the scenario's file states it, from 1."),
    ]
  }
}

extension VariantRecord: ResultObject {
  static var blank: Self {
    Self(
      name: "", outcome: .interrupted, finishedAt: nil, horizon: 0, files: [], wire: .blank,
      statusLines: .blank, exactlyOnce: .blank, instrument: .blank)
  }
  static var fields: [ResultField<Self>] {
    [
      .init("name", \.name), .init("outcome", \.outcome),
      .init(
        "clientEnd", \.clientEnd, "How the client ended, unless an act of the scenario did it."),
      .init("finishedAt", \.finishedAt, "When the last file's receipt had arrived."),
      .init("horizon", \.horizon), .init("files", \.files), .init("wire", \.wire),
      .init("statusLines", \.statusLines), .init("honesty", \.honesty),
      .init("exactlyOnce", \.exactlyOnce),
      .init("parked", \.parked, "Captures that the engine refused for good."),
      .init("held", \.held, "Captures that need a faster link, or the user."),
      .init("discarded", \.discarded, "Captures that the user gave up."),
      .init("notSaved", \.notSaved, "Captures that the client could not keep, and why."),
      .init("process", \.process, "What a command's processes took; null of the built-in client."),
      .init("requests", \.requests), .init("timeline", \.timeline),
      .init("instrument", \.instrument, "What the bench measured of itself."),
    ]
  }
}

extension VariantRecord.Outcome: ResultWord {}

extension NotSavedRecord: ResultObject {
  static var blank: Self { Self(capture: "", reason: "") }
  static var fields: [ResultField<Self>] {
    [.init("capture", \.capture), .init("reason", \.reason, "As the user was told.")]
  }
}

extension ProcessRecord: ResultObject {
  static var blank: Self { Self() }
  static var fields: [ResultField<Self>] {
    [
      .init("starts", \.starts), .init("exit", \.exit, "Of the last; null when it did not exit."),
      .init("signal", \.signal, "That ended the last; null when none did."),
      .init("seconds", \.seconds, "Link seconds in which one ran."),
      .init("userSeconds", \.userSeconds, "Of the machine's processors."),
      .init("systemSeconds", \.systemSeconds),
      .init(
        "memoryPeak", \.memoryPeak, "Bytes, looked at ten times a second; null if it never was."),
      .init("unassigned", \.unassigned, "Requests with a body that is no capture's file."),
    ]
  }
}

extension FileRecord: ResultObject {
  static var blank: Self {
    Self(capture: "", step: "", bytes: 0, attempts: 0, wireBytes: 0, landed: false)
  }
  static var fields: [ResultField<Self>] {
    [
      .init("capture", \.capture), .init("step", \.step, "copy, original, document or staged."),
      .init("photo", \.photo, "Which photo of a plate, from 1; null for any other file."),
      .init("bytes", \.bytes), .init("attempts", \.attempts),
      .init("wireBytes", \.wireBytes, "Body bytes on the wire, over all attempts."),
      .init("landed", \.landed), .init("landedAt", \.landedAt), .init("replays", \.replays),
      .init("sha256Matches", \.sha256Matches, "Null when nothing was stored."),
    ]
  }
}

extension WireRecord: ResultObject {
  static var blank: Self { Self() }
  static var fields: [ResultField<Self>] {
    [
      .init("up", \.up, "Bytes that the engine received: the sum of the four below."),
      .init("down", \.down), .init("useful", \.useful), .init("repeated", \.repeated),
      .init("abandoned", \.abandoned), .init("overhead", \.overhead),
    ]
  }
}

extension StatusLinesRecord: ResultObject {
  static var blank: Self { Self() }
  static var fields: [ResultField<Self>] {
    [
      .init("distinct", \.distinct),
      .init("live", \.live, "Of those, the ones with a true byte count not shown before."),
      .init("firstLiveAt", \.firstLiveAt), .init("longestSilence", \.longestSilence),
      .init("lines", \.lines, "In order of first showing."),
      .init("shown", \.shown, "Each change of what stood on the screen, in order."),
    ]
  }
}

extension StatusLinesRecord.Showing: ResultObject {
  static var blank: Self { Self(at: 0, line: 0) }
  static var fields: [ResultField<Self>] {
    [.init("at", \.at), .init("line", \.line, "Its place in the list of lines, from 0.")]
  }
}

extension StatusLinesRecord.Line: ResultObject {
  static var blank: Self { Self(text: "", first: 0, last: 0, times: 0) }
  static var fields: [ResultField<Self>] {
    [
      .init("text", \.text), .init("first", \.first), .init("last", \.last),
      .init("times", \.times),
      .init("true", \.isTrue, "Each time that it was shown; null when it was not judged."),
      .init("why", \.why, "What was not so."),
    ]
  }
}

extension HonestyRecord: ResultObject {
  static var blank: Self { Self(claims: 0, falseClaims: 0, worstMegabytes: nil, worstSeconds: 0) }
  static var fields: [ResultField<Self>] {
    [
      .init("claims", \.claims, "Lines that were judged, each time that they were shown."),
      .init("false", \.falseClaims, "Of them, those that were not so."),
      .init(
        "worstMegabytes", \.worstMegabytes,
        "Megabytes that a line claimed of a body, less those that had crossed: the most. Not judged."
      ),
      .init(
        "worstSeconds", \.worstSeconds, "The longest time for which a line stood that was not so."),
      .init("findings", \.findings, "What was not so, a sentence each: of each kind the first."),
    ]
  }
}

extension ExactlyOnceRecord: ResultObject {
  static var blank: Self { Self(moments: 0) }
  static var fields: [ResultField<Self>] {
    [
      .init("moments", \.moments), .init("duplicates", \.duplicates),
      .init("lost", \.lost, "Null when nobody knows what the client still holds."),
    ]
  }
}

extension RequestRecord: ResultObject {
  static var blank: Self { Self(at: 0, method: "", path: "", status: nil, seconds: 0, end: "") }
  static var fields: [ResultField<Self>] {
    [
      .init("at", \.at), .init("method", \.method), .init("path", \.path),
      .init("capture", \.capture, "What it was about; null when it is not known."),
      .init("step", \.step),
      .init("photo", \.photo, "Which photo of a plate, from 1; null of anything else."),
      .init("attempt", \.attempt), .init("status", \.status, "Null when it was not answered."),
      .init("bodyBytes", \.bodyBytes), .init("seconds", \.seconds),
      .init("end", \.end, "answered, reset, closed or open."),
      .init("endedBy", \.endedBy, "engine, script or client; null while it is open."),
      .init("phase", \.phase, "How far it came: head, body, whole, decided or answer."),
    ]
  }
}

extension TimelinePoint: ResultObject {
  static var blank: Self { Self(at: 0, handedOver: 0, carried: 0) }
  static var fields: [ResultField<Self>] {
    [
      .init("at", \.at),
      .init("handedOver", \.handedOver, "Bytes that the client's socket had taken."),
      .init("carried", \.carried, "Bytes that had crossed the link."),
      .init("claimed", \.claimed, "File bytes that the newest status line claimed."),
    ]
  }
}

extension InstrumentRecord: ResultObject {
  static var blank: Self { Self(takenIn: 0, carried: 0, engineReceived: 0) }
  static var fields: [ResultField<Self>] {
    [
      .init("lateness", \.lateness),
      .init("clientLateness", \.clientLateness, "The worst of the client's own timers."),
      .init("upRate", \.upRate), .init("downRate", \.downRate),
      .init(
        "upAsked", \.upAsked,
        "Of a rate that changes: its mean over the time measured. Null of one that does not."),
      .init("downAsked", \.downAsked),
      .init("upPeriods", \.upPeriods, "Busy periods over which the rate was measured."),
      .init("downPeriods", \.downPeriods),
      .init("buffers", \.buffers, "Mean of each attempt that filled the buffer."),
      .init("takenIn", \.takenIn), .init("carried", \.carried), .init("discarded", \.discarded),
      .init("queued", \.queued), .init("engineReceived", \.engineReceived),
      .init("retransmissions", \.retransmissions), .init("zeroWindowProbes", \.zeroWindowProbes),
    ]
  }
}
