/// Why captures could not be made, read or written.
package enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name that cannot be a file name.
  case badName(String)
  /// Two captures that would write the same file.
  case sameFile(String)
  /// A time that is not RFC 3339 with an offset and whole seconds.
  case badTime(String)
  /// A place outside the globe, or 0, 0, which readers take for no position.
  case badPlace(latitude: Double, longitude: Double)
  /// Too few or too many photos of a plate.
  case badPlate(String, photos: Int)
  /// A size below what can be made; the smallest that can be, in bytes.
  case tooSmall(file: String, asked: Int, smallest: Int)
  /// A size above what can be made; the largest that can be, in bytes.
  case tooLarge(file: String, asked: Int, largest: Int)
  /// No share of grain brings the file to its size; not seen so far.
  case notReached(file: String, asked: Int)
  /// TurboJPEG refused; its own words.
  case jpeg(String)
  /// `captures.json` is not what it should be: where, and what is wrong there.
  case badTruth(place: String, cause: String)
  /// A file of the folder could not be read or written.
  case folder(path: String, cause: String)

  package var description: String {
    switch self {
    case .badName(let name):
      "capture name \"\(name)\" cannot be a file name; use up to \(CaptureName.longest) letters, "
        + "digits, dots, dashes and underscores, not starting with a dot or a dash"
    case .sameFile(let file):
      "two captures would both write \(file); rename one of them"
    case .badTime(let text):
      "\"\(text)\" is not a time with an offset; write it as 2026-05-04T19:12:33+02:00"
    case .badPlace(let latitude, let longitude):
      "place \(latitude), \(longitude) cannot be written into a photo; give a latitude from -90 to "
        + "90 and a longitude from -180 to 180, not both 0"
    case .badPlate(let name, let photos):
      "\(name) cannot be a plate of \(photos); a plate has \(PlatePlan.count.lowerBound) to "
        + "\(PlatePlan.count.upperBound) photos"
    case .tooSmall(let file, let asked, let smallest):
      "\(file) cannot be made as small as \(asked) bytes; the smallest is \(smallest) bytes"
    case .tooLarge(let file, let asked, let largest):
      "\(file) cannot be made as large as \(asked) bytes; the largest is \(largest) bytes"
    case .notReached(let file, let asked):
      "\(file) cannot be brought to exactly \(asked) bytes; ask for a size some percent off"
    case .jpeg(let cause):
      "this JPEG cannot be worked on: \(cause)"
    case .badTruth(let place, let cause):
      "\(CaptureSet.fileName): \(place): \(cause); make the captures again"
    case .folder(let path, let cause):
      "\(path): \(cause)"
    }
  }
}
