import EventLoop
import Quantities
import Scenarios
import Uploads

/// The processes that a run starts for its client, one after the other.
protocol ClientSeries: AnyObject {
  /// Link time may begin; where it has to wait, ``ClientEvent/ready`` comes later.
  var isReady: Bool { get }
  /// Link time as it begins with the start of the client.
  func scale(factor: Double) -> TimeScale
  /// The first process begins its work, or the next one after an end.
  func start()
  /// Plans what the client is told at link times.
  func plan()
  /// When an act is to be performed so that it comes at its time.
  func due(_ act: Act) -> Instant
  /// Performs any act but a start.
  func perform(_ deed: Act.Deed)
  /// Asks all processes to end.
  func stop()
  /// Ends them at once.
  func kill()
  /// One of them runs, or what it has started.
  var isRunning: Bool { get }
  /// What they took; nil where that is not asked for.
  var tally: ProcessTally? { get }
}

/// What a run hears of its client.
enum ClientEvent {
  case ready
  case report(BenchReport)
  /// Lines, as one look brought them.
  case shown([String])
  /// The process that was to go on has ended, in words.
  case ended(String)
  /// The process that could end has ended, and all that it has started.
  case exited
  /// The bench's own part has failed, in words.
  case broken(String)
}

/// What a series is started with.
struct ClientStart {
  var setup: VariantRun.Setup
  /// The base URL through the link.
  var engine: String
  var loop: EventLoop
  /// Calls an action at a link time, while the run lasts.
  var schedule: (Instant, @escaping () -> Void) -> Void
  var happened: (ClientEvent) -> Void
}
