// A shard's rooms as they are, for simulations that compare them with what players were told.
//
// On the shard's thread. It looks and changes nothing; no part of the server may use it.
import Game
import Gateway
import MadangProtocol

extension PlayService {
  /// The codes of this shard's rooms, in an order that does not depend on the process.
  package var roomCodes: [RoomCode] { rooms.rooms.keys.sorted { $0.bits < $1.bits } }

  /// The number of a room's newest event; nil when there is no such room here.
  package func lastEvent(of code: RoomCode) -> UInt32? { rooms.rooms[code]?.room.lastEventNumber }

  /// A room's events after a number, as they are told, and whether some are kept no longer.
  package func events(of code: RoomCode, after number: UInt32) -> (events: [WireEvent], gap: Bool) {
    guard let (events, gap) = rooms.rooms[code]?.room.events(after: number) else { return ([], true) }
    return (events.map { WireEvent($0) }, gap)
  }

  /// A room as the rules have it; nil when there is no such room here.
  package func room(of code: RoomCode) -> Room? { rooms.rooms[code]?.room }

  /// Whether the shard's census is what its rooms come to when each is looked at.
  package var isCensusTrue: Bool {
    var counted = RoomCensus()
    for live in rooms.rooms.values { counted.add(RoomCensus.Entry(live.room)) }
    return counted == rooms.roomContext.census
  }

  /// An event as it is told to whoever has blocked nobody.
  package static func told(_ event: Event) -> WireEvent { WireEvent(event) }

  /// The whole state of a room as this player would be told it who is in it and connected; nil when they are not, or when
  /// something waits to be told them by the next tick.
  package func settledRoom(_ code: RoomCode, for player: PlayerID) -> WireRoom? {
    guard let live = rooms.rooms[code], !live.room.hasChanges(through: .max), let place = live.room.place(of: player),
      let attendee = live.attendee(at: place), attendee.lag == nil, !attendee.hasNews
    else { return nil }
    return rooms.wireRoom(live, for: place, withholding: attendee.session.state.identity?.blocked ?? [])
  }

  /// The table of budgets, on the first shard.
  package var budgetRows: [BudgetRow] { operations.budgetRows }

  /// How many connections have something of operators' waiting for them.
  package var waitingOrders: Int { gateway.directory.waitingOrders }

  /// How many rooms and players the whole server knows.
  package var directoryCounts: (rooms: Int, players: Int) { gateway.directory.counts }
}
