// The parts of the server that all its shards share: the gateway's, and those of features.
//
// Immutable but for parts that guard themselves; any thread may hold it.
import CoreMetrics
import Game
import Gateway
import MadangProtocol
import Net
import Store
import Synchronization

final class ServerContext: Sendable {
  let configuration: ServerConfiguration
  let gateway: GatewayContext
  /// The listener's.
  let address: SocketAddress
  // Rooms.
  let openRooms: OpenRooms
  let promisedLoads = PromisedLoads()
  let erasures = RoomErasures()
  let roomMetrics: RoomMetrics
  let joinBase: JoinOrigin
  // Accounts.
  let passwords: HashingQueue
  // School taps.
  let tally: SharedTally
  // Places.
  let presences = Presences()
  let fences: SharedFences
  let capsuleTotals = CapsuleTotals()
  // Moderation.
  let moderationTotals = ModerationTotals()
  // Countries.
  let countries = CountryCatalogue.shipped
  // Media.
  let media: SharedMedia
  // Photos.
  let photos: SharedPhotos
  // Map.
  /// Nil where there is no map.
  let map: SharedMap?
  // Webhooks.
  let webhooks: SharedWebhooks
  // Records.
  /// Replays games for proposals of lands. Each that waits keeps one message of a player.
  let proposals = BoundedQueue("madang.proposals", waitingMax: 16)
  // Tracks.
  /// Replays games for their players. Each that waits keeps one message of a player.
  let tracks = BoundedQueue("madang.playerTracks", waitingMax: 16)
  let keptTracks = KeptTracks()
  let sharedTracks = SharedTracks()
  // Operations.
  /// Surveys lands and makes catalogues of schools. Each import that waits keeps one message of an operator.
  let imports = BoundedQueue("madang.imports", waitingMax: 8)
  /// The number of changes of lands by operators: consoles read them anew then.
  let landChanges = Atomic<UInt64>(0)
  // Pages.
  let pictures: QRPictures
  /// Nil where no pages are served.
  let pages: WebPages?

  /// Reads the pages and opens the map; `address` is the listener's.
  ///
  /// - Throws: `StartFailure` when a page is missing or can't be read, or the map can't.
  init(
    _ configuration: ServerConfiguration,
    _ store: any Store,
    _ restoration: Restoration,
    on address: SocketAddress,
    clock: any Clock
  ) throws(StartFailure) {
    self.configuration = configuration
    self.address = address
    let joinBase = JoinOrigin(configuration, on: address)
    self.joinBase = joinBase
    var gatewayConfiguration = configuration.gateway
    gatewayConfiguration.ownBase = { joinBase.own($0) }
    tally = SharedTally(restoration.tally, hasLost: restoration.hasLostTaps, restoration.schools)
    openRooms = OpenRooms(
      RoomLimits(
        inAll: configuration.roomsMax,
        ofPlayer: Limits.openRoomsForPlayer,
        ofAddress: Limits.openRoomsForAddress,
        limitsLoopback: configuration.netLimits.limitsLoopback
      )
    )
    fences = SharedFences(restoration.fences)
    webhooks = SharedWebhooks(restoration.webhooks, keptBytesMax: configuration.keptEventBytesMax)
    media = SharedMedia(configuration.media, store)
    photos = SharedPhotos(
      configuration.photos,
      countries,
      media,
      clock: clock,
      configuration.notifyOperator
    )
    pictures = QRPictures(limitsLoopback: configuration.netLimits.limitsLoopback)
    roomMetrics = RoomMetrics(factory: configuration.metrics)
    gateway = GatewayContext(
      gatewayConfiguration,
      store,
      lastAliveAt: restoration.lastAliveAt,
      limitsLoopback: configuration.netLimits.limitsLoopback,
      contributors: [tally],
      metrics: GatewayMetrics(factory: configuration.metrics),
      browsers: BrowserMarks(
        key: media.key,
        random: configuration.gateway.random,
        isByTLS: joinBase.common.lowercased().hasPrefix("https:"),
        port: address.port
      ),
      clock: clock
    ) { [notify = configuration.notifyOperator] in notify(.gateway($0)) }
    passwords = HashingQueue(gateway.budgets)
    if let chosen = configuration.map { map = try SharedMap(chosen) } else { map = nil }
    if let folder = configuration.webRoot {
      pages = try WebPages(folder: folder, map: map?.page)
    } else {
      pages = nil
    }
  }

  /// Notifies the operator.
  var notify: @Sendable (OperatorNotification) -> Void { configuration.notifyOperator }

  /// The link of a room's QR, for a session; without one the common one.
  func joinLink(_ code: RoomCode, for session: Session? = nil) -> JoinLink {
    JoinLink(base: session?.state.ownBase ?? joinBase.common, code: code)
  }
}
