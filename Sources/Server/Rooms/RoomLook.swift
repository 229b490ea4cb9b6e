// A room as newcomers see it before they come in.
//
// A value, made on the room's shard and sent to that of whoever asks. It has no player's identifier, and no more names
// than a page shows.
import Game
import MadangProtocol

struct RoomLook: Sendable {
  let mode: Mode
  let phase: Phase
  let seated: Int
  let capacity: Int
  /// The practice opponents: in a lobby those who will join.
  let walkers: Int
  let isLocked: Bool
  let takesSpectators: Bool
  /// Whether only players with an account come in.
  let isForAccounts: Bool
  /// Whether a newcomer waits for the host's consent.
  let asksConsent: Bool
  /// A part of `room` of the protocol, as JSON.
  let json: [UInt8]

  /// The seats that have names beside the host's.
  private static let namedMax = 24

  init(_ room: Room, code: RoomCode, at now: Instant) {
    let configuration = room.configuration
    mode = configuration.mode
    phase = room.phase
    capacity = configuration.capacity
    isLocked = room.isLocked
    takesSpectators = configuration.spectators
    isForAccounts = configuration.accountsOnly
    asksConsent = configuration.consent
    var wire = WireRoom()
    wire.code = code.description
    wire.mode = WireMode(mode)
    wire.phase = WirePhase(phase)
    wire.gameMs = room.clockMs(at: now)
    if let end = room.endsAtMs { wire.endsAtGameMs = end }
    if let boardAt = room.boardAtMs { wire.boardAtGameMs = boardAt }
    wire.durationS = configuration.duration.wireMilliseconds / 1_000
    wire.capacity = UInt32(capacity)
    wire.accountsOnly = configuration.accountsOnly
    wire.consent = configuration.consent
    wire.locked = room.isLocked
    wire.spectators = configuration.spectators
    if let seat = room.hostSeat { wire.host = UInt32(seat) }
    if configuration.fill > 0 {
      wire.fill = UInt32(configuration.fill)
      wire.fillStrength = WireWalkerStrength(configuration.fillStrength)
    }
    var named = 0
    let members = RoomWalkers.shownMembers(of: room)
    wire.players = members.map { member in
      var player = WirePlayer()
      guard !member.id.isWalker else { return WirePlayer(member) }
      switch member.place {
      case .spectator(let number): player.spectator = UInt32(number)
      case .seat(let seat):
        player.seat = UInt32(seat)
        player.held = member.isHeld
        if named < Self.namedMax || seat == room.hostSeat { player.nickname = member.nickname }
        named += 1
      }
      return player
    }
    seated = named
    walkers = phase == .lobby ? min(configuration.fill, capacity - seated) : members.count { $0.id.isWalker }
    json = Subprotocol.json.room(wire)
  }
}
