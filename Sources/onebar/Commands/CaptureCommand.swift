import Captures
import Quantities
import Reports

struct CaptureCommand: CommandLineCommand {
  let command = Command(
    ["capture"],
    help: """
      usage: onebar capture --out DIR [OPTIONS]

      Makes photos and documents from a seed, and captures.json with what is true of
      them: sizes, SHA-256, when and where they were taken. The same seed gives the same
      bytes.

        --out DIR          where they go; made when missing
        --seed N           default 1
        --count N          so many photos; default 1
        --photo SIZES      original=SIZE,copy=SIZE; default original=4.31MB,copy=1.65MB
        --document SIZE    a PDF of that size as well

      example
        onebar capture --seed 7 --count 3 --photo original=4.31MB,copy=1.65MB --out captures
      """,
    options: [
      .value("--out"), .value("--seed"), .value("--count"), .value("--photo"),
      .value("--document"),
    ])

  private static let countMax = 10_000

  func run(_ arguments: Arguments) throws -> ExitCode {
    guard let folder = arguments.value("--out") else {
      throw ArgumentError.missingOption("--out DIR", command: "capture")
    }
    let seed = try arguments.value("--seed", Numbers.seed) ?? 1
    let count = try arguments.value("--count") { try Numbers.whole($0, in: 0...Self.countMax) } ?? 1
    let photo =
      try arguments.value("--photo", Self.photo)
      ?? PhotoPlan(original: .megabytes(4.31), copy: .megabytes(1.65))
    let document = try arguments.value("--document") { try ByteCount(parsing: $0) }
    var plans = (0..<count).map { CapturePlan(name: "photo-\($0 + 1)", kind: .photo(photo)) }
    if let document {
      plans.append(CapturePlan(name: "document-1", kind: .document(DocumentPlan(size: document))))
    }
    do {
      let made = try CaptureFolder(path: folder).write(plans, seed: seed)
      for capture in made.captures { Terminal.print(Self.line(of: capture)) }
      return .passed
    } catch {
      Terminal.complain("\(error)")
      return .usage
    }
  }

  private static func line(of capture: CaptureTruth) -> String {
    capture.files.map { "\($0.file.file)  \($0.file.bytes) B  \($0.file.sha256)" }
      .joined(separator: "\n")
  }

  /// Reads `original=4.31MB,copy=1.65MB`.
  private static func photo(_ text: String) throws(QuantityError) -> PhotoPlan {
    var sizes: [Substring: ByteCount] = [:]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, ["original", "copy"].contains(pair[0]), sizes[pair[0]] == nil else {
        throw QuantityError("\"\(part)\" is not a size; write original=4.31MB,copy=1.65MB")
      }
      sizes[pair[0]] = try ByteCount(parsing: String(pair[1]))
    }
    guard let original = sizes["original"], let copy = sizes["copy"] else {
      throw QuantityError("both sizes are needed; write original=4.31MB,copy=1.65MB")
    }
    guard copy < original else {
      throw QuantityError("the copy (\(copy)) is not smaller than the original (\(original))")
    }
    return PhotoPlan(original: original, copy: copy)
  }
}
