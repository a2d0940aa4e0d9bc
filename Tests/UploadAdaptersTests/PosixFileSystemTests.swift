import Glibc
import Testing
import Uploads

@testable import UploadAdapters

struct PosixFileSystemTests {
  let files = PosixFileSystem()
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  func mode(_ path: String) -> mode_t {
    var status = stat()
    stat(path, &status)
    return status.st_mode & 0o777
  }

  func error(_ path: String, _ cause: FileSystemError.Cause) -> FileSystemError {
    FileSystemError(path: path, cause: cause)
  }

  @Test func `folders are made with those above them, and once more without an error`() throws {
    let path = scratch.file("a/b/c")
    try files.makeFolder(path)
    try files.makeFolder(path)
    #expect(mode(path) == 0o700)
    #expect(try files.list(scratch.path) == ["a"])
    try files.create(scratch.file("file"), [])
    #expect(throws: error(scratch.file("file"), .exists)) {
      try files.makeFolder(scratch.file("file"))
    }
    #expect(throws: error(scratch.file("file"), .exists)) {
      try files.makeFolder(scratch.file("file/x"))
    }
  }

  @Test func `names are listed in the order of their bytes`() throws {
    for name in ["b", "Z", "a", "é", ".hidden", "a1"] { try files.create(scratch.file(name), []) }
    #expect(try files.list(scratch.path) == [".hidden", "Z", "a", "a1", "b", "é"])
    #expect(throws: error(scratch.file("none"), .notFound)) { try files.list(scratch.file("none")) }
  }

  @Test func `a file is created once, for its owner only, and read in pieces`() throws {
    let path = scratch.file("file")
    #expect(try files.size(of: path) == nil)
    try files.create(path, pattern(100_000))
    #expect(mode(path) == 0o600)
    #expect(try files.size(of: path) == 100_000)
    #expect(try files.read(path, from: 0, count: .max) == pattern(100_000))
    #expect(
      try files.read(path, from: 99_000, count: 500) == Array(pattern(100_000)[99_000..<99_500]))
    #expect(try files.read(path, from: 99_999, count: 500) == [pattern(100_000)[99_999]])
    #expect(try files.read(path, from: 200_000, count: 500) == [])
    #expect(throws: error(path, .exists)) { try files.create(path, [1]) }
    #expect(throws: error(scratch.file("none"), .notFound)) {
      try files.read(scratch.file("none"), from: 0, count: 1)
    }
    #expect(throws: error(scratch.file("none/file"), .notFound)) {
      try files.create(scratch.file("none/file"), [])
    }
  }

  @Test func `a copy has the bytes and a mode of its own, and replaces nothing`() throws {
    let (source, copy) = (scratch.file("source"), scratch.file("copy"))
    try files.create(source, pattern(700_000))
    chmod(source, 0o644)
    try files.copy(source, to: copy)
    #expect(try files.read(copy, from: 0, count: .max) == pattern(700_000))
    #expect(mode(copy) == 0o600)
    #expect(throws: error(copy, .exists)) { try files.copy(source, to: copy) }
    #expect(throws: error(scratch.file("none"), .notFound)) {
      try files.copy(scratch.file("none"), to: scratch.file("other"))
    }
    #expect(throws: error(scratch.path, .other("Is a directory"))) {
      try files.copy(scratch.path, to: scratch.file("other"))
    }
  }

  @Test func `files and folders are synced, renamed over others and removed`() throws {
    let (one, two) = (scratch.file("one"), scratch.file("two"))
    try files.create(one, [1])
    try files.create(two, [2])
    try files.sync(one)
    try files.rename(one, to: two)
    try files.sync(scratch.path)
    #expect(try files.list(scratch.path) == ["two"])
    #expect(try files.read(two, from: 0, count: 9) == [1])
    try files.remove(two)
    #expect(try files.list(scratch.path) == [])
    #expect(throws: error(two, .notFound)) { try files.remove(two) }
    #expect(throws: error(two, .notFound)) { try files.sync(two) }
    #expect(throws: error(one, .notFound)) { try files.rename(one, to: two) }
  }

  @Test func `a lock excludes others and lasts as long as its holder`() throws {
    let path = scratch.file("lock")
    do {
      let holder = PosixFileSystem()
      try holder.lock(path)
      try holder.lock(path)
      #expect(mode(path) == 0o600)
      #expect(throws: error(path, .locked)) { try files.lock(path) }
    }
    try files.lock(path)
  }

  @Test func `a place where nothing may be made is not permitted`() {
    // The kernel's own tree refuses even root.
    #expect(throws: error("/sys/onebar", .notPermitted)) { try files.create("/sys/onebar", [1]) }
  }

  @Test func `a full device is an error of its own`() throws {
    let full = try OwnedDescriptor(opening: "/dev/full", O_WRONLY)
    let descriptor = full.number
    let failure = #expect(throws: SystemFailure.self) { try writeAll([1, 2], to: descriptor) }
    #expect(FileSystemError("x", try #require(failure)).cause == .noSpace)
  }

  @Test func `a full disk fails a create and a copy, and leaves a part`() throws {
    let path = scratch.file("small")
    try files.makeFolder(path)
    guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else {
      print(
        "no full disk tried: mounting a small one needs root (\(String(cString: strerror(errno))))")
      return
    }
    defer { umount2(path, Int32(MNT_DETACH)) }
    // From one file system to another, too.
    try files.create(scratch.file("little"), pattern(30_000))
    try files.copy(scratch.file("little"), to: "\(path)/little")
    #expect(try files.read("\(path)/little", from: 0, count: .max) == pattern(30_000))
    try files.create(scratch.file("source"), pattern(200_000))
    #expect(throws: error("\(path)/copy", .noSpace)) {
      try files.copy(scratch.file("source"), to: "\(path)/copy")
    }
    let part = try #require(try files.size(of: "\(path)/copy"))
    #expect((1..<200_000).contains(part))
    #expect(throws: error("\(path)/file", .noSpace)) {
      try files.create("\(path)/file", pattern(200_000))
    }
  }
}
