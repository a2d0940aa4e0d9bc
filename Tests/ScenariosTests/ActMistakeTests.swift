import Scenarios
import Testing

/// Mistakes in what a user does, in front of the variants of the sound scenario.
private let actMistakes = [
  Mistake(
    "kill twice", "variants:",
    "acts: [{ at: 1 s, do: kill }, { at: 2 s, do: kill }]\nvariants:",
    "12:46: error: no client runs since the kill at 1 s; a kill needs a start before it"),
  Mistake(
    "kill without power", "variants:",
    "acts: [{ at: 1 s, do: power-loss }, { at: 2 s, do: kill }]\nvariants:",
    "12:52: error: no client runs since the power-loss at 1 s; a kill needs a start before it"),
  Mistake(
    "two losses of power", "variants:",
    "acts: [{ at: 1 s, do: power-loss }, { at: 2 s, do: power-loss }]\nvariants:",
    "12:52: error: the power is lost already; a second power-loss needs a start before it"),
  Mistake(
    "start without a kill", "variants:", "acts: [{ at: 1 s, do: start }]\nvariants:",
    "12:23: error: the client is running already; a start needs a kill or a power-loss before it"),
  Mistake(
    "refresh of a dead client", "variants:",
    "acts: [{ at: 1 s, do: kill }, { at: 2 s, do: refresh }]\nvariants:",
    "12:46: error: no client runs since the kill at 1 s; a refresh needs a start before it"),
  Mistake(
    "free disk freed", "variants:", "acts: [{ at: 1 s, do: free-disk }]\nvariants:",
    "12:23: error: the disk is not full; a free-disk needs a fill-disk before it"),
  Mistake(
    "full disk filled", "variants:",
    "acts: [{ at: 1 s, do: fill-disk }, { at: 2 s, do: fill-disk }]\nvariants:",
    "12:51: error: the disk is full already; a second fill-disk needs a free-disk before it"),
  Mistake(
    "clock set by nothing", "variants:", "acts: [{ at: 1 s, do: set-clock }]\nvariants:",
    "12:8: error: the key \"by\" is missing; add by: -1 h"),
  Mistake(
    "by without set-clock", "variants:", "acts: [{ at: 1 s, do: refresh, by: 1 h }]\nvariants:",
    "12:32: error: by belongs to set-clock; write do: set-clock, or remove it"),
  Mistake(
    "discard of what", "variants:", "acts: [{ at: 1 s, do: discard }]\nvariants:",
    "12:8: error: the key \"capture\" is missing; add capture: photo-1"),
  Mistake(
    "discard of nothing", "variants:",
    "acts: [{ at: 1 s, do: discard, capture: foto-1 }]\nvariants:",
    "12:41: error: no capture is named \"foto-1\"; did you mean \"photo-1\"?"),
  Mistake(
    "capture of a refresh", "variants:",
    "acts: [{ at: 1 s, do: refresh, capture: photo-1 }]\nvariants:",
    "12:32: error: capture belongs to send-now and discard; write do: send-now, or remove it"),
  Mistake(
    "sent before it is saved", "variants:",
    "acts: [{ at: 0 s, do: send-now, capture: photo-1 }]\nvariants:",
    "12:14: error: photo-1 is only saved at 0 s, so nothing can be done with it before; move the "
      + "act behind that"),
  Mistake(
    "discard by the dead", "variants:",
    "acts: [{ at: 1 s, do: kill }, { at: 2 s, do: discard, capture: photo-1 }]\nvariants:",
    "12:46: error: no client runs since the kill at 1 s; a discard needs a start before it"),
  Mistake(
    "jump without unit", "variants:", "acts: [{ at: 1 s, do: set-clock, by: -1 }]\nvariants:",
    "12:38: error: \"1\" has no unit; write it as 1 s"),
  Mistake(
    "jump too far", "variants:",
    "acts: [{ at: 1 s, do: set-clock, by: 876_601 h }]\nvariants:",
    "12:38: error: \"876_601 h\" is out of range; it can be -3155760000 s to 3155760000 s"),
  Mistake(
    "jumps too far together", "variants:",
    "acts: [{ at: 1 s, do: set-clock, by: -876600 h }, { at: 2 s, do: set-clock, by: -1 s }]\n"
      + "variants:",
    "12:66: error: all jumps so far move the wall clock by -3155760001 s; it can be off by "
      + "3155760000 s, 100 years, either way"),
  Mistake(
    "acts out of order", "variants:",
    "acts: [{ at: 2 s, do: refresh }, { at: 1 s, do: refresh }]\nvariants:",
    "12:40: error: the act at 1 s comes after the one at 2 s; sort them by time"),
  Mistake(
    "act beyond the horizon", "variants:", "acts: [{ at: 901 s, do: kill }]\nvariants:",
    "12:14: error: 901 s is beyond the horizon (900 s): it would never happen"),
  Mistake(
    "capture while the client is dead", "variants:",
    "acts: [{ at: 0 s, do: kill }, { at: 2 s, do: start }]\nvariants:",
    "11:9: error: photo-1 would be saved while no client runs (kill at 0 s); "
      + "move the capture or the acts"),
]

@Test(arguments: actMistakes)
func `each mistake in an act gives one error with its place and a way out`(mistake: Mistake) {
  let text = sound.replacing(once: mistake.old, with: mistake.new)
  #expect(errors(in: text) == ["a.yaml:" + mistake.error])
}
