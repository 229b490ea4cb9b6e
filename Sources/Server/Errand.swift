// What a session does on the shard of a room: the cargo of a connection that changes shards.
//
// A value. On the room's own shard the same task runs at once, so there is one way to enter a room.
import Game
import MadangProtocol
import Net

struct Errand: Sendable {
  /// How to answer a hello or a resume.
  struct Reply: Sendable {
    let id: UInt32?
    let afterEvent: UInt32?
    var isResume = false
    /// How long to wait with a new guest; nil where one may be made.
    var guestWaitMs: UInt32?
  }

  enum Task: Sendable {
    case join(RoomCode, id: UInt32?)
    case welcome(SessionToken, RoomCode?, Reply)
  }

  let state: SessionState
  /// The player of the session.
  let identity: Identity
  let task: Task
}

extension PlayService {
  package func adopted(_ connection: Connection, carrying cargo: any Sendable) {
    guard let errand = cargo as? Errand else { preconditionFailure("a connection moves with an errand") }
    let session = PlaySession(connection, traffic, errand.state)
    connection.context = session
    let place = ConnectionPlace(shard: core.index, token: connection.token, number: errand.state.number)
    if let reason = CloseCode(directory.settle(errand.identity.player, place)) { return session.close(reason) }
    carryOutMuteOrder(of: session)
    hearMissedAnnouncements(session)
    resumeWatching(session)
    run(errand, for: session)
    if isDraining { announceClosing(to: session) }
  }

  func run(_ errand: Errand, for session: PlaySession) {
    switch errand.task {
    case .join(let code, let id):
      enter(rooms[code], PlayerRequest(id: id, session: session, asker: errand.identity))
    case .welcome(let token, let code, let reply):
      finishWelcome(token, code, reply, errand.identity, session)
    }
  }
}
