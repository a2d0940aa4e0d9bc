/// Lets what is handed to a ``VirtualTime`` hold a part of the simulation.
///
/// The parts are ordinary objects without locks. They are safe because all of them are made, called
/// and let go of on the one thread that drives the time: its deadlines and its jobs run nowhere
/// else, and it runs one of them at a time.
// The compiler cannot know of that one thread.
struct OnVirtualThread<Part>: @unchecked Sendable {
  let part: Part

  init(_ part: Part) {
    self.part = part
  }
}
