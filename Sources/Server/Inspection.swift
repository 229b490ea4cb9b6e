// A shard's rooms as they are, for simulations that compare them with what players were told.
//
// On the shard's thread. It looks and changes nothing; no part of the server may use it.
import Game
import MadangProtocol

extension PlayService {
  /// The codes of this shard's rooms, in an order that does not depend on the process.
  package var roomCodes: [RoomCode] { rooms.keys.sorted { $0.bits < $1.bits } }

  /// The number of a room's newest event; nil when there is no such room here.
  package func lastEvent(of code: RoomCode) -> UInt32? { rooms[code]?.room.lastEventNumber }

  /// A room's events after a number, as they are told, and whether some are kept no longer.
  package func events(of code: RoomCode, after number: UInt32) -> (events: [WireEvent], gap: Bool) {
    guard let (events, gap) = rooms[code]?.room.events(after: number) else { return ([], true) }
    return (events.map { WireEvent($0) }, gap)
  }

  /// A room as the rules have it; nil when there is no such room here.
  package func room(of code: RoomCode) -> Room? { rooms[code]?.room }

  /// Whether the shard's census is what its rooms come to when each is looked at.
  package var isCensusTrue: Bool {
    var counted = RoomCensus()
    for live in rooms.values { counted.add(RoomCensus.Entry(live.room)) }
    return counted == census
  }

  /// An event as it is told to whoever has blocked nobody.
  package static func told(_ event: Event) -> WireEvent { WireEvent(event) }

  /// The whole state of a room as this player would be told it who is in it and connected; nil when they are not, or when
  /// something waits to be told them by the next tick.
  package func settledRoom(_ code: RoomCode, for player: PlayerID) -> WireRoom? {
    guard let live = rooms[code], !live.room.hasChanges(through: .max), let place = live.room.place(of: player),
      let session = live.session(at: place), session.lag == nil, !session.hasNews
    else { return nil }
    return wireRoom(live, for: place, withholding: session.state.identity?.blocked ?? [])
  }

  /// How many connections have something of operators' waiting for them.
  package var waitingOrders: Int { directory.waitingOrders }

  /// How many rooms and players the whole server knows.
  package var directoryCounts: (rooms: Int, players: Int) { directory.counts }
}
