import Captures
import FoundationEssentials
import Quantities
import Testing

@Suite struct CaptureFolderTests {
  private static let plans = [
    CapturePlan(
      name: "photo-1",
      kind: .photo(PhotoPlan(original: ByteCount(30_000), copy: ByteCount(20_000)))),
    CapturePlan(name: "paper", kind: .document(DocumentPlan(size: ByteCount(2_000)))),
  ]

  /// Runs `body` with the path of a folder that does not exist yet, and removes it afterwards.
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let manager = FileManager.default
    let path = manager.temporaryDirectory.appending(path: "captures-\(UUID().uuidString)").path
    defer { try? manager.removeItem(atPath: path) }
    try body(path)
  }

  @Test func `a folder holds the files that its list states`() throws {
    try Self.withFolder { path in
      let set = try CaptureFolder(path: path).write(Self.plans, seed: 7)
      #expect(try CaptureFolder(path: path).read() == set)
      #expect(set.seed == 7)
      #expect(set.captures.map(\.name) == ["photo-1", "paper"])
      let files = set.captures.flatMap { [$0.original, $0.copy, $0.document].compactMap { $0 } }
      #expect(files.map(\.file) == ["photo-1.jpg", "photo-1-copy.jpg", "paper.pdf"])
      for file in files {
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(path)/\(file.file)")))
        #expect(bytes.count == file.bytes)
        #expect(sha256(of: bytes) == file.sha256)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(Set(names) == Set(files.map(\.file) + ["captures.json"]))
    }
  }

  @Test func `a capture does not depend on the others`() throws {
    let maker = CaptureMaker(seed: 7)
    let both = try maker.make(Self.plans) { _ in }
    #expect(try maker.make(Self.plans.reversed()) { _ in }.captures == both.captures.reversed())
  }

  @Test func `what was written is removed when a later capture fails`() throws {
    let bad = CapturePlan(name: "tiny", kind: .document(DocumentPlan(size: ByteCount(1))))
    try Self.withFolder { path in
      #expect(throws: CaptureError.tooSmall(file: "tiny.pdf", asked: 1, smallest: 1_000)) {
        _ = try CaptureFolder(path: path).write(Self.plans + [bad], seed: 7)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a folder that cannot be is an error in words`() throws {
    try Self.withFolder { path in
      try Data("a file".utf8).write(to: URL(filePath: path))
      let error = #expect(throws: CaptureError.self) {
        _ = try CaptureFolder(path: "\(path)/inside").write(Self.plans, seed: 7)
      }
      #expect(error?.description.hasPrefix("\(path)/inside: cannot be created: ") == true)
    }
    try Self.withFolder { path in
      let error = #expect(throws: CaptureError.self) { _ = try CaptureFolder(path: path).read() }
      #expect(
        error?.description == "\(path)/captures.json: cannot be read: it does not exist")
    }
  }

  @Test func `what cannot be made is told by the folder that takes nothing`() {
    let error = #expect(throws: CaptureError.self) {
      _ = try CaptureFolder(path: "/proc/onebar/captures").write(Self.plans, seed: 7)
    }
    #expect(
      error?.description
        == "/proc/onebar/captures: cannot be created: no folder can be made in /proc")
    #expect(CaptureFolder.standing(above: "/no such folder/a/") == "/")
    #expect(CaptureFolder.standing(above: "no such folder/a") == ".")
    #expect(CaptureFolder.standing(above: "/proc/self/none/a") == "/proc/self")
  }

  @Test(arguments: ["", "../p", "a/b", ".hidden", "-o", "a b", "é", "a\0"])
  func `a name that is no plain file name is refused`(name: String) {
    let plan = CapturePlan(name: name, kind: .document(DocumentPlan(size: ByteCount(2_000))))
    #expect(throws: CaptureError.badName(name)) { _ = try CaptureMaker(seed: 1).make(plan) }
  }

  @Test func `two captures that would write one file are refused before anything is made`() {
    let plans = ["p", "p-copy"].map {
      CapturePlan(
        name: $0, kind: .photo(PhotoPlan(original: ByteCount(30_000), copy: ByteCount(20_000))))
    }
    #expect(throws: CaptureError.sameFile("p-copy.jpg")) {
      _ = try CaptureMaker(seed: 1).make(plans) { _ in Issue.record("made") }
    }
  }
}
