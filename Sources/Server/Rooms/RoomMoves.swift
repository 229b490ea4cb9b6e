// The moves of lobbies from a full shard to one with less to do, before their games begin.
//
// Owned by one shard's `Rooms` and used on its queue. A room is held while its last records are committed: its players'
// connections are suspended, so their messages wait. Then its sessions and the room itself are posted to the other
// shard, the room last, and only then the directory tells of its new shard. So everything that comes by the directory
// comes behind the room. A room that can't leave soon starts its game where it is.
// Decisions: 129 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net

final class RoomMoves {
  /// A room that is to move.
  private final class Move {
    let live: LiveRoom
    let shard: Int
    /// The request to start the game.
    let start: PlayerRequest
    /// The time at which it stays where it is.
    let until: Timestamp
    /// The connections that were suspended for it.
    var held: [Session] = []
    /// The journal's chunk before which everything is committed, once `isCommitted` is true.
    var chunk: UInt64 = 0
    var isCommitted = false

    init(_ live: LiveRoom, to shard: Int, _ start: PlayerRequest, until: Timestamp) {
      self.live = live
      self.shard = shard
      self.start = start
      self.until = until
    }

    func holds(_ session: Session) -> Bool { held.contains { $0 === session } }

    /// Whether the room has no records behind those that are committed, and its players have all their answers.
    var isAtRest: Bool { isCommitted && live.hasNoRecords(from: chunk) && !held.contains(where: \.awaitsCommit) }

    var isStarterThere: Bool { start.session.connection.isOpen && start.session.room === live }
  }

  /// A request to start a game that goes along with its session.
  private struct Start: Sendable {
    /// The number of its connection.
    let connection: UInt64
    let id: UInt32?
    let asker: Identity
  }

  private unowned let rooms: Rooms
  private var gateway: ShardGateway { rooms.gateway }
  private var moves: [Move] = []
  /// The sessions that have come from another shard, before their room.
  private var arrivals: [RoomCode: [(session: Session, stay: RoomStay)]] = [:]
  private var timer: UInt64 = 0

  /// The longest time for which a room is held. The commits of a full shard take tens of milliseconds.
  private static let holdMilliseconds: Int64 = 1_000

  init(_ rooms: Rooms) {
    self.rooms = rooms
    // The turn that the timer brings goes on with the moves at its end.
    timer = rooms.gateway.addTimer {}
  }

  var isEmpty: Bool { moves.isEmpty }

  /// Begins to move a room, if its shard is full and another is not. Its game starts there, or here if the room can't
  /// leave soon.
  ///
  /// - Returns: false where the room stays; nothing has been done with the request then.
  func begin(_ live: LiveRoom, _ start: PlayerRequest) -> Bool {
    let core = gateway.core
    guard core.siblings.count > 1, RoomPlacement.isFull(core.siblings[core.index].load.reading(at: core.now)),
      let place = start.session.attendee?.place, !moves.contains(where: { $0.live === live }),
      live.wouldStart(by: place)
    else { return false }
    let shard = rooms.context.promisedLoads.moveLobby(
      own: core.index,
      loads: core.siblings.map { $0.load.reading(at: core.now) },
      share: Double(live.room.memberCount) * RoomPlacement.shareOfPlayer,
      at: core.now
    )
    guard let shard else { return false }
    let move = Move(live, to: shard, start, until: core.now.advanced(milliseconds: Self.holdMilliseconds))
    _ = core.setTimer(timer, at: move.until)
    moves.append(move)
    _ = hold(move)
    awaitCommit(move)
    return true
  }

  /// Goes on with the moves, at the end of a turn.
  func goOn() {
    guard !moves.isEmpty else { return }
    let present = moves
    moves = []
    moves += present.filter { !isOver($0) }
  }

