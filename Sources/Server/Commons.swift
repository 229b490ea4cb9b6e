// What all shards of a server share.
//
// Immutable but for the directory, the budgets, the tally and the group commit, which guard themselves; any thread may hold it.
import Game
import MadangProtocol
import Net
import Store

final class Commons: Sendable {
  let configuration: ServerConfiguration
  let directory: Directory
  let budgets: Budgets
  let store: any Store
  let schools: SchoolCatalogue
  let tally: SharedTally
  let commits: GroupCommit
  /// By which time things expire.
  let expiry: ExpiryClock
  let passwords: PasswordDesk
  let metrics: ServerMetrics
  let pictures = QRPictures()
  let departures = Departures()
  /// Nil where no pages are served.
  let pages: WebPages?
  private let joinBase: String

  /// Reads the pages; `address` is where the server listens.
  ///
  /// - Throws: `StartFailure` when a page is missing or can't be read.
  init(
    _ configuration: ServerConfiguration,
    _ store: any Store,
    _ restoration: Restoration,
    on address: SocketAddress,
    clock: any Clock
  ) throws(StartFailure) {
    self.configuration = configuration
    self.store = store
    schools = restoration.schools
    tally = SharedTally(restoration.tally, hasLost: restoration.hasLostTaps, restoration.schools)
    budgets = Budgets(limitsLoopback: configuration.netLimits.limitsLoopback)
    passwords = PasswordDesk(budgets)
    directory = Directory(
      random: configuration.random,
      limits: RoomLimits(
        inAll: configuration.roomsMax,
        ofPlayer: Limits.openRoomsForPlayer,
        ofAddress: Limits.openRoomsForAddress,
        limitsLoopback: configuration.netLimits.limitsLoopback
      )
    )
    metrics = ServerMetrics(factory: configuration.metrics)
    expiry = ExpiryClock(
      configuration.clockRecord,
      lastAliveAt: restoration.lastAliveAt,
      acceptsClock: configuration.acceptsClock,
      clock: clock
    )
    commits = GroupCommit(store, tally, metrics, expiry, clock: clock)
    if let folder = configuration.webRoot { pages = try WebPages(folder: folder) } else { pages = nil }
    joinBase = configuration.publicURL ?? "\(configuration.entrance.certificate == nil ? "http" : "https")://\(address)"
  }

  /// Where a room's QR leads.
  func joinLink(_ code: RoomCode) -> JoinLink { JoinLink(base: joinBase, code: code) }

  /// The seed of a new room's random numbers.
  func drawSeed() -> UInt64 { UInt64(drawnBy: configuration.random) }

  /// What a new session is proved by.
  func drawToken() -> SessionToken { SessionToken(drawnBy: configuration.random) }

  /// The identifier of a new player.
  func drawPlayer() -> PlayerID { PlayerID(UInt128(drawnBy: configuration.random)) }

  /// The identifier of a new room.
  func drawRoom() -> RoomID { RoomID(UInt128(drawnBy: configuration.random)) }

  /// Tells the operator.
  func tell(_ news: OperatorNews) { configuration.tellOperator(news) }

  /// Tells the operator that nothing can be committed.
  func report(_ failure: StoreFailure) {
    tell(.storeFails("\(failure)"))
  }

  /// Tells the operator that the store works again.
  func reportRecovery() {
    tell(.storeWorks)
  }
}
