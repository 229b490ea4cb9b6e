// Possible cheaters in the console: players with implausible positions and their refused fixes, and too fast tappers.
//
// Each shard looks at its own rooms, on its queue. The presences of players who watch places are shared; they have no
// evidence. The view has precise positions: it is for the operator's page only.
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol

/// A suspect player, or one with recently refused fixes.
struct SuspectPlayer: Sendable {
  let player: PlayerID
  var nickname: String?
  /// Nil for one who is suspect outside of rooms alone.
  var room: RoomID?
  /// Nil where the code is hidden.
  var code: RoomCode?
  var isSuspect: Bool
  var refusals: [RefusedFixes.Refusal] = []
  /// The newest sign of a player who is suspect outside of rooms.
  var watchedAt: Instant?

  static let shownMax = 100

  /// Suspects first, then players by their newest refusal.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.isSuspect != right.isSuspect { return left.isSuspect }
    let (leftAt, rightAt) = (left.newestAt, right.newestAt)
    if leftAt != rightAt { return leftAt ?? Instant(milliseconds: 0) > rightAt ?? Instant(milliseconds: 0) }
    return (left.player, left.room?.value ?? 0) < (right.player, right.room?.value ?? 0)
  }

  private var newestAt: Instant? { refusals.last?.at ?? watchedAt }
}

/// A player with three abnormal batches of taps within a minute once.
struct SuspectTapper: Sendable {
  let standing: TapStanding
  let counts: [CountedTaps]

  static let shownMax = 100
}

struct SuspectsPart: Sendable {
  let players: [SuspectPlayer]
  /// The nicknames of tappers, and of players who are suspect outside of rooms, who are connected here.
  let nicknames: [PlayerID: String]
}

extension Operations {
  /// This shard's suspects.
  func suspects(naming others: Set<PlayerID>) -> SuspectsPart {
    var best = BestRows(SuspectPlayer.shownMax, by: SuspectPlayer.precedes)
    for live in rooms.rooms.values { live.forEachSuspect { best.add($0) } }
    var nicknames: [PlayerID: String] = [:]
    if !others.isEmpty {
      gateway.forEachSession { session in
        guard let identity = session.state.identity, others.contains(identity.player) else { return }
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
    func report(_ player: PlayerID, _ nickname: String, isSuspect: Bool, _ refusals: [RefusedFixes.Refusal]) {
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
      report(member.id, member.nickname, isSuspect: true, refusals)
    }
    for (player, entry) in entries { report(player, entry.nickname, isSuspect: false, entry.refusals) }
  }
}

/// The view, from all shards' parts.
struct SuspectsView: Sendable {
  let parts: [SuspectsPart]
  let watchers: [Presences.Suspect]
  let tappers: [SuspectTapper]
  let schools: SchoolCatalogue

  var message: FeedSuspects {
    let nicknames = parts.reduce(into: [PlayerID: String]()) { all, part in all.merge(part.nicknames) { $1 } }
    let players = players(nicknames).sorted(by: SuspectPlayer.precedes).prefix(SuspectPlayer.shownMax)
    return .with {
      $0.players = players.map(\.message)
      $0.tappers = tappers.map { $0.message(nickname: nicknames[$0.standing.player], in: schools) }
    }
  }

  /// The players of rooms, then those who are suspect outside of rooms alone.
  private func players(_ nicknames: [PlayerID: String]) -> [SuspectPlayer] {
    var outside: [PlayerID: Instant] = [:]
    for watcher in watchers { outside[watcher.player] = watcher.usedAt }
    var players = parts.flatMap(\.players)
    for index in players.indices {
      guard let watchedAt = outside.removeValue(forKey: players[index].player) else { continue }
      players[index].isSuspect = true
      players[index].watchedAt = watchedAt
    }
    return players
      + outside.map { player, watchedAt in
        SuspectPlayer(player: player, nickname: nicknames[player], isSuspect: true, watchedAt: watchedAt)
      }
  }
}

extension SuspectPlayer {
  fileprivate var message: FeedSuspects.Player {
    .with {
      $0.player = player.description
      if let nickname { $0.nickname = nickname }
      if let room {
        $0.room = room.description
        $0.code = code?.description ?? ""
      }
      $0.suspect = isSuspect
      $0.refusals = refusals.reversed().map(\.message)
      if let watchedAt { $0.watchedAtMs = watchedAt.milliseconds }
    }
  }
}

extension RefusedFixes.Refusal {
  fileprivate var message: FeedSuspects.Refusal {
    .with {
      $0.atMs = at.milliseconds
      $0.refusal = refusal.name
      $0.latE7 = fix.latE7
      $0.lngE7 = fix.lngE7
      if let accuracyM = fix.accuracyM { $0.accuracyM = accuracyM }
      if let time = fix.time { $0.claimedAtMs = time.milliseconds }
      if let metersFromLast { $0.metersFromLast = metersFromLast }
      if let msFromLast { $0.secondsFromLast = Double(msFromLast) / 1_000 }
    }
  }
}

extension SuspectTapper {
  fileprivate func message(nickname: String?, in catalogue: SchoolCatalogue) -> FeedSuspects.Tapper {
    .with {
      $0.player = standing.player.description
      if let nickname { $0.nickname = nickname }
      $0.school = standing.school.description
      $0.schoolName = catalogue.name(of: standing.school)
      $0.abnormalBatches = standing.abnormalCount
      $0.counts = counts.map { counted in
        .with {
          $0.school = counted.school.description
          $0.schoolName = catalogue.name(of: counted.school)
          $0.season = counted.season
          $0.count = counted.count
          $0.voided = counted.voided
        }
      }
    }
  }
}
