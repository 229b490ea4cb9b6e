// The reasons that keep a player out of single rooms: others who have come with their browser, the bars of new guests
// of their network, and rooms for accounts alone.
//
// The part is owned by the session's shard, and as stored when the session began; a player without any has no such
// part. The rules hold a room's bars; they know neither browsers nor accounts, which are asked about here.
// Decisions: 140, 158 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Store

final class EntryRestrictions: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let companions: [PlayerID]
    let barredRooms: [BarredRoom]

    func unpacked(for session: Session) -> any SessionPart {
      EntryRestrictions(companions: companions, barredRooms: barredRooms)
    }
  }

  /// The other players who have come with the session's browser.
  let companions: [PlayerID]
  /// The rooms that new guests of the session's network may not enter, where the player was made as one.
  let barredRooms: [BarredRoom]

  init(companions: [PlayerID], barredRooms: [BarredRoom]) {
    self.companions = companions
    self.barredRooms = barredRooms
  }

  var cargo: (any SessionCargo)? { Cargo(companions: companions, barredRooms: barredRooms) }
}

extension Session {
  /// Takes over the restrictions that the store has of the session's player.
  func restrictEntry(_ player: PlayerRow) {
    guard !player.companions.isEmpty || !player.barredRooms.isEmpty else { return }
    _ = part(orAdd: EntryRestrictions(companions: player.companions, barredRooms: player.barredRooms))
  }
}

/// The look at a player who wants to come into a room, before the rules are asked.
struct EntryCheck {
  let live: LiveRoom

  /// The refusal of a player, whatever the room's state; nil where the rules may decide.
  func refusal(of request: PlayerRequest, by expiry: ExpiryClock) -> (code: WireErrorCode, retryAfterMs: UInt32?)? {
    let now = live.context.now
    if isBarred(request.player) || keepsOut(request.session) { return (.barred, nil) }
    // A player whose place is held comes back all the same.
    if live.room.isLocked, live.room.place(of: request.player) == nil { return (.roomLocked, nil) }
    guard !request.asker.isAccount else { return nil }
    if let bar = request.session.part(EntryRestrictions.self)?.barredRooms.first(where: { $0.room == live.id }),
      expiry.now(now) < bar.until
    {
      return (.barred, expiry.wait(until: bar.until, at: now))
    }
    return live.room.configuration.accountsOnly ? (.accountNeeded, nil) : nil
  }

  /// Whether another who has come with the session's browser is barred. It also keeps out who comes back to a held
  /// place; those who are connected play on until they come again.
  func keepsOut(_ session: Session) -> Bool {
    session.part(EntryRestrictions.self)?.companions.contains(where: isBarred) ?? false
  }

  private func isBarred(_ player: PlayerID) -> Bool { live.played.isBarred(player) }
}
