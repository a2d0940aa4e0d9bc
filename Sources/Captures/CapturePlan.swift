package import Quantities

/// What is asked of one capture before it is made.
package struct CapturePlan: Hashable, Sendable {
  /// The name of its files and of its lines in reports, such as `photo-1`.
  package var name: String
  package var kind: Kind

  package enum Kind: Hashable, Sendable {
    case photo(PhotoPlan)
    case document(DocumentPlan)
    case plate(PlatePlan)
  }

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// A photo of an exact size, and its smaller copy of an exact size.
package struct PhotoPlan: Hashable, Sendable {
  package var original: ByteCount
  package var copy: ByteCount
  /// RFC 3339 with offset; nil draws one from the seed.
  package var taken: String?
  package var place: Place?

  package init(original: ByteCount, copy: ByteCount, taken: String? = nil, place: Place? = nil) {
    self.original = original
    self.copy = copy
    self.taken = taken
    self.place = place
  }
}

/// A PDF of about a size, with text from the seed.
package struct DocumentPlan: Hashable, Sendable {
  package var size: ByteCount

  package init(size: ByteCount) {
    self.size = size
  }
}

/// Several photos of one exact size that belong together, without copies.
package struct PlatePlan: Hashable, Sendable {
  /// Fewer make no plate; more than the most the engine does not take in one.
  package static let count = 2...64

  package var photos: Int
  package var size: ByteCount
  /// RFC 3339 with offset, of all photos; nil draws one from the seed.
  package var taken: String?
  package var place: Place?

  package init(photos: Int, size: ByteCount, taken: String? = nil, place: Place? = nil) {
    self.photos = photos
    self.size = size
    self.taken = taken
    self.place = place
  }
}

/// A position in degrees; north and east are positive.
package struct Place: Hashable, Sendable, Codable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  private enum CodingKeys: String, CodingKey {
    case latitude = "lat"
    case longitude = "lon"
  }
}
