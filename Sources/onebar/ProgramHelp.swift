/// The page that `onebar --help` prints.
enum ProgramHelp {
  static let text = """
    onebar puts an upload client on a modelled bad link, plays its server, and writes
    down what really happened.

    usage: onebar COMMAND [OPTIONS] [ARGUMENTS]

      run PATH...              run scenarios: every variant under the same conditions
      compare A B              compare results, folders of them, or two variants
      gate PATH...             for CI: run, check, and compare with a baseline
      merge DIR...             put the parts of a gate together
      scenario check PATH...   read scenario files and print every error
      scenario explain FILE    what a fluid model predicts for a scenario
      scenario schema          the JSON Schema of scenario files
      scenario list [PATH...]  the scenarios in files or folders

    each part by hand:
      proxy                    a throttling proxy for any TCP client and server
      engine                   the scratch server that uploads go to
      capture                  photos and documents made from a seed
      capture facts FILE...    what is believed of a photo, and which tag says so
      client add FILE...       keeps photos and documents in an outbox
      client drain             sends what an outbox keeps
      client list              what an outbox keeps
      client send-now ID       lets what was refused be sent again
      client discard ID        removes what an outbox keeps

    onebar COMMAND --help shows the options of a command and an example.
    onebar --version prints the version.

    exit codes
      0 pass   1 an expectation or the comparison failed   2 usage or an invalid file
      3 no baseline, or results of different scenarios or seeds   4 inconclusive: the
      instrument was out of tolerance   70 the bench broke   130 interrupted

    example
      onebar run scenarios/slow-copy.yaml
    """
}
