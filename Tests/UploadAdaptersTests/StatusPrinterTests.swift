import Glibc
import Testing

@testable import UploadAdapters

struct StatusPrinterTests {
  @Test func `a line is printed whole, and a reader that has gone is no error`() throws {
    var ends: [Int32] = [0, 0]
    try retrying { pipe(&ends) }
    let printer = StatusPrinter(descriptor: ends[1])
    printer.print("Sending a photo: 0.4 of 1.65 MB")
    printer.print("Refused: bad\r\n\u{1b}[2Jthing\u{85}")
    var part = [UInt8](repeating: 0, count: 4_096)
    let count = read(ends[0], &part, part.count)
    #expect(
      String(decoding: part[..<count], as: UTF8.self)
        == "Sending a photo: 0.4 of 1.65 MB\nRefused: bad  [2Jthing \n")
    close(ends[0])
    printer.print("nobody reads this")
    close(ends[1])
  }

  @Test func `a line that is too long is cut between characters`() {
    let bytes = StatusPrinter.bytes(of: String(repeating: "é", count: 4_000))
    #expect(bytes.count <= StatusPrinter.lineBytesMax)
    #expect(bytes.count > StatusPrinter.lineBytesMax - 4)
    #expect(String(validating: bytes, as: UTF8.self)?.hasSuffix("é…\n") == true)
  }
}
