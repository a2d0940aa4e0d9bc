import Foundation

/// The program `curl`, as people use it by hand.
struct Curl {
  struct Ending: Equatable {
    /// Of the program; 0 also for a refusal.
    var code: Int32
    /// Of the last answer.
    var status: Int
    var body: String
    var seconds: Double
  }

  /// It is in scripts/setup; where it is not, its tests are left out.
  static let isThere = FileManager.default.isExecutableFile(atPath: path)
  private static let path = "/usr/bin/curl"
  /// No test waits longer for it.
  private static let secondsMax = 20

  let url: String
  let folder: URL
  private let certificate: URL?

  /// Makes a folder with what it is to send.
  init(to server: ServerFixture, sending bytes: [UInt8]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "onebar-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appending(path: "photo.jpg"))
    url = "\(server.certificate == nil ? "http" : "https")://localhost:\(server.port)"
    certificate = server.certificate == nil ? nil : folder.appending(path: "engine.pem")
    if let certificate, let pem = server.certificate {
      try Data(pem.utf8).write(to: certificate)
    }
  }

  func remove() {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs it in its folder; a path is one of the server.
  func run(_ words: [String], to path: String) throws -> Ending {
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: Self.path)
    process.currentDirectoryURL = folder
    process.arguments =
      ["-q", "-sS", "-4", "--noproxy", "*", "--max-time", "\(Self.secondsMax)"]
      + (certificate.map { ["--cacert", $0.path] } ?? []) + words
      + ["-w", "\n%{http_code} %{time_total}", url + path]
    process.standardInput = try FileHandle(
      forReadingFrom: folder.appending(path: "photo.jpg"))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let lines = String(decoding: try Data(contentsOf: output), as: UTF8.self)
      .components(separatedBy: "\n")
    let figures = (lines.last ?? "").split(separator: " ")
    return Ending(
      code: process.terminationStatus, status: figures.first.flatMap { Int($0) } ?? 0,
      body: lines.dropLast().joined(separator: "\n"),
      seconds: figures.last.flatMap { Double($0) } ?? 0)
  }
}
