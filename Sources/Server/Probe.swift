// A probe of a shard's rooms, for simulations that compare them with players' messages.
//
// On the shard's queue. It changes nothing; no part of the server may use it.
import Game
import Gateway
import MadangProtocol

extension PlayService {
  /// The codes of this shard's rooms, in an order that does not depend on the process.
  package var roomCodes: [RoomCode] { rooms.rooms.keys.sorted { $0.bits < $1.bits } }

  /// The number of a room's newest event; nil when there is no such room here.
  package func lastEvent(of code: RoomCode) -> UInt32? { rooms.rooms[code]?.room.lastEventNumber }

  /// A room's events after a number, as sent to players, and whether older ones are missing.
  package func events(of code: RoomCode, after number: UInt32) -> (events: [WireEvent], gap: Bool) {
    guard let live = rooms.rooms[code] else { return ([], true) }
    let (events, gap) = live.room.events(after: number)
    return (events.map { WireEvent($0, of: live.id) }, gap)
  }

  /// A room in the rules' own form; nil when there is no such room here.
  package func room(of code: RoomCode) -> Room? { rooms.rooms[code]?.room }

  /// Whether the shard's census equals a count over its rooms.
  package var isCensusTrue: Bool {
    var counted = RoomCensus()
    for live in rooms.rooms.values { counted.add(RoomCensus.Entry(live.room)) }
    return counted == rooms.roomContext.census
  }

  /// A room's event as sent to a player who has blocked nobody.
  package static func wire(_ event: Event, of room: RoomID) -> WireEvent { WireEvent(event, of: room) }

  /// The whole state of a room as this connected player in it would get it; nil for other players, or while something
  /// waits for the player's next tick.
  package func quiescentRoom(_ code: RoomCode, for player: PlayerID) -> WireRoom? {
    guard let live = rooms.rooms[code], !live.room.hasChanges(through: .max), let place = live.room.place(of: player),
      let attendee = live.attendee(at: place), live.hasEverything(attendee),
      !attendee.hasNotifications
    else { return nil }
    return rooms.wireRoom(live, for: place, withholding: attendee.session.blocked, attendee.session)
  }

  /// The table of budgets, on the first shard.
  package var budgetRows: [BudgetRow] { operations.budgetRows }

  /// The number of connections with a decision that waits for them.
  package var waitingOrders: Int { gateway.directory.waitingOrders }

  /// The shard on which the directory has a room.
  package func directoryShard(of code: RoomCode) -> Int? { gateway.directory.shard(ofGroup: code.bits) }

  /// The numbers of rooms and players that the whole server knows.
  package var directoryCounts: (groups: Int, players: Int) { gateway.directory.counts }
}
