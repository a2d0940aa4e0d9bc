import CLinux
import EventLoop
import Foundation
import Quantities

/// Measures the link by hand beside other proxies, and the engine, in one run on one machine.
@main struct Main {
  static let usage = """
    usage: linkbench --onebar PROGRAM [--out FILE] [--part NAME]... [--quick]

      --onebar PROGRAM  the program whose proxy is measured
      --out FILE        where the report goes; default standard output
      --part NAME       only this part: \(Part.allCases.map(\.rawValue).joined(separator: ", "))
      --quick           a minute's worth: shorter, with fewer rates and connections

    """

  enum Part: String, CaseIterable {
    case rate, roundtrip, stream, crowd, idle, buffer, upload, requests
  }

  static func main() {
    var words = CommandLine.arguments.dropFirst()
    var onebar: String?
    var out: String?
    var parts: [Part] = []
    var isQuick = false
    while let word = words.popFirst() {
      switch word {
      case "--quick": isQuick = true
      case "--onebar" where !words.isEmpty: onebar = words.removeFirst()
      case "--out" where !words.isEmpty: out = words.removeFirst()
      case "--part" where Part(rawValue: words.first ?? "") != nil:
        Part(rawValue: words.removeFirst()).map { parts.append($0) }
      case "-h", "--help":
        print(usage, terminator: "")
        return
      default: refuse("\(word) is not an option, or lacks its value")
      }
    }
    guard let onebar else { refuse("--onebar is missing") }
    do {
      // A peer that ends is an error of the write.
      CLinux_signalIgnore(SIGPIPE)
      let report = try Measurement(
        bench: Bench(onebar: onebar), parts: parts.isEmpty ? Part.allCases : parts, isQuick: isQuick
      ).report()
      if let out {
        try report.write(toFile: out, atomically: true, encoding: .utf8)
      } else {
        print(report, terminator: "")
      }
    } catch {
      FileHandle.standardError.write(Data("linkbench: \(error)\n".utf8))
      exit(70)
    }
  }

  private static func refuse(_ message: String) -> Never {
    FileHandle.standardError.write(Data("linkbench: \(message)\n\(usage)".utf8))
    exit(2)
  }
}
