import JSON
import Reports
import Testing

@Suite struct ResultFileTests {
  @Test func `a record survives writing and reading, and its text is stable`() throws {
    let text = ResultFile.text(of: SlowCopy.record)
    let back = try ResultFile.record(from: text)
    #expect(back == SlowCopy.record)
    #expect(ResultFile.text(of: back) == text)
  }

  @Test func `the largest seed stays exact`() throws {
    var record = SlowCopy.record
    record.seed = .max
    #expect(try ResultFile.record(from: ResultFile.text(of: record)).seed == .max)
  }

  @Test func `the text of a small record is this`() {
    let record = RunRecord(
      tool: .init(version: "0.1"), scenario: .init(name: "Small", file: "s.yaml", sha256: "00"),
      seed: 7, time: .init(mode: .virtual),
      link: .init(upAsked: 20_000, downAsked: nil, bufferDeclared: 64_000, measuredBy: []),
      verdict: .passed,
      variants: [
        .init(
          name: "after", outcome: .finished, finishedAt: 1.23456, horizon: 10,
          files: [
            .init(
              capture: "photo-1", step: "copy", bytes: 9, attempts: 1, wireBytes: 9, landed: true,
              landedAt: 1.2, sha256Matches: true)
          ],
          wire: .init(up: 20, down: 5, useful: 9, overhead: 11), statusLines: .init(),
          exactlyOnce: .init(moments: 1),
          instrument: .init(takenIn: 20, carried: 20, engineReceived: 20))
      ])
    #expect(ResultFile.text(of: record) == ResultFileTests.small)
  }

  @Test func `every key of the contract is there`() throws {
    let text = ResultFile.text(of: SlowCopy.record)
    let contract = """
      schema tool name version scenario file sha256 seed time mode factor lateness p50 p99 link up
      asked measured errorPercent down buffer declared verdict expectations variant expected pass
      variants outcome finishedAt horizon files capture step bytes attempts wireBytes landed
      landedAt replays sha256Matches wire useful repeated abandoned overhead statusLines distinct
      live firstLiveAt longestSilence lines text first last times true why honesty claims false
      worstMegabytes worstSeconds findings exactlyOnce moments
      duplicates lost requests at method path photo attempt status bodyBytes seconds end
      endedBy phase timeline handedOver carried claimed
      """
    for key in contract.split(whereSeparator: \.isWhitespace) {
      #expect(text.contains("\"\(key)\":"), "\(key) is missing")
    }
  }

  @Test func `the schema describes the fields that are written, from the same list`() throws {
    guard case .object(let schema) = try JSONValue(parsing: ResultFile.jsonSchema),
      case .object(let written) = try JSONValue(parsing: ResultFile.text(of: SlowCopy.record)),
      case .object(let properties)? = schema["properties"],
      case .array(let required)? = schema["required"]
    else {
      Issue.record("the schema, or the result, is no object")
      return
    }
    #expect(properties.keys.sorted() == written.keys.sorted())
    #expect(required.count == written.count)
    #expect(properties["verdict"] != nil)
    #expect(ResultFile.jsonSchema.contains("\"inconclusive\""))
  }

  @Test func `a field that is missing or of another kind is named`() {
    func error(_ from: String, _ to: String) -> String? {
      let text = ResultFile.text(of: SlowCopy.record).replacingFirst(from, with: to)
      do {
        _ = try ResultFile.record(from: text)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      error("\"attempts\": 7", "\"attempts\": 7.5")
        == "variants[0].files[0].attempts: expected a whole number, found the number 7.5")
    #expect(
      error("\"attempts\": 7", "\"attempt\": 7")
        == "variants[0].files[0].attempts: is missing")
    let bound = "expected a number of at most 10000000000000, found the number"
    #expect(
      error("\"attempts\": 7", "\"attempts\": -9223372036854775808")
        == "variants[0].files[0].attempts: \(bound) -9223372036854775808")
    #expect(
      error("\"horizon\": 900", "\"horizon\": 1e308")
        == "variants[0].horizon: \(bound) 1e308")
    #expect(
      error("\"name\": \"after\"", "\"name\": \"before\"")
        == "variants: two have the name before")
    #expect(
      error("\"mode\": \"dilated\"", "\"mode\": \"fast\"")
        == "time.mode: expected one of real, dilated, virtual, found the text \"fast\"")
    #expect(
      error("\"schema\": 1", "\"schema\": 2")
        == "schema: expected 1, found the number 2; run the scenario again with this version")
    #expect(
      error("\"schema\": 1", "\"scheme\": 1")
        == "schema: is missing; a result of onebar states it")
    // What may be null may be missing too, so that a field can be added within a schema number.
    #expect(error("\"parked\": 0,", "") == nil)
    #expect(error("\"schema\": 1", "\"newer\": [], \"schema\": 1") == nil)
  }

  private static let small = """
    {
      "doubts": [],
      "expectations": [],
      "link": {
        "buffer": {
          "declared": 64000,
          "measured": null
        },
        "down": {
          "asked": null,
          "course": null,
          "errorPercent": null,
          "measured": null,
          "rates": null
        },
        "probe": null,
        "up": {
          "asked": 20000,
          "course": null,
          "errorPercent": null,
          "measured": null,
          "rates": null
        }
      },
      "scenario": {
        "file": "s.yaml",
        "name": "Small",
        "sha256": "00"
      },
      "schema": 1,
      "seed": 7,
      "time": {
        "factor": 1,
        "lateness": null,
        "mode": "virtual"
      },
      "tool": {
        "name": "onebar",
        "version": "0.1"
      },
      "variants": [
        {
          "clientEnd": null,
          "discarded": null,
          "exactlyOnce": {
            "duplicates": 0,
            "lost": 0,
            "moments": 1
          },
          "files": [
            {
              "attempts": 1,
              "bytes": 9,
              "capture": "photo-1",
              "landed": true,
              "landedAt": 1.2,
              "photo": null,
              "replays": 0,
              "sha256Matches": true,
              "step": "copy",
              "wireBytes": 9
            }
          ],
          "finishedAt": 1.235,
          "held": null,
          "honesty": null,
          "horizon": 10,
          "instrument": {
            "buffers": [],
            "carried": 20,
            "clientLateness": null,
            "discarded": 0,
            "downAsked": null,
            "downPeriods": null,
            "downRate": null,
            "engineReceived": 20,
            "lateness": null,
            "queued": 0,
            "retransmissions": 0,
            "takenIn": 20,
            "upAsked": null,
            "upPeriods": null,
            "upRate": null,
            "zeroWindowProbes": 0
          },
          "name": "after",
          "notSaved": null,
          "outcome": "finished",
          "parked": null,
          "process": null,
          "requests": [],
          "statusLines": {
            "distinct": 0,
            "firstLiveAt": null,
            "lines": [],
            "live": 0,
            "longestSilence": null,
            "shown": null
          },
          "timeline": [],
          "wire": {
            "abandoned": 0,
            "down": 5,
            "overhead": 11,
            "repeated": 0,
            "up": 20,
            "useful": 9
          }
        }
      ],
      "verdict": "passed"
    }

    """
}

extension String {
  func replacingFirst(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
