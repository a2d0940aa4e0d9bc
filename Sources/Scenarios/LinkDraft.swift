import LinkModel
import Quantities

/// A link as it was read: the files that it names are not.
struct LinkDraft {
  var preset: LinkPreset?
  /// What goes over the preset; without one, nil only for what could not be read.
  var up: DirectionDraft?
  var down: DirectionDraft?
  var delays: DelayDraft
  var outages: [OutageDraft]
  var buffer: ByteCount
  var faults: [FaultDraft]

  /// The times that the horizon of the file bounds.
  var times: [Placed<Duration>] {
    outages.map(\.at) + (up?.times ?? []) + (down?.times ?? []) + faults.flatMap(\.times)
  }

  /// Reads the traces; nil when one cannot be read, which has been reported as a problem.
  func conditions(
    _ problems: inout ProblemList, load: (String) -> [UInt8]?
  ) -> LinkConditions? {
    let published = preset?.conditions()
    let sides = [(up, published?.up), (down, published?.down)]
    let latencies = sides.map { $0?.delays.latency ?? delays.latency ?? $1?.latency ?? .zero }
    let stall = Loss.stall(roundTrip: latencies[0] + latencies[1])
    var directions: [DirectionConditions] = []
    for ((draft, published), latency) in zip(sides, latencies) {
      guard let rate = draft.map({ $0.rate.pace(&problems, load: load) }) ?? published?.rate else {
        continue
      }
      let loss = (draft?.delays.loss ?? delays.loss).map {
        Loss(ratio: $0.ratio, stall: $0.stall ?? stall)
      }
      directions.append(
        DirectionConditions(
          rate: rate,
          outages: outages.map { Outage(at: .zero + $0.at.value, duration: $0.duration) },
          latency: latency, jitter: draft?.delays.jitter ?? delays.jitter ?? .zero,
          loss: loss ?? published?.loss.map { Loss(ratio: $0.ratio, stall: stall) }))
    }
    guard directions.count == 2 else { return nil }
    return LinkConditions(
      up: directions[0], down: directions[1], buffer: buffer, faults: faults.map(\.fault))
  }
}

/// One direction of it.
struct DirectionDraft {
  enum Rate {
    case pace(Pace)
    case trace(file: Placed<String>, scale: Double, once: Bool)

    func pace(_ problems: inout ProblemList, load: (String) -> [UInt8]?) -> Pace? {
      switch self {
      case .pace(let pace): return pace
      case .trace(let file, let scale, let once):
        guard let bytes = load(file.value) else {
          problems.add(.noFile(file.value), at: file.mark)
          return nil
        }
        do throws(TraceError) {
          return .trace(try Trace(parsing: bytes, scale: scale, playsOnce: once))
        } catch {
          problems.add(.trace(file.value, reason: error.description), at: file.mark)
          return nil
        }
      }
    }
  }

  var rate: Rate
  var delays = DelayDraft()
  /// Where its lumps stand.
  var lumps: Mark?
  var times: [Placed<Duration>] = []
}
