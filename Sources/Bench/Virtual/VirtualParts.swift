import Captures
import EngineServer
package import LinkModel
package import Quantities
package import ScratchEngine
package import Uploads

/// Puts a line and its claim in the place of what a client would show at a time; nil keeps the line
/// back.
package typealias LineTelling = (String, LineClaim, Instant) -> (text: String, claim: LineClaim)?

/// What a variant's virtual world is built of: the real parts, unless others are put in their place.
///
/// That is how client, engine or link are broken on purpose, so that whatever judges them can be
/// tried: a scenario and its record go on saying what was declared.
package struct VirtualParts {
  /// The settings that the client goes by.
  package var policy: (UploadPolicy) -> UploadPolicy = { $0 }
  /// What its files are kept by; asked for in each of its lives, before what its requests go out on.
  package var fileSystem: (any FileSystem) -> any FileSystem = { $0 }
  package var transport: (any Transport) -> any Transport = { $0 }
  package var telling: LineTelling = { text, claim, _ in (text, claim) }
  /// What the link does.
  package var link: (LinkConditions) -> LinkConditions = { $0 }
  package var engine: (EngineScript, SeededRandom) -> Engine = { script, random in
    Engine(script: script, photos: JPEGReader(), random: random) { SHA256Digest() }
  }

  package init() {}
}
