/// What a run in virtual time cannot see, said in each of its reports.
enum VirtualWorldText {
  /// Nil for runs with real sockets.
  static func heading(_ time: RunRecord.Time) -> String? {
    guard time.mode == .virtual else { return nil }
    return "Virtual world: link, engine and disk were simulated; the client's own code decided."
      + " It does not see:"
  }

  static let limits = [
    "the kernels' buffers: what they would hold is part of the declared buffer, which is met to the"
      + " byte",
    "TCP: no slow start, loss, recovery or probe",
    "libcurl: a stand-in keeps its rules for kept connections, repeats and early answers, and counts"
      + " what was handed over in its steps",
    "the machine: no work takes time, no timer is late, and the path is filled in an instant",
    "the disk: files are in memory, and a sync costs nothing; what was written outlives a killed"
      + " client, what was not synced may not outlive a loss of power",
  ]
}
