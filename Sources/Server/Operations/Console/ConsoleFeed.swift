// One console's feed: the view that it watches, and what was sent of that.
//
// Owned by the operators' one shard and used on its queue.
// Decisions: 085 (docs/decisions).
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

final class ConsoleFeed {
  unowned let connection: Connection
  /// Whose console it is.
  let identity: OperatorIdentity
  private(set) var view = ConsoleView.overview
  /// Goes up with every view: answers for an earlier view are dropped.
  private(set) var viewNumber = 0
  /// An answer for the view is under way.
  var isAsking = false
  /// The content that was sent last.
  private var shown: [UInt8] = []

  // The followed room.
  var place: RoomPlace?
  var seen: RoomSeen?
  private var membersShown: [FeedMember] = []

  // The watched map.
  /// A read of its capsules and lands is under way.
  var isReadingPlaces = false
  /// The fences that were shown last: outlines are made anew only after a change.
  private var fences: FencesOnMap?
  /// The lands that were read last: they are read anew after a change, or after some seconds.
  var lands: LandsOnMap?

  /// The parts of an edition of schools whose last part has not come; nil where none has begun.
  private(set) var edition: [School]?

  /// The number of the newest log entry that was sent.
  var logEntriesSeen = 0
  private var messages = TokenBucket(messageRate)

  static let messagesPerSecond: Int64 = 20
  private static let messageRate = TokenRate(burst: messagesPerSecond, tokenMs: 1_000 / messagesPerSecond)
  /// Enough for a land with the most corners, in digits.
  static let messageBytesMax = 256 * 1_024

  init(_ connection: Connection, of identity: OperatorIdentity) {
    self.connection = connection
    self.identity = identity
  }

  /// Counts a received message; false when it is over the rate.
  func takesMessage(at now: Instant) -> Bool { messages.take(at: now, Self.messageRate) }

  /// Adds a part of an edition. An edition with a part missing would close that part's schools, so a refused part drops
  /// all of it.
  ///
  /// - Returns: the schools so far; nil when no edition has begun.
  func add(_ schools: [School], isFirst: Bool) -> [School]? {
    if isFirst { edition = [] }
    edition? += schools
    return edition
  }

  /// Drops the edition whose parts have come.
  func dropEdition() { edition = nil }

  func watch(_ view: ConsoleView) {
    self.view = view
    viewNumber += 1
    isAsking = false
    shown = []
    place = nil
    seen = nil
    membersShown = []
  }

  /// Goes on with the followed room on another shard, and shows all of it anew.
  func follow(_ place: RoomPlace) {
    self.place = place
    seen = nil
  }

  /// The fences that meet a map's box.
  func fences(on map: MapBox, in catalogue: FenceCatalogue) -> FencesOnMap {
    if let fences, fences.map == map, fences.generation == catalogue.generation { return fences }
    let found = FencesOnMap(map, in: catalogue)
    fences = found
    return found
  }

  /// Whether a message can be sent: messages wait while the connection is behind.
  var isReady: Bool { connection.isOpen && !connection.isBehind }

  func send(_ update: FeedUpdate) { send(update.consoleJSON) }

  func send(_ reply: FeedReply) { send(reply.consoleJSON) }

  private func send(_ json: [UInt8]) {
    json.withUnsafeBytes { connection.send(.text, $0) }
  }

  /// Sends the view's content, unless it was sent last.
  func show(_ update: FeedUpdate) {
    let json = update.consoleJSON
    guard json != shown else { return }
    shown = json
    send(json)
  }

  /// Sends the followed room's changes.
  func show(_ update: RoomUpdate, of id: RoomID) {
    switch update {
    case .gone:
      send(.with { $0.roomGone.id = id.description })
      watch(.overview)
    case .nothing:
      break
    case .whole(let state, let seen, let members, let authors):
      self.seen = seen
      let room = FeedRoom(id, place, members, authors)
      membersShown = room.members
      send(FeedUpdate().consoleJSON(with: ["room": room.consoleJSON(with: ["state": state.json])]))
    case .tick(let tick, let seen, let members):
      self.seen = seen
      let members = members.map { $0.map(\.message) }.flatMap { $0 == membersShown ? nil : $0 }
      guard !tick.isEmpty || members != nil else { return }
      if let members { membersShown = members }
      let changes = FeedRoomTick.with {
        $0.id = id.description
        $0.members = members ?? []
        $0.authors = ChatAuthors(of: tick.events).byEvent
      }
      send(FeedUpdate().consoleJSON(with: ["tick": changes.consoleJSON(with: ["tick": tick.json(of: id)])]))
    }
  }
}
