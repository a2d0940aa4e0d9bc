import Captures
import LinkModel
package import Quantities

/// The limits of a scenario file, each with its reason.
package enum ScenarioLimits {
  /// A scenario is written by hand; a larger file is something else.
  package static let fileBytes = 1_000_000
  /// The format itself needs eight.
  package static let depth = 32
  package static let nodes = 20_000
  /// More errors than these are counted, not listed.
  package static let errorsListed = 100
  /// Of names and notes, which stand in tables.
  package static let nameCharacters = 120
  /// Of capture and variant names, which become names of files and columns.
  package static let identifierCharacters = 40

  package static let captures = 100
  package static let variants = 20
  package static let acts = 1_000
  package static let rules = 100
  package static let steps = 1_000
  package static let outages = 100
  package static let faults = 100
  /// Places in a connection, which carries several bodies one after the other.
  package static let faultyBytes = ByteCount(1)...ByteCount.megabytes(1_000)
  package static let headers = 20
  /// A client has few kinds of lines.
  package static let figurePatterns = 20
  /// A pattern is for one line.
  package static let patternCharacters = 500
  /// Places in a body or an answer; no larger body is taken.
  package static let scriptedBytes = ByteCount(1)...ByteCount.megabytes(64)
  /// Of a body that is still coming; a shorter time is within the lateness of a timer.
  package static let scriptedTime = Duration.milliseconds(1)...Duration.seconds(86_400)
  /// From one piece of a dribbling answer to the next; a shorter time is within the lateness of a
  /// timer.
  package static let dribblePause = Duration.milliseconds(1)...Duration.seconds(86_400)
  /// An answer to a file with the longest id, its head included, is a third of this.
  package static let receiptBytes = 1_000
  /// Of a scripted answer's body, which stands in the file.
  package static let scriptedBodyCharacters = 10_000

  /// A packet lasts 15 s at the slowest; at the fastest, timing is below what can be measured.
  package static let rate = DataRate(bytesPerSecond: 100)...DataRate(bytesPerSecond: 1e9)
  /// Beyond a minute each way nothing that waits 15 s for an answer works at all.
  package static let latency = Duration.zero...Duration.seconds(60)
  /// A shorter one is within the lateness of a timer.
  package static let outage = Duration.milliseconds(1)...Duration.seconds(86_400)
  package static let jitter = Duration.zero...Duration.seconds(60)
  /// Above it a packet is rarely sent with success at all; all of them lost is written offline.
  package static let loss = 0.0...0.9
  package static let stall = Duration.milliseconds(1)...Duration.seconds(60)
  package static let lumps = Duration.milliseconds(1)...Duration.seconds(3_600)
  /// What the kernels hold of a buffer, at most: the proxy assumes so much until it has measured it.
  package static let kernelPart = ByteCount.kilobytes(64)
  package static let traceScale = 0.001...1_000.0
  package static let buffer = LinkConditions.smallestBuffer...ByteCount.megabytes(64)
  /// Of the wall clock, by all jumps so far: 100 years, so that every date has a year of four digits.
  package static let clockJump = Duration.seconds(-876_600 * 3_600)...(.seconds(876_600 * 3_600))
  package static let horizon = Duration.seconds(1)...Duration.seconds(86_400)
  /// As small, and as large, as photos are made; a copy is limited by the pixels of its original, too.
  package static let photo =
    ByteCount(PhotoPlan.smallestFile)...ByteCount(PhotoPlan.largestFile)
  /// As large as a text is made.
  package static let document = ByteCount.kilobytes(2)...ByteCount(DocumentPlan.largestFile)
  package static let platePhotos =
    UInt64(PlatePlan.count.lowerBound)...UInt64(PlatePlan.count.upperBound)
  /// The times of a policy and of the engine.
  package static let wait = Duration.seconds(1)...Duration.seconds(86_400)
  package static let engineTime = Duration.zero...Duration.seconds(86_400)
  /// Until the engine does something because nothing comes; a shorter one is within the lateness of a
  /// timer.
  package static let quiet = Duration.milliseconds(1)...Duration.seconds(86_400)
  /// Linux gives no socket less than 4,608 bytes.
  package static let sendBuffer = ByteCount.kilobytes(4)...ByteCount.megabytes(16)
  /// Of a command, its program among them.
  package static let commandWords = 100
  /// Of one of them: a script of a few lines fits.
  package static let commandCharacters = 4_096
}
