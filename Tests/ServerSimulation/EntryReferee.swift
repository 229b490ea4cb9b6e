// The referee of who comes into a room, from its events alone: nobody while it is locked, and nobody whom its host has
// removed. A value, one for a room.
import ClientModel
import MadangProtocol

struct EntryReferee {
  private var members: [Spot: String] = [:]
  private var isLocked = false
  private var kicked: Set<String> = []
  /// The player of the event before, if that was `left`: a spectator who takes a seat leaves their place first.
  private var moving: String?

  /// Takes the next event of the room.
  mutating func take(_ event: WireEvent, of code: RoomCode) throws(BrokenRule) {
    let moving = moving
    self.moving = nil
    switch event.body {
    // Practice opponents sit down with the start, whoever may come in.
    case .joined(let player) where player.walker: break
    case .joined(let player):
      let isMove = player.playerID == moving
      try BrokenRule.unless(isMove || !isLocked, .entryHolds, "\(player.playerID) came into \(code), which is locked")
      let isKicked = kicked.contains(player.playerID)
      try BrokenRule.unless(!isKicked, .entryHolds, "\(player.playerID) came back into \(code)")
      members[Spot(player)] = player.playerID
    case .left(let place):
      let left = members.removeValue(forKey: Spot(place))
      if case .spectator = place.place { self.moving = left }
    case .hostAct(let act):
      switch act.act {
      case .kicked(let place): if let player = members[Spot(place)] { kicked.insert(player) }
      case .locked(let isLocked): self.isLocked = isLocked
      case nil: break
      }
    default:
      break
    }
  }

  /// Whether the host has removed a player.
  func hasKicked(_ player: String) -> Bool { kicked.contains(player) }
}
