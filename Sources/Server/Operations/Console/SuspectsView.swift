// Possible cheaters in the console: players with implausible positions and their refused fixes, and too fast tappers.
//
// Each shard looks at its own rooms, on its thread. The view has precise positions: it is for the operator's page only.
import Game
import Gateway
import MadangProtocol

/// A suspect player, or one with recently refused fixes.
struct SuspectPlayer: Sendable {
  let player: PlayerID
  let nickname: String
  let room: RoomID
  /// Nil where the code is hidden.
  let code: RoomCode?
  let isSuspect: Bool
  let refusals: [RefusedFixes.Refusal]

  static let shownMax = 100

  /// Suspects first, then players by their newest refusal.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.isSuspect != right.isSuspect { return left.isSuspect }
    let (leftAt, rightAt) = (left.refusals.last?.at, right.refusals.last?.at)
    if leftAt != rightAt { return leftAt ?? Instant(milliseconds: 0) > rightAt ?? Instant(milliseconds: 0) }
    return (left.player, left.room) < (right.player, right.room)
  }
}

/// A player with three abnormal batches of taps within a minute once.
struct SuspectTapper: Sendable {
  let standing: TapStanding
  let counts: [CountedTaps]

  static let shownMax = 100
}

struct SuspectsPart: Sendable {
  let players: [SuspectPlayer]
  /// The nicknames of tappers who are connected here.
  let nicknames: [PlayerID: String]
}

extension Operations {
  /// This shard's suspects.
  func suspects(among tappers: Set<PlayerID>) -> SuspectsPart {
    var best = BestRows(SuspectPlayer.shownMax, by: SuspectPlayer.precedes)
    for live in rooms.rooms.values { live.forEachSuspect { best.add($0) } }
    var nicknames: [PlayerID: String] = [:]
    if !tappers.isEmpty {
      gateway.forEachSession { session in
        guard let identity = session.state.identity, tappers.contains(identity.player) else { return }
        nicknames[identity.player] = identity.nickname
      }
    }
    return SuspectsPart(players: best.take(), nicknames: nicknames)
  }
}

extension LiveRoom {
  fileprivate func forEachSuspect(_ body: (SuspectPlayer) -> Void) {
    guard !refusedFixes.isEmpty || figures.suspects > 0 else { return }
    var entries = refusedFixes.entries.filter { !RefusedFixes.isOld($0.value, at: context.now) }
    func tell(_ player: PlayerID, _ nickname: String, isSuspect: Bool, _ refusals: [RefusedFixes.Refusal]) {
      body(
        SuspectPlayer(
          player: player,
          nickname: nickname,
          room: id,
          code: isSolo ? nil : place.code,
          isSuspect: isSuspect,
          refusals: refusals
        )
      )
    }
    for member in room.members {
      guard case .seat(let seat) = member.place, room.phase == .playing, room.isSuspect(seat: seat) else { continue }
      let refusals = entries.removeValue(forKey: member.id)?.refusals ?? []
      tell(member.id, member.nickname, isSuspect: true, refusals)
    }
    for (player, entry) in entries { tell(player, entry.nickname, isSuspect: false, entry.refusals) }
  }
}

/// The view, from all shards' parts.
struct SuspectsView: Sendable {
  let parts: [SuspectsPart]
  let tappers: [SuspectTapper]
  let schools: SchoolCatalogue

  var json: JSONText {
    let players = parts.flatMap(\.players).sorted(by: SuspectPlayer.precedes).prefix(SuspectPlayer.shownMax)
    let nicknames = parts.reduce(into: [PlayerID: String]()) { all, part in all.merge(part.nicknames) { $1 } }
    return .object { json in
      json.member("players", players.map(\.json))
      json.member("tappers", tappers.map { $0.json(nickname: nicknames[$0.standing.player], in: schools) })
    }
  }
}

extension SuspectPlayer {
  fileprivate var json: JSONText {
    .object { json in
      json.member("player", player.description)
      json.member("nickname", nickname)
      json.member("room", room.description)
      json.member("code", code?.description ?? "")
      json.member("suspect", isSuspect)
      json.member("refusals", refusals.reversed().map(\.json))
    }
  }
}

extension RefusedFixes.Refusal {
  fileprivate var json: JSONText {
    .object { json in
      json.member("atMs", at.milliseconds)
      json.member("refusal", refusal.name)
      json.member("latE7", fix.latE7)
      json.member("lngE7", fix.lngE7)
      if let accuracyM = fix.accuracyM { json.member("accuracyM", accuracyM) }
      if let time = fix.time { json.member("claimedAtMs", time.milliseconds) }
      if let metersFromLast { json.member("metersFromLast", metersFromLast) }
      if let msFromLast { json.member("secondsFromLast", seconds: msFromLast * 1_000) }
    }
  }
}

extension SuspectTapper {
  fileprivate func json(nickname: String?, in catalogue: SchoolCatalogue) -> JSONText {
    .object { json in
      json.member("player", standing.player.description)
      if let nickname { json.member("nickname", nickname) }
      json.member("school", standing.school.description)
      json.member("schoolName", catalogue.name(of: standing.school))
      json.member("abnormalBatches", standing.abnormalCount)
      json.member(
        "counts",
        counts.map { counted in
          .object { json in
            json.member("school", counted.school.description)
            json.member("schoolName", catalogue.name(of: counted.school))
            json.member("season", counted.season)
            json.member("count", counted.count)
            json.member("voided", counted.voided)
          }
        }
      )
    }
  }
}
