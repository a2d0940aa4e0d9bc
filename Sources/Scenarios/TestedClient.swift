package import Captures
package import Uploads

/// What is run as the client of a variant.
package enum TestedClient: Hashable, Sendable {
  /// The client that comes with the bench, under a policy.
  case builtIn(UploadPolicy)
  /// Any other program.
  case command(ForeignClient)

  /// Whether it is to send the file of a step, if a capture has it.
  package func sends(_ step: StepName) -> Bool {
    switch self {
    case .builtIn(let policy): policy.client.sends(step)
    case .command(let client): client.sends(step)
    }
  }
}

/// One client configuration; all variants of a scenario run under identical conditions.
package struct Variant: Hashable, Sendable {
  package var name: String
  package var client: TestedClient

  package init(name: String, client: TestedClient) {
    self.name = name
    self.client = client
  }

  package init(name: String, policy: UploadPolicy) {
    self.init(name: name, client: .builtIn(policy))
  }

  /// That of a built-in client; nil of a command, which stays one whatever is set.
  package var policy: UploadPolicy? {
    get { if case .builtIn(let policy) = client { policy } else { nil } }
    set { if let newValue, case .builtIn = client { client = .builtIn(newValue) } }
  }

  /// Nil of a built-in client.
  package var command: ForeignClient? {
    if case .command(let client) = client { client } else { nil }
  }
}
