/// One variant that is ready to be run, on any one thread.
protocol VariantWork: Sendable {
  /// Runs to the end; `progress` is called now and then, with what tells it.
  ///
  /// What was measured until an interruption is an outcome, too. Throws when the bench cannot do its
  /// part.
  func run(
    isInterrupted: @escaping () -> Bool, progress: @escaping (() -> RunProgress) -> Void
  ) throws -> VariantOutcome
}
