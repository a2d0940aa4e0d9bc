import Quantities
import Uploads

/// The client's transport in the virtual world: its requests go out on the simulated network.
struct VirtualTransport: Transport {
  private let network: OnVirtualThread<VirtualNetwork>
  private let disk: any FileSystem
  private let life: ClientLife

  init(_ network: VirtualNetwork, disk: any FileSystem, life: ClientLife) {
    self.network = OnVirtualThread(network)
    self.disk = disk
    self.life = life
  }

  func begin(_ request: OutgoingRequest) -> any Exchange {
    // Unbounded, because each event stands for a packet of a body or of an answer, both of which
    // have limits, and none may be lost.
    let (events, continuation) = AsyncStream.makeStream(of: ExchangeEvent.self)
    var begun: OnVirtualThread<VirtualExchange>?
    if life.isOver {
      continuation.finish()
    } else {
      do throws(TransportFailure) {
        let exchange = VirtualExchange(
          request, body: try bytes(of: request.body), events: continuation, network: network.part)
        network.part.begin(exchange)
        begun = OnVirtualThread(exchange)
      } catch {
        continuation.yield(.failed(error))
        continuation.finish()
      }
    }
    return BegunExchange(events: events, exchange: begun)
  }

  /// A file is read as a whole; it has to have the length that the request says.
  private func bytes(of body: OutgoingRequest.Body) throws(TransportFailure) -> [UInt8] {
    switch body {
    case .none: return []
    case .bytes(let bytes, _): return bytes
    case .file(let path, let count, _):
      let bytes: [UInt8]
      do throws(FileSystemError) {
        let length = try disk.size(of: path) ?? 0
        guard length == count else {
          throw FileSystemError(
            path: path, cause: .other("has \(length) bytes, and had \(count)"))
        }
        bytes = try disk.read(path, from: 0, count: count)
      } catch {
        throw .file(error.description)
      }
      return bytes
    }
  }
}

/// The client's end of one exchange.
private struct BegunExchange: Exchange {
  let events: AsyncStream<ExchangeEvent>
  /// Nil when it never went out.
  let exchange: OnVirtualThread<VirtualExchange>?

  func count() {
    exchange?.part.count()
  }

  func cut(_ way: UploadPolicy.Cut) {
    exchange?.part.cut(way)
  }
}
