import Captures
import JSON
import Quantities
import Reports
import UploadAdapters
import Uploads

struct ClientAddCommand: CommandLineCommand {
  let command = Command(
    ["client", "add"],
    help: """
      usage: onebar client add FILE|FOLDER... --outbox DIR [OPTIONS]

      Keeps JPEG photos, PDF and Word documents in an outbox: copied, synced and safe when
      its line is printed, whether or not an engine is there, and while a drain is at work.
      Of a folder all photos are taken (*.jpg, *.jpeg), in the order of their names. A
      photo gets a smaller copy (2,048 pixels at most, with its EXIF data, not turned) that
      is sent first; one that cannot be decoded is kept without. When and where it was
      taken is the photo's own word, else now and --place.

        --outbox DIR      the folder of the outbox; made when missing
        --note TEXT       a note for each of them
        --place LAT,LON   where they were taken, for those that do not say it themselves
        --plate           all of them are one capture: photos that are staged one by one, and
                          then put together; as a whole or not at all
        --again           keeps a file also when the outbox has it already
        --json            a line of JSON for each file

      A file that is in the outbox already is left out; one that has landed is not known any
      more. A file is at most 4 GB here, and 64 MB for onebar engine. For names that begin
      with a dash: onebar client add --outbox DIR -- FILE

      exit codes: 0 all are kept, 1 a file was refused, 2 nothing could be done

      example
        onebar client add photos report.pdf --outbox outbox --place 48.8583,2.2945
      """,
    options: [
      .value("--outbox"), .value("--note"), .value("--place"), .flag("--plate"), .flag("--again"),
      .flag("--json"),
    ], argument: "FILE", argumentCount: 1...Outbox.defaultEntriesMax)

  func run(_ arguments: Arguments) async throws -> ExitCode {
    let folder = try ClientByHand.outbox(arguments, of: "add")
    let place = try arguments.value("--place", Self.place)
    let client = ClientByHand()
    var known: OutboxContent
    var outbox: Outbox
    do throws(FileSystemError) {
      if try Outbox.nature(of: folder, on: client.files) == .stranger {
        throw FileSystemError(
          path: folder,
          cause: .other("it holds other files and is no outbox; name an empty or a new folder"))
      }
      try Outbox.make(folder, on: client.files)
      outbox = try Outbox.join(
        folder, on: client.files, mint: client.mint, digest: { SHA256Digest() })
      known = OutboxContent(try Outbox.survey(folder, on: client.files).entries)
    } catch {
      Terminal.complain(ClientByHand.line("\(error)"))
      return .usage
    }
    let view = AddView(isJSON: arguments.has("--json"))
    let files = FilesToAdd(arguments.positional, on: client.files)
    let intake = FileIntake(fileSystem: client.files, timeZone: client.timeZone)
    let note = arguments.value("--note") ?? ""
    let isPlate = arguments.has("--plate")
    // Of a plate nothing is kept unless all of it can be.
    let captures =
      isPlate ? (files.refused.isEmpty ? [files.paths] : []) : files.paths.map { [$0] }
    for paths in captures {
      let path = paths.first ?? ""
      do {
        if !isPlate, !arguments.has("--again"),
          let entry = try known.entry(like: path, on: client.files)
        {
          view.has(path, entry)
          continue
        }
        let name = known.freeName(for: path)
        let taken =
          isPlate
          ? try intake.takePlate(paths, as: name, note: note, place: place)
          : try intake.take(path, as: name, note: note, place: place)
        let start = client.clock.now
        let entry = try await Outbox.add(taken.draft, to: &outbox, clock: client.clock)
        known.insert(entry)
        view.kept(path, entry, taken, client.clock.now - start)
      } catch {
        view.refused(path, "\(error)")
      }
    }
    for (path, reason) in files.refused { view.refused(path, reason) }
    view.end(passedOver: files.passedOver)
    return view.refusals == 0 ? .passed : .failed
  }

  private static func place(_ text: String) throws(QuantityError) -> Place {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.drop { $0 == " " })
    }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      latitude.magnitude <= 90, longitude.magnitude <= 180
    else {
      throw QuantityError("\"\(text)\" is no place; write it as 48.8583,-2.2945")
    }
    return Place(latitude: latitude, longitude: longitude)
  }
}
