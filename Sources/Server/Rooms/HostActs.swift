// The host's acts on who is in the room: `kickPlayer` and `lockRoom`.
//
// Part of `Rooms`, on the shard's queue. The rules decide (RoomEntry.swift), and keep a kicked player and newcomers
// out; here the kicked player is told, behind the commit, and those who ask for consent are refused.
// Decisions: 157, 158 (docs/decisions).
import Game
import Gateway
import MadangProtocol

struct HostActs {
  private unowned let desk: any JoinDesk
  private let consent: JoinConsent

  init(_ desk: any JoinDesk, _ consent: JoinConsent) {
    self.desk = desk
    self.consent = consent
  }

  func kickPlayer(_ wire: WireKickPlayer, _ request: PlayerRequest) {
    guard let live = request.session.attendee?.room else { return request.refuse(.notInRoom) }
    guard let player = PlayerID(wire.playerID) else {
      return request.refuse(.outOfRange, "playerId: 32 hexadecimal digits")
    }
    let kicked = live.attendee(of: player)?.session
    desk.ask(request) { .kick($0, player) }
    // A player who has not got the room's state yet is answered that there is no room.
    guard let kicked, let attendee = kicked.attendee, attendee.room == nil, !attendee.awaitsState else { return }
    var told = WireKicked()
    told.code = live.place.code.description
    kicked.send(.kicked(told), after: desk.gateway.journal)
  }

  func lockRoom(_ wire: WireLockRoom, _ request: PlayerRequest) {
    guard let live = request.session.attendee?.room else { return request.refuse(.notInRoom) }
    // Nobody comes into a solo room: a lock that says ok would promise something.
    guard !live.room.configuration.solo else { return request.refuse(.outOfRange, "locked: not in a solo room") }
    desk.ask(request) { .lock($0, wire.locked) }
    if live.room.isLocked { consent.locked(live.place.code) }
  }
}
