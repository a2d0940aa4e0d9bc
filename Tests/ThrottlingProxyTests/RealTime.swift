import Testing

/// What runs on real sockets and by the real clock: one at a time, with generous bounds.
@Suite(.serialized, .timeLimit(.minutes(2))) enum RealTime {}
