import Quantities
import ScratchEngine
import Testing

/// The ledger that stands beside the result of a run.
struct RunLedgerTests {
  private func lines(_ talk: Talk, endedAt: Double) -> [String] {
    RunLedger(
      variant: "after", ledger: talk.ledger, endedAt: Instant(seconds: endedAt),
      captures: talk.ledger.requests.map { $0.moment == nil ? nil : "photo-1" }, lost: 0
    ).text.split(separator: "\n").map(String.init)
  }

  @Test func `every line names its variant, and a request its capture and what it was for`() {
    var talk = Talk()
    talk.putRecord()
    talk.putMedia("c1", "copy", [1, 2, 3], cut: .beforeEnd, takes: .seconds(1))
    talk.putMedia("c1", "copy", [1, 2, 3])
    talk.putMedia("c1", "copy", [1, 2, 3])
    talk.send("PUT", "/files/x", [1])
    let lines = lines(talk, endedAt: 10)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"variant":"after","#) })
    let requests = lines.filter { $0.contains(#""request":{"#) }
    #expect(requests.count == 5 && lines.count == 11)
    for (line, use) in zip(requests, ["null", #""abandoned""#, #""useful""#, #""repeated""#]) {
      #expect(line.hasSuffix(#","capture":"photo-1","use":\#(use)}}"#))
    }
    #expect(requests[4].contains(#""upload":"/files/x""#))
    #expect(requests[4].hasSuffix(#""capture":null,"use":"useful"}}"#))
    #expect(
      lines.last
        == #"{"variant":"after","summary":{"ended_at":10.0,"connections":5,"requests":5,"#
        + #""attempts":4,"received_bytes":0,"sent_bytes":0,"useful_bytes":4,"repeated_bytes":3,"#
        + #""abandoned_bytes":3,"overhead_bytes":-10,"moments":1,"duplicates":0,"replays":1,"lost":0}}"#
    )
  }

  @Test func `what the bench itself ended is told as open`() {
    var talk = Talk()
    talk.putMedia("c1", "copy", [1, 2, 3], cut: .beforeEnd, takes: .seconds(4))
    let after = lines(talk, endedAt: 5)
    #expect(after[0].contains(#""ended_at":4.0,"end":"reset""#))
    let before = lines(talk, endedAt: 3)
    #expect(before[0].contains(#""ended_at":null,"end":null"#))
    #expect(before[1].contains(#""ended_at":null,"end":"open","ended_by":null,"phase":"body""#))
  }
}