  /// Goes on with a move; true when it is over.
  private func isOver(_ move: Move) -> Bool {
    // The starter may have gone, an operator may have closed the room, or the server may be about to end.
    guard move.isStarterThere, move.live.room.phase == .lobby, !gateway.isDraining else {
      stay(move)
      return true
    }
    guard gateway.core.now < move.until else {
      rooms.roomContext.statistics.value.roomMovesFailed += 1
      stay(move)
      return true
    }
    // A connection that waits for something else is held when it has got that.
    let areHeld = hold(move)
    guard move.isCommitted else { return false }
    if !areHeld || !move.isAtRest {
      awaitCommit(move)
      // All may be committed already: then no other turn comes for it.
      guard areHeld, move.isCommitted, move.isAtRest else { return false }
    }
    // Rooms that forget players under deletion are looked for on all shards, one after the other.
    guard rooms.context.erasures.beginMove() else {
      rooms.roomContext.statistics.value.roomMovesFailed += 1
      stay(move)
      return true
    }
    leave(move)
    return true
  }

  /// Suspends the connections of a room's players; false where one waits for something else.
  private func hold(_ move: Move) -> Bool {
    var areHeld = true
    for attendee in move.live.attendees {
      guard let attendee, attendee.session.connection.isOpen, !move.holds(attendee.session) else { continue }
      if attendee.session.suspend() { move.held.append(attendee.session) } else { areHeld = false }
    }
    return areHeld
  }

  /// Notes when everything so far on this shard is committed, and all that follows it is done.
  private func awaitCommit(_ move: Move) {
    move.chunk = move.live.chunkBehindAll
    move.isCommitted = false
    gateway.journal.whenCommitted { move.isCommitted = true }
  }

  /// Lets the players go on where they are, and answers the request to start the game.
  private func stay(_ move: Move) {
    for session in move.held where session.resumed() != nil && session === move.start.session {
      rooms.start(move.start, in: move.live)
    }
  }

  /// Sends the room and its players to the other shard.
  private func leave(_ move: Move) {
    let (live, shards) = (move.live, rooms.shards)
    let code = live.place.code
    let start = Start(
      connection: move.start.session.state.number,
      id: move.start.id,
      asker: move.start.asker
    )
    let leaving = live.attendees.compactMap { attendee in
      attendee.flatMap { attendee in
        attendee.session.connection.isOpen ? attendee.stay.map { (session: attendee.session, stay: $0) } : nil
      }
    }
    let asking = rooms.consent.depart(from: code)
    let moved = live.depart()
    rooms.remove(code, hasMoved: true)
    for (session, stay) in leaving {
      guard let player = session.state.identity?.player else { preconditionFailure("a player attends a room") }
      gateway.handOff(session, of: player, toShard: move.shard, of: shards) { rooms, session in
        rooms.moves.await(session, stay, code)
      }
    }
    shards[move.shard].post { [from = gateway.core.index] in $0.moves.settle(moved, from: from, start) }
    gateway.directory.move(RoomPlace(code: code, shard: move.shard).group)
    // Behind the room, and as if they asked anew.
    for (request, isWatching) in asking {
      request.session.afterAnswers(gateway.journal, for: request.id) { [gateway] in
        gateway.handOff(request, toShard: move.shard, of: shards) { $0.enter(code, $1, isWatching: isWatching) }
      }
    }
    // Those whom the room has lost meanwhile go on here.
    for session in move.held { _ = session.resumed() }
  }

  // On the other shard.

  /// A session has come, and waits for its room.
  private func await(_ session: Session, _ stay: RoomStay, _ code: RoomCode) {
    session.suspend()
    arrivals[code, default: []].append((session, stay))
  }

  /// A room has come, behind its players' sessions.
  private func settle(_ moved: MovedRoom, from shard: Int, _ start: Start) {
    let live = LiveRoom(rooms.roomContext, moved, number: rooms.takeNumber())
    rooms.add(live)
    var request: PlayerRequest?
    for (session, stay) in arrivals.removeValue(forKey: moved.code) ?? [] {
      // Its connection may have gone, or be closing, because the player has another by now.
      guard let session = session.resumed() else { continue }
      live.attend(session, stay)
      if session.state.number == start.connection {
        request = PlayerRequest(id: start.id, session: session, asker: start.asker)
      }
    }
    live.loseAbsent(of: moved.attended)
    live.arm()
    rooms.roomContext.statistics.value.roomsMoved += 1
    rooms.context.notify(.roomMoved(live.id, from: shard, to: gateway.core.index))
    if let request { rooms.start(request, in: live) }
    if rooms.context.erasures.endMove() { rooms.forgetting.beginSurvey() }
  }
}
