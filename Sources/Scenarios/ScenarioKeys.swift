import Captures
import Quantities
import ScratchEngine
import Uploads

// The keys of the scenario format, section by section: one description for the decoder, for the
// suggestions and for the JSON Schema. To add a key, add a field here, list it, and take it.

/// The keys of the file itself.
enum ScenarioKeys {
  static let name = Field(
    "name", .text(example: "The copy that never landed"), required: true,
    "What the scenario is called in every report.")
  static let seed = Field(
    "seed", .whole(0...UInt64.max, example: "7"), required: true,
    "Everything random is drawn from it: equal seeds make equal photos and ids.")
  static let horizon = Field(
    "horizon", .duration(ScenarioLimits.horizon, example: "900 s"), required: true,
    "The run ends here at the latest, in link seconds.")
  static let link = Field(
    "link", LinkKeys.reading, required: true,
    "The path between client and engine, shared by all connections.")
  static let captures = Field(
    "captures", .list(of: CaptureKeys.reading.placed, count: 1...ScenarioLimits.captures),
    required: true, "What the user saves, and when.")
  static let engine = Field(
    "engine", EngineKeys.reading, "What the engine does apart from storing.")
  static let acts = Field(
    "acts", .list(of: ActKeys.reading, count: 0...ScenarioLimits.acts),
    "What is done to the client and its device, in the order of time.")
  static let variants = Field(
    "variants",
    Reading<[NamedItem<TestedClient>]>.named(
      VariantKeys.reading, count: 1...ScenarioLimits.variants, keyPattern: identifierPattern
    ) { isIdentifier($0) ? nil : .notIdentifier($0) },
    required: true, "The clients that are put under the same conditions, each by its name.")
  static let expect = Field(
    "expect",
    Reading<[NamedItem<[ExpectationDraft]>]>.named(
      MeasureKeys.reading, count: 0...ScenarioLimits.variants, keyPattern: identifierPattern
    ) { _ in nil },
    "What has to come out, for each variant.")

  static let reading = Reading<ScenarioDraft>.record([
    name.known, seed.known, horizon.known, link.known, captures.known, engine.known, acts.known,
    variants.known, expect.known,
  ]) { record in
    ScenarioDraft(
      name: record.take(name), seed: record.take(seed), horizon: record.take(horizon),
      link: record.take(link), captures: record.take(captures), engine: record.take(engine),
      acts: record.take(acts), variants: record.take(variants), expect: record.take(expect))
  }
}

/// A file as far as it could be read, before its values are checked against each other.
struct ScenarioDraft {
  var name: String?
  var seed: UInt64?
  var horizon: Duration?
  var link: LinkDraft?
  var captures: [Placed<CaptureDraft>?]?
  var engine: EngineDraft?
  var acts: [ActDraft?]?
  var variants: [NamedItem<TestedClient>]?
  var expect: [NamedItem<[ExpectationDraft]>]?
}

struct CaptureDraft {
  var name: Placed<String>?
  var kind: CapturePlan.Kind?
  var at: Placed<Duration>?
}

/// The keys of one item of `captures`.
enum CaptureKeys {
  static let photo = Field("photo", PhotoKeys.reading, "A JPEG of an exact size, and its copy.")
  static let document = Field(
    "document", .size(ScenarioLimits.document, example: "400 KB"),
    "A PDF of about this size.")
  static let plate = Field(
    "plate", PlateKeys.reading,
    "Photos that belong together: each is sent under its own id, then one encounter names them.")
  static let at = Field(
    "at",
    Reading<Duration>.duration(
      Duration.zero...ScenarioLimits.horizon.upperBound, example: "0 s"
    ).placed,
    required: true, "When the device has it safe: saving is done by then.")
  static let name = Field(
    "name", Reading<String>.identifier.placed,
    "The name in reports; photo-1, photo-2, document-1, plate-1 in order when it is left out.")

  static let reading = Reading<CaptureDraft>.record(
    [photo.known, document.known, plate.known, at.known, name.known],
    oneOf: ["photo", "document", "plate"]
  ) { record in
    var draft = CaptureDraft(name: record.take(name), at: record.take(at))
    let photo = record.take(photo)
    let document = record.take(document)
    let plate = record.take(plate)
    if let photo {
      draft.kind = .photo(photo)
    } else if let document {
      draft.kind = .document(DocumentPlan(size: document))
    } else if let plate {
      draft.kind = .plate(plate)
    }
    return draft
  }
}

/// The keys of `photo`.
enum PhotoKeys {
  static let original = Field(
    "original", .size(ScenarioLimits.photo, example: "4.31 MB"), required: true,
    "The photo as the camera wrote it, to keep.")
  static let copy = Field(
    "copy", Reading<ByteCount>.size(ScenarioLimits.photo).placed, required: true,
    "The smaller copy that is sent first, so that reading can start.")
  static let taken = Field(
    "taken", .moment, "The camera's own clock; drawn from the seed when it is left out.")
  static let place = Field(
    "place",
    Reading<[Double?]>(schema: coordinates.schema, read: coordinates.read),
    "Latitude and longitude in degrees; north and east are positive.")

  private static let latitude = Reading<Double>.degrees(-90...90)
  private static let longitude = Reading<Double>.degrees(-180...180)
  private static let coordinates = Reading<[Double?]>(
    schema: .list(.degrees, count: 2...2)
  ) { node, problems in
    guard case .sequence(let nodes) = node.content, nodes.count == 2 else {
      return Reading.list(of: latitude, count: 2...2).read(node, &problems)
    }
    return [latitude.read(nodes[0], &problems), longitude.read(nodes[1], &problems)]
  }

  static let reading = Reading<PhotoPlan>.record([
    original.known, copy.known, taken.known, place.known,
  ]) { record in
    let original = record.take(original)
    let copy = record.take(copy)
    let taken = record.take(taken)
    let place = Place(record.take(place))
    guard let original, let copy else { return nil }
    if copy.value >= original {
      record.problems.add(
        .copyNotSmaller(copy: copy.value, original: original), at: copy.mark)
    }
    return PhotoPlan(original: original, copy: copy.value, taken: taken, place: place)
  }
}

extension Place {
  /// Nil unless both of the degrees could be read.
  fileprivate init?(_ degrees: [Double?]?) {
    guard let latitude = degrees?.first ?? nil, let longitude = degrees?.last ?? nil else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// The keys of `plate`; time and place are those of all its photos.
enum PlateKeys {
  static let photos = Field(
    "photos", .whole(ScenarioLimits.platePhotos, example: "3"), required: true,
    "How many there are.")
  static let size = Field(
    "size", .size(ScenarioLimits.photo, example: "1.65 MB"), required: true,
    "Of each of them; none has a copy.")

  static let reading = Reading<PlatePlan>.record([
    photos.known, size.known, PhotoKeys.taken.known, PhotoKeys.place.known,
  ]) { record in
    let photos = record.take(photos)
    let size = record.take(size)
    let taken = record.take(PhotoKeys.taken)
    let place = Place(record.take(PhotoKeys.place))
    guard let photos, let size else { return nil }
    return PlatePlan(photos: Int(photos), size: size, taken: taken, place: place)
  }
}
