// The game on one shard: its rooms, and what happens with each connection and each message.
//
// Owned by one shard and used on its thread. Requests are dealt with in the files named after their feature
// (Sessions.swift, Accounts.swift, Rooms.swift, RoomStates.swift, Positions.swift, Records.swift, Taps); HTTP in Pages.swift.
import Game
import MadangProtocol
import Net
import Store
import WebSocket

package final class PlayService: ShardService {
  unowned let core: ShardCore
  let commons: Commons
  var directory: Directory { commons.directory }
  var budgets: Budgets { commons.budgets }
  /// What has happened here and is not committed yet.
  let journal: ShardJournal
  private(set) var rooms: [RoomCode: LiveRoom] = [:]
  /// What they come to.
  var census = RoomCensus()
  var statistics = PlayStatistics()
  let traffic = MessageTraffic()
  /// The turn's end comes again when the next piece of the journal may be cut off.
  var isCommitTimerSet = false
  /// A later turn goes on with what follows commits.
  var isReleasePosted = false
  /// Why the last care failed; nil if it did not.
  var careFailure: String?
  /// The operator has been told that the data folder is nearly full.
  var isToldOfData = false
  /// Newcomers turned away whom the operator has been told of.
  var refusedToldOf = 0
  /// Refused fixes that are old are looked for again some time.
  var isForgettingDue = false
  /// Who watches the ranking here.
  lazy var rankingTicks = RankingTicks(shard: core.index, of: shards.count)
  /// Set when the server is ending: when it ends at the latest.
  var drainUntil: Timestamp?
  /// On the shard that looks whether all have drained: the callers who wait, and the number of looks that must still find it so.
  var drainCompletions: [@Sendable () -> Void] = []
  var drainLooksToGo = 0

  /// The newest announcements to everybody, oldest first.
  var announcements: [Announcement] = []

  /// Who waits for a room's state.
  var stateRequests = RoomStateRequests()
  /// The rest of the survey that stands on this shard.
  var roomSurvey: RoomSurvey?

  // Used again for every input and every tick.
  var effects = Effects()
  var mergedTick = Tick()
  private var jsonFrames = SharedFrames(.text)
  private var protoFrames = SharedFrames(.binary)

  init(_ core: ShardCore, _ commons: Commons) {
    self.core = core
    self.commons = commons
    journal = ShardJournal(
      shard: core.index,
      commits: commons.commits,
      intervalMilliseconds: commons.configuration.commitIntervalMilliseconds
    )
  }

  /// The services of all shards, this one's included.
  var shards: ServiceShards<PlayService> { ServiceShards(core.siblings) }
  /// This service, to be posted to from elsewhere, or for a later turn.
  var ownShard: ServiceShard<PlayService> { shards[core.index] }

  /// This turn's time, for the rules.
  var now: Instant { Instant(core.now) }

  // Connections.

  package func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    guard commons.configuration.origins.allows(head) else { return .refused(HTTPFailure.originNotAllowed.response) }
    switch head.path {
    case "/v1/play" where isDraining:
      return .refused(.text(503, "going down\n"))
    case "/v1/play":
      return .webSocket(
        subprotocols: Subprotocol.allCases.map(\.rawValue),
        messageBytesMax: Limits.messageBytesMax,
        compresses: commons.configuration.compresses
      )
    case "/echo" where commons.configuration.conformance:
      connection.context = Echo()
      // What comes in goes out, so as much may wait.
      connection.unsentBytesMax = 4 * Echo.messageBytesMax
      return .webSocket(
        subprotocols: [],
        messageBytesMax: Echo.messageBytesMax,
        compresses: commons.configuration.compresses
      )
    default:
      return .refused(.notFound)
    }
  }

  package func opened(_ connection: Connection) {
    guard connection.context == nil else { return }
    let subprotocol = connection.subprotocol.flatMap(Subprotocol.init(rawValue:)) ?? .json
    let number = directory.numberConnection(at: core.now)
    let session = PlaySession(
      connection,
      traffic,
      SessionState(subprotocol: subprotocol, number: number, lastAnnouncement: announcements.last?.number ?? 0)
    )
    statistics.opened += 1
    connection.context = session
    awaitHello(session)
  }

  package func deadlinePassed(_ connection: Connection) {
    guard let session = connection.context as? PlaySession else { return }
    if session.state.identity == nil {
      session.close(.helloTooLate)
    } else if session.erasure != nil {
      answerDeletion(session, isErased: false)
    } else {
      noteUse(of: session)
    }
  }

  package func closed(_ connection: Connection) {
    guard let session = connection.context as? PlaySession else { return }
    statistics.closed[connection.closeCode ?? PlayStatistics.noCloseCode, default: 0] += 1
    session.end()
    rankingTicks.remove(session)
    session.room?.lose(session)
    if let identity = session.state.identity {
      directory.disconnect(identity.player, number: session.state.number)
      commons.tell(.sessionEnded(identity.player, closeCode: connection.closeCode))
    }
    connection.context = nil
  }

  package func peerEnded(_ connection: Connection) {
    guard let session = connection.context as? PlaySession, session.awaitsPassword else { return }
    session.awaitsPassword = false
    session.interest.end()
    connection.goOn()
  }

  package func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    switch connection.context {
    case let session as PlaySession:
      guard kind == session.messageKind else {
        return connection.dismiss(CloseStatus.unsupportedData, "wrong kind of frame for the subprotocol")
      }
      receive(bytes, from: session)
    case is Echo:
      connection.send(kind, bytes)
    default:
      preconditionFailure("a connection that is open has a session or is an echo")
    }
  }

  // Rooms and ticks.

  /// Makes a room under a place that the directory has given it.
  func addRoom(_ configuration: RoomConfiguration, at place: RoomPlace) -> LiveRoom {
    let room = LiveRoom(self, commons.drawRoom(), place, configuration, seed: commons.drawSeed())
    rooms[place.code] = room
    return room
  }

  /// Takes up a room from before the start of the server, which the directory has already.
  func restore(_ restored: RestoredRoom, stoodStill: Duration) {
    let place = RoomPlace(code: restored.code, shard: core.index)
    let room = LiveRoom(self, restored, place, stoodStill: stoodStill)
    // A room whose numbers have run out closes at once.
    guard !room.isClosed else { return }
    rooms[place.code] = room
    room.leave(restored.leavers)
    room.erase(restored.strangers)
    if restored.needsSnapshot, !room.isClosed { room.writeSnapshot(of: room.room) }
  }

  func forget(_ room: LiveRoom) {
    rooms[room.place.code] = nil
    directory.removeRoom(room.place.code)
  }

  package func timerFired(_ token: UInt64) {
    switch token {
    case Self.drainTimer: return continueDraining()
    case Self.commitTimer: return isCommitTimerSet = false
    case Self.retryTimer: return commons.commits.retry()
    case Self.careTimer: return care()
    case Self.rankingTimer: return tickRanking()
    case Self.evidenceTimer: return forgetOldEvidence()
    case Self.surveyTimer: return beginSurvey()
    case Self.erasureTimer: return eraseFromRooms()
    case Self.drainedTimer: return lookWhetherDrained()
    default: break
    }
    rooms[RoomCode(drawing: token)]?.tick()
  }

  func room(_ id: RoomID) -> LiveRoom? {
    rooms.values.first { $0.id == id }
  }

  func forEachRoom(_ body: (LiveRoom) -> Void) {
    for room in rooms.values.sorted(by: { $0.id < $1.id }) { body(room) }
  }

  func clearFrames() {
    jsonFrames.clear()
    protoFrames.clear()
  }

  /// Sends this tick's frame and what is for one player alone. The frame is made when the first who needs it asks.
  func sendTick(to session: PlaySession, _ own: UnsafeRawBufferPointer) {
    let subprotocol = session.state.subprotocol
    let connection = session.connection
    if let blocked = session.state.identity?.blocked, effects.tick.hasChats(of: blocked) {
      session.send(tick: effects.tick)
      connection.send(frames: own, UnsafeRawBufferPointer(start: nil, count: 0))
      return recordFrame()
    }
    let sentBytes =
      switch subprotocol {
      case .json:
        jsonFrames.send(to: connection, own, on: core) { subprotocol.append(effects.tick, to: &$0) }
      case .proto:
        protoFrames.send(to: connection, own, on: core) { subprotocol.append(effects.tick, to: &$0) }
      }
    statistics.compressedTicks = jsonFrames.compressions
    guard let sentBytes else { return }
    traffic.note(sent: .tick, bytes: sentBytes)
    recordFrame()
  }

  /// A room's tick that was due then began at this moment.
  func recordTick(due: Instant, at began: Timestamp) {
    let microseconds = began.microseconds(since: Timestamp(due))
    statistics.lateness.record(microseconds: microseconds)
    commons.metrics.tickLateness.record(microseconds: microseconds)
  }

  func recordTickEnd(since began: Timestamp) {
    commons.metrics.tickDuration.record(microseconds: core.readClock().microseconds(since: began))
  }

  func recordFrame() {
    statistics.tickFrames += 1
  }

  package func noticedUntoldProxy(address: IPAddress) {
    commons.tell(.untoldProxy(address))
  }

  package func measured(roundTripMicroseconds: Int64, on connection: Connection) {
    commons.metrics.roundTrip.record(microseconds: roundTripMicroseconds)
  }
}

/// Marks a connection of the conformance suites: every message goes back as it came.
private final class Echo {
  static let messageBytesMax = 16 * 1_024 * 1_024
}
