import EngineServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// An engine with a folder, stopped and started again.
@Suite(.timeLimit(.minutes(1)))
struct StoreFolderTests {
  private let path = ServerFixture.path
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private var store: String { "\(folder.path)/store" }
  private var moment: String { "\(store)/\(ServerFixture.moment)" }

  /// Stores a record, a copy and its turn.
  private func fill() throws {
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
    #expect(talk.ask("POST", "\(path)/turns", ServerFixture.turn)?.status == 200)
  }

  private func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { Array($0) }
  }

  private func change(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func failure() -> String? {
    do {
      let server = try ServerFixture(store: store)
      server.stop()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// What an engine that is given the folder says of it.
  private func complaints() throws -> [String] {
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    return server.complaints.values
  }

  @Test func `what was stored is in files, and there again for the next engine`() throws {
    try fill()
    #expect(bytes("\(moment)/record.json") == Array(ServerFixture.record.utf8))
    #expect(bytes("\(moment)/media-c1") == Array("abc".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store).sorted()
        == [ServerFixture.moment, "index.jsonl"])
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("GET", "\(path)/media/c1")?.body == "abc")
    #expect(talk.ask("GET", path)?.body.contains(#""answer":"I have read 3 bytes"#) == true)
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 200)
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "other")?.status == 422)
    #expect(talk.ask("PUT", "\(path)/media/c2?role=original", "more")?.status == 201)
  }

  @Test func `ids that are names of their own in a folder stay within it`() throws {
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    for id in ["..", ".", "record.json", "%2e%2e"] {
      _ = talk.ask("PUT", "\(path)/media/\(id)?role=copy", "x \(id)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
    #expect(bytes("\(moment)/record.json") == Array(ServerFixture.record.utf8))
  }

  @Test func `an engine killed while it wrote leaves a folder that the next one takes`() throws {
    try fill()
    let index = try #require(bytes("\(store)/index.jsonl"))
    // The last line is not whole, and a file was not renamed.
    try change("\(store)/index.jsonl", index.dropLast(10))
    try change("\(store)/aside.part", [1, 2])
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("GET", path)?.body.contains(#""turns":[]"#) == true)
    #expect(talk.ask("POST", "\(path)/turns", ServerFixture.turn)?.body.contains("false") == true)
    // The turn is stored anew, later, under its own name.
    let lines = try #require(bytes("\(store)/index.jsonl")).split(separator: UInt8(ascii: "\n"))
    #expect(
      lines.count == 3
        && lines.dropLast().elementsEqual(index.split(separator: UInt8(ascii: "\n")).dropLast()))
    #expect(String(decoding: lines[2], as: UTF8.self).contains("/request-3"))
    #expect(!FileManager.default.fileExists(atPath: "\(store)/aside.part"))
  }

  @Test func `a damaged file is set aside by name, with what depends on it, and the rest is there`()
    throws
  {
    try fill()
    let index = try #require(bytes("\(store)/index.jsonl"))
    try change("\(moment)/media-c1", Array("abd".utf8))
    let turn = "\(moment)/request-3"
    #expect(
      try complaints() == [
        "PUT \(path)/media/c1?role=copy is not stored any more: \(moment)/media-c1: it is not what was"
          + " stored, its SHA-256 differs; it is set aside as \(moment)/media-c1.damaged",
        "POST \(path)/turns is not stored any more: \(turn): the engine does not take it without what"
          + " was before it; it is set aside as \(turn).damaged",
        "the index as it was is in \(store)/index.jsonl.damaged",
      ])
    #expect(bytes("\(moment)/media-c1.damaged") == Array("abd".utf8))
    #expect(bytes("\(store)/index.jsonl.damaged") == index)
    #expect(try complaints() == [])
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 200)
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
  }

  @Test func `a file that is gone and a line that is none are told and left out`() throws {
    try fill()
    let index = try #require(bytes("\(store)/index.jsonl"))
    try change("\(store)/index.jsonl", Array("{}\n".utf8) + index)
    #expect(
      try complaints() == [
        "\(store)/index.jsonl:1: this line is no entry; it is left out",
        "the index as it was is in \(store)/index.jsonl.damaged",
      ])
    #expect(bytes("\(store)/index.jsonl") == index)
    unlink("\(moment)/request-3")
    #expect(
      try complaints() == [
        "POST \(path)/turns is not stored any more: \(moment)/request-3: No such file or directory",
        "the index as it was is in \(store)/index.jsonl.damaged-2",
      ])
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    #expect(try server.talk().ask("GET", "\(path)/media/c1")?.body == "abc")
  }

  @Test func `open files are files, and there again for the next engine`() throws {
    let first = try ServerFixture(store: store)
    let talk = try first.talk()
    #expect(talk.ask("PUT", "/files/a/b", "hello")?.status == 201)
    #expect(talk.ask("POST", "/files/in", "posted")?.status == 201)
    let list = talk.ask("GET", "/files")?.body
    first.stop()
    #expect(bytes("\(store)/file-1") == Array("hello".utf8))
    let second = try ServerFixture(store: store)
    defer { second.stop() }
    let again = try second.talk()
    #expect(again.ask("GET", "/files")?.body == list)
    #expect(again.ask("GET", "/files/a/b")?.body == "hello")
    #expect(again.ask("POST", "/files/in", "posted")?.status == 200)
    #expect(again.ask("PUT", "/files/c", "more")?.status == 201)
    #expect(bytes("\(store)/file-3") == Array("more".utf8))
  }

  @Test func `one engine at a time keeps its store in a folder`() throws {
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    #expect(failure() == "another engine keeps its store in \(store)")
  }

  @Test func `what the folder does not take is answered 507 and told, and the engine goes on`()
    throws
  {
    let server = try ServerFixture(store: store)
    defer { server.stop() }
    // A file where the moment's folder belongs.
    try change(moment, [])
    let talk = try server.talk()
    let refused = try #require(talk.ask("PUT", path, ServerFixture.record))
    #expect(refused.status == 507)
    #expect(refused.body.contains("does not take it: Not a directory"))
    #expect(
      server.complaints.values == [
        "PUT \(path) is not kept: renaming to \(moment)/record.json: Not a directory"
      ])
    unlink(moment)
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
  }
}

/// A folder that is removed at the end of its life.
private final class ScratchFolder {
  let path: String

  struct CannotMake: Error {}

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/onebar-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CannotMake() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
