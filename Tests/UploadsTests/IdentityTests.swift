import Quantities
import Testing
import Uploads

struct IdentityTests {
  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00+00:00"),
    (951_782_400_000, "2000-02-29T00:00:00+00:00"),
    (1_767_225_600_000, "2026-01-01T00:00:00+00:00"),
    (1_767_225_599_999, "2025-12-31T23:59:59+00:00"),
    (-1, "1969-12-31T23:59:59+00:00"),
  ])
  func `a time is written in RFC 3339`(milliseconds: Int64, text: String) {
    #expect(CivilTime.rfc3339(milliseconds: milliseconds) == text)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777)),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
  ])
  func `an HTTP date is read`(text: String, seconds: Int64) {
    #expect(CivilTime.seconds(httpDate: text) == seconds)
  }

  @Test(arguments: [
    "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
  ])
  func `what is no HTTP date is none`(text: String) {
    #expect(CivilTime.seconds(httpDate: text) == nil)
  }

  private func mint(_ seed: UInt64 = 7) -> IdentityMint {
    IdentityMint(random: SeededRandom(seed: seed))
  }

  private func ids(_ identity: MomentIdentity) -> [String] {
    [identity.entry, identity.moment, identity.turn, identity.text] + identity.media
  }

  @Test func `ids are ULIDs that order by time, all different`() {
    let early = ids(mint().identity(sequence: 1, files: 2, now: .zero))
    let late = ids(mint().identity(sequence: 2, files: 2, now: Instant(seconds: 1)))
    let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    for id in early + late {
      #expect(id.count == 26)
      #expect(id.allSatisfy(alphabet.contains))
      #expect(id < "8")
    }
    #expect(Set(early + late).count == 12)
    #expect(early.allSatisfy { id in late.allSatisfy { id < $0 } })
  }

  @Test func `a seed mints the same ids again, another seed others`() {
    let once = ids(mint().identity(sequence: 1, files: 2, now: .zero))
    #expect(once == ids(mint().identity(sequence: 1, files: 2, now: .zero)))
    #expect(Set(once).isDisjoint(with: ids(mint(8).identity(sequence: 1, files: 2, now: .zero))))
  }

  @Test func `a clock that jumps changes the time in the ids, and no draw`() {
    for jump in [Duration.seconds(-3_600), .seconds(315_360_000)] {
      var set = mint()
      set.clock.ahead = jump
      let ids = ids(set.identity(sequence: 1, files: 2, now: Instant(seconds: 5)))
      let usual = self.ids(mint().identity(sequence: 1, files: 2, now: Instant(seconds: 5)))
      let jumped = self.ids(
        mint().identity(sequence: 1, files: 2, now: Instant(seconds: 5) + jump))
      #expect(ids.map { $0.suffix(16) } == usual.map { $0.suffix(16) })
      #expect(ids.map { $0.prefix(10) } == jumped.map { $0.prefix(10) })
    }
  }

  @Test func `before 1970 the time in an id is 0, and a date has its year`() {
    var set = mint()
    set.clock.ahead = .seconds(-60 * 365 * 86_400)
    #expect(
      ids(set.identity(sequence: 1, files: 2, now: .zero)).allSatisfy {
        $0.hasPrefix("0000000000")
      })
    #expect(
      set.clock.rfc3339(at: .zero)
        == "1966-01-16T00:00:00+00:00")
  }

  @Test func `a client started again on its seed mints no id twice`() {
    let once = ids(mint().identity(sequence: 1, files: 2, now: .zero))
    let again = ids(mint().identity(sequence: 1, files: 2, now: Instant(seconds: 0.001)))
    let next = ids(mint().identity(sequence: 2, files: 2, now: .zero))
    #expect(Set(once + again + next).count == 18)
  }
}
