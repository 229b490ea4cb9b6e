// What all shards of a server share.
//
// Immutable but for the directory, which guards itself; any thread may hold it.
import MadangProtocol
import Net

final class Commons: Sendable {
  let configuration: ServerConfiguration
  let directory: Directory
  let pages: PageTemplates
  private let joinBase: String

  /// Reads the pages; `address` is where the server listens.
  ///
  /// - Throws: `StartFailure` when a page is missing.
  init(_ configuration: ServerConfiguration, on address: SocketAddress) throws(StartFailure) {
    self.configuration = configuration
    directory = Directory(random: configuration.random)
    pages = try PageTemplates(folder: configuration.webRoot)
    joinBase = configuration.publicURL ?? "\(configuration.entrance.certificate == nil ? "http" : "https")://\(address)"
  }

  /// Where a room's QR leads.
  func joinLink(_ code: RoomCode) -> JoinLink { JoinLink(base: joinBase, code: code) }

  /// The seed of a new room's random numbers.
  func drawSeed() -> UInt64 { UInt64(drawnBy: configuration.random) }
}
