package import Captures
import ScratchEngine

/// Reads photos with libexif and libjpeg-turbo.
package struct JPEGReader: PhotoReader {
  package init() {}

  package func facts(of photo: [UInt8]) -> PhotoFacts {
    PhotoFacts(jpeg: photo)
  }

  package func copy(_ kind: DerivedCopy, of photo: [UInt8]) throws -> [UInt8] {
    try kind.make(of: photo)
  }
}
