// Whom a ban of the double covers beside the banned player, by its players.
import Game
import Store

typealias MemoryPlayerEntries = [PlayerID: MemoryTables.PlayerEntry]

extension MemoryPlayerEntries {
  /// The outcome for a session of a banned player, or with a banned player's browser; nil for all others.
  func refusalOfBanned(_ player: PlayerID, _ session: NewSession, at now: Instant) -> SessionOutcome? {
    if let ban = self[player]?.sanction(.ban, at: now) { return .banned(until: ban.until) }
    guard let browser = session.browser else { return nil }
    let isGuest = self[player]?.email == nil
    let bans = values.filter { $0.browsers[browser] != nil && ($0.email == nil || isGuest) }
      .compactMap { $0.sanction(.ban, at: now) }
    guard !bans.isEmpty else { return nil }
    return .banned(until: bans.contains { $0.until == nil } ? nil : bans.compactMap(\.until).max())
  }

  /// The outcome for a new guest of a network whose new guests are banned; nil for all others.
  func refusalOfNewGuest(_ session: NewSession, at now: Instant) -> SessionOutcome? {
    guard let network = session.network else { return nil }
    return addressBans(of: network, at: now).filter { $0.ban.room == nil }.map(\.ban.until).max().map {
      .banned(until: $0)
    }
  }

  private func addressBans(of network: [UInt8], at now: Instant) -> [(ban: AddressBan, since: Instant)] {
    values.compactMap { player in
      guard let sanction = player.sanctions[.ban], let ban = sanction.addressBan else { return nil }
      return ban.network == network && now < ban.until ? (ban, sanction.since) : nil
    }
  }

  /// Notes a browser that a player has come with; returns whether that is new.
  mutating func note(_ browser: [UInt8]?, of player: PlayerID, at moment: Instant) -> Bool {
    guard let browser else { return false }
    if let seenAt = self[player]?.browsers[browser], moment - seenAt < sessionRenewalMin { return false }
    self[player]?.browsers[browser] = moment
    let own = (self[player]?.browsers ?? [:]).sorted { left, right in
      left.value != right.value ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
    }
    for (old, _) in own.dropFirst(browsersMax) { self[player]?.browsers[old] = nil }
    for old in newestPlayers(of: browser).dropFirst(browserPlayersMax) { self[old]?.browsers[browser] = nil }
    return true
  }

  private func newestPlayers(of browser: [UInt8]) -> [PlayerID] {
    compactMap { id, player in player.browsers[browser].map { (id: id, seenAt: $0) } }
      .sorted { ($1.seenAt, $0.id) < ($0.seenAt, $1.id) }.map(\.id)
  }

  /// The others who have come with a browser, those who came last first.
  func companions(of player: PlayerID, by browser: [UInt8]?) -> [PlayerID] {
    browser.map { newestPlayers(of: $0).filter { $0 != player } } ?? []
  }

  /// The rooms that the player may not enter as a new guest of a network, by identifier.
  func barredRooms(of id: PlayerID, from network: [UInt8]?, at now: Instant) -> [BarredRoom] {
    guard let network, let player = self[id], player.email == nil, let madeAt = player.madeAt else { return [] }
    var rooms: [RoomID: Instant] = [:]
    for (ban, since) in addressBans(of: network, at: now) where madeAt >= since {
      if let room = ban.room { rooms[room] = Swift.max(rooms[room] ?? ban.until, ban.until) }
    }
    return rooms.sorted { $0.key < $1.key }.map { BarredRoom(room: $0.key, until: $0.value) }
  }

  mutating func forgetBrowsers(unseenSince moment: Instant) {
    for (id, player) in self where player.sanctions[.ban] == nil {
      self[id]?.browsers = player.browsers.filter { $0.value >= moment }
    }
  }
}
