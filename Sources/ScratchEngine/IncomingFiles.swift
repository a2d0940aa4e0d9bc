import ScratchHTTP

/// The files of one open upload as they come in: the body itself, or the parts of a form.
struct IncomingFiles {
  struct File {
    /// The field of the form, and the file's name on the client.
    var field: String?
    var name: String?
    var type: String
    var count = 0
    /// Nil once it is too large to be kept.
    var bytes: [UInt8]? = []
    /// Of the whole file; nil without digests.
    var sha256: String?
    fileprivate let digest: (any BodyDigest)?
  }

  private(set) var files: [File] = []
  /// Why the body is no form, though it says so.
  private(set) var fault: MultipartFault?
  /// Nil when the body is one file.
  private var reader: MultipartReader?
  /// Bytes that are still kept of all files.
  private var room: Int
  private let makeDigest: DigestMaker?

  /// - Parameters:
  ///   - type: The Content-Type of the request.
  ///   - keptMax: Bytes that are kept of all files together.
  ///   - declared: Bytes of the body, if its length is declared.
  ///   - digest: Makes a fresh SHA-256 for each file.
  init(_ type: String?, keptMax: Int, declared: Int?, digest: DigestMaker?) {
    room = keptMax
    makeDigest = digest
    let media = FieldParameters(type ?? "")
    guard media.value.hasPrefix("multipart/") else {
      var file = File(type: type ?? "application/octet-stream", digest: digest?())
      // What will not be kept to its end is not kept until then.
      if declared ?? 0 > keptMax { file.bytes = nil }
      files = [file]
      return
    }
    do throws(MultipartFault) {
      reader = try MultipartReader(media)
    } catch {
      fault = error
    }
  }

  var isForm: Bool { reader != nil || fault != nil }

  /// Of the only file, or of the digests of all; nil when there is none, or it is no form.
  var sha256: String? {
    guard fault == nil, let first = files.first else { return nil }
    guard files.count > 1 else { return first.sha256 }
    let digest = makeDigest?()
    for file in files { digest?.update(ArraySlice((file.sha256 ?? "").utf8)) }
    return digest?.finish()
  }

  /// Of each part of a form that came whole, its fields among them.
  var digests: [String] { fault == nil && isForm ? files.compactMap(\.sha256) : [] }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard isForm else { return add(bytes) }
    guard fault == nil else { return }
    reader?.append(bytes)
    do throws(MultipartFault) {
      while let event = try reader?.next() {
        switch event {
        case .part(let fields): begin(fields)
        case .body(let bytes): add(bytes)
        case .partEnd: endFile()
        }
      }
    } catch {
      fail(error)
    }
  }

  /// The body has ended.
  mutating func finish() {
    guard isForm else { return endFile() }
    guard fault == nil else { return }
    do throws(MultipartFault) {
      try reader?.finish()
    } catch {
      fail(error)
    }
  }

  private mutating func begin(_ fields: [HeaderField]) {
    let disposition = FieldParameters(fields.first("Content-Disposition") ?? "")
    files.append(
      File(
        field: disposition["name"], name: disposition["filename"],
        // RFC 7578 section 4.4.
        type: fields.first("Content-Type") ?? "text/plain", digest: makeDigest?()))
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    let last = files.count - 1
    files[last].count += bytes.count
    files[last].digest?.update(bytes)
    guard let kept = files[last].bytes?.count else { return }
    if bytes.count <= room {
      files[last].bytes? += bytes
      room -= bytes.count
    } else {
      files[last].bytes = nil
      room += kept
    }
  }

  private mutating func endFile() {
    let last = files.count - 1
    files[last].sha256 = files[last].digest?.finish()
  }

  private mutating func fail(_ fault: MultipartFault) {
    self.fault = fault
    files = []
  }
}
