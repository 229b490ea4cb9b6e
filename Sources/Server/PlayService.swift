// The program on one shard: the gateway, and the features behind it.
//
// Owned by one shard. This is the one list of features. Positions, ticks and the end of a turn are called here
// directly; everything else goes through the gateway, which names no feature.
import Gateway
import MadangProtocol
import Net
import WebSocket

package final class PlayService: ShardService {
  let gateway: ShardGateway
  let webhooks: Webhooks
  let rooms: Rooms
  let accounts: Accounts
  let records: Records
  let taps: Taps
  let media: Media
  let places: Places
  let countries: Countries
  let stories: Stories
  let plans: Plans
  let profiles: Profiles
  private let photos: Photos
  private let maps: Maps
  private let tracks: Tracks
  let moderation: Moderation
  let operations: Operations
  private let pages: Pages

  /// The features in the order of notification: announcements come first on a new shard.
  static let features: [any Feature.Type] = [
    Operations.self, Rooms.self, Accounts.self, Records.self, Taps.self, Places.self, Countries.self, Stories.self,
    Pages.self, Webhooks.self, Media.self, Plans.self, Profiles.self, Photos.self, Moderation.self,
    Maps.self, Tracks.self,
  ]

  init(_ core: ShardCore, _ context: ServerContext) {
    gateway = ShardGateway(core, context.gateway) { Self.on($0).gateway }
    webhooks = Webhooks(gateway, context) { Self.on($0).webhooks }
    rooms = Rooms(gateway, context, webhooks: webhooks) { Self.on($0).rooms }
    taps = Taps(gateway, context) { Self.on($0).taps }
    media = Media(gateway, context) { Self.on($0).media }
    places = Places(gateway, context, rooms: rooms, media: media, webhooks: webhooks) { Self.on($0).places }
    countries = Countries(gateway, context) { Self.on($0).countries }
    stories = Stories(gateway, context, media: media) { Self.on($0).stories }
    plans = Plans(gateway) { Self.on($0).plans }
    profiles = Profiles(gateway, media: media) { Self.on($0).profiles }
    photos = Photos(gateway, context) { Self.on($0).photos }
    maps = Maps(gateway, context) { Self.on($0).maps }
    tracks = Tracks(gateway, context) { Self.on($0).tracks }
    moderation = Moderation(gateway, context, stories: stories, places: places) { Self.on($0).moderation }
    accounts = Accounts(
      gateway,
      context,
      rooms: rooms,
      taps: taps,
      webhooks: webhooks,
      moderation: moderation
    ) { Self.on($0).accounts }
    records = Records(gateway, context) { Self.on($0).records }
    operations = Operations(gateway, context, rooms: rooms, accounts: accounts, taps: taps) { Self.on($0).operations }
    pages = Pages(gateway, context, rooms: rooms) { Self.on($0).pages }
    let features: [any Feature] = [
      operations, rooms, accounts, records, taps, places, countries, stories, pages, webhooks, media, plans, profiles,
      photos, moderation, maps, tracks,
    ]
    precondition(
      features.map { ObjectIdentifier(type(of: $0)) } == Self.features.map { ObjectIdentifier($0) },
      "both lists have the same features"
    )
    gateway.begin(with: features)
  }

  private static func on(_ core: ShardCore) -> PlayService { core.service(as: PlayService.self) }

  // Connections.

  package func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    let response = gateway.respond(to: head, from: address)
    return response == .notFound ? pages.lostPath(head) ?? response : response
  }

  package func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool {
    gateway.answersLater(head, from: address, on: connection)
  }

  package func admitBody(of head: RequestHead, from address: SocketAddress, on connection: Connection) -> BodyAdmission
  {
    gateway.admitBody(of: head, from: address, on: connection)
  }

  package func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    gateway.admit(head, on: connection)
  }

  package func opened(_ connection: Connection) {
    gateway.opened(connection)
  }

  package func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let session = Session.held(by: connection) else { return gateway.echo(kind, bytes, on: connection) }
    session._withUnsafeGuaranteedRef { session in
      guard gateway.admits(kind, bytes, from: session) else { return }
      if bytes.count <= Limits.messageBytesMax, let move = session.subprotocol.decodeMove(bytes) {
        session.traffic.note(received: .move, bytes: bytes.count)
        return places.receive(move, from: session)
      }
      // The connection may move to another shard, and gives the session up.
      withExtendedLifetime(connection.context) { gateway.receive(bytes, from: session) }
    }
  }

  package func deadlinePassed(_ connection: Connection) {
    gateway.deadlinePassed(connection)
  }

  package func peerEnded(_ connection: Connection) {
    gateway.peerEnded(connection)
  }

  package func closed(_ connection: Connection) {
    gateway.closed(connection)
  }

  package func measured(roundTripMicroseconds: Int64, on connection: Connection) {
    gateway.measured(roundTripMicroseconds: roundTripMicroseconds)
  }

  package func noticedUndeclaredProxy(address: IPAddress) {
    gateway.noticedUndeclaredProxy(address: address)
  }

  // Time.

  package func timerFired(_ token: UInt64) {
    if token < ShardGateway.timerTokenMin { rooms.tick(token) } else { gateway.timerFired(token) }
  }

  package func timerComes(_ token: UInt64) {
    if token < ShardGateway.timerTokenMin { rooms.tickComes(token) }
  }

  package func turnEnding() {
    rooms.turnEnding()
    gateway.turnEnding()
  }
}
