// Bans that hold for a browser and for new guests of a network, over every back end.
import Game
import Store
import Testing

private let entry = AuditEntry(at: moment(0), address: "127.0.0.1", action: "ban")

private func ban(
  _ player: UInt128,
  since: Int64,
  until: Int64? = nil,
  network: UInt8? = nil,
  in room: UInt128? = nil,
  networkUntil: Int64 = 1_000
) -> SanctionChange {
  .put(
    Sanction(
      player: PlayerID(player),
      kind: .ban,
      since: moment(since),
      until: until.map(moment),
      reason: "",
      addressBan: network.map {
        AddressBan(network: digest($0), room: room.map { RoomID($0) }, until: moment(networkUntil))
      }
    ),
    entry
  )
}

/// A hello of a device with the player's number; `browser` and `network` are numbers of digests.
private func hello(_ player: UInt8, at: Int64, browser: UInt8? = nil, network: UInt8? = nil) -> SessionChange {
  .hello(
    HelloChange(
      device: digest(player),
      newPlayer: PlayerID(UInt128(player)),
      nickname: "가람",
      session: arrival(player, at: at, browser: browser, network: network),
      at: moment(at)
    )
  )
}

/// The session that a player's hello at a moment begins.
private func arrival(_ number: UInt8, at: Int64, browser: UInt8? = nil, network: UInt8? = nil) -> NewSession {
  NewSession(
    digest: withUnsafeBytes(of: at.bigEndian) { Array($0) } + digest(number).dropFirst(8),
    connection: 0,
    expiresAt: moment(sessionMs),
    browser: browser.map(digest),
    network: network.map(digest)
  )
}

private func login(_ player: UInt8, at: Int64, browser: UInt8?) -> SessionChange {
  .login(
    PlayerID(UInt128(player)),
    passwordHash: "hash of \(player)@example.org",
    session: arrival(player + 100, at: at, browser: browser),
    at: moment(at)
  )
}

@Suite("Every store holds bans by browser and by network")
struct BanContractTests {
  @Test("A guest's ban covers whoever comes with a browser of theirs, until it ends", arguments: BackEnd.allCases)
  func browser(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, at: 0, browser: 7))
      try await store.change(hello(1, at: 1, browser: 8))
      try await store.change(hello(2, at: 0, browser: 8))
      try await store.change(hello(3, at: 0, browser: 8))
      try await store.change(register(3, "3@example.org", as: "다온"))
      try await store.change(hello(4, at: 0, browser: 9))
      try await store.change(at: 10, ban(1, since: 10, until: 500))

      let refused = SessionOutcome.banned(until: moment(500))
      // The device itself, in whatever browser; a new guest; a known one; an account.
      #expect(try await store.change(at: 20, hello(1, at: 20, browser: 9)) == refused)
      #expect(try await store.change(at: 20, hello(5, at: 20, browser: 7)) == refused)
      #expect(try await store.change(at: 20, hello(2, at: 20, browser: 8)) == refused)
      #expect(try await store.change(at: 20, login(3, at: 20, browser: 7)) == refused)
      let resumed = SessionChange.resume(session: arrival(2, at: 0, browser: 8), at: moment(20))
      #expect(try await store.change(at: 20, resumed) == refused)
      // Others are not touched, nor are the same players elsewhere; a refused device has made no player.
      #expect(try await store.change(at: 20, hello(4, at: 20, browser: 9)).playerRow.id == PlayerID(4))
      #expect(try await store.change(at: 20, hello(2, at: 20)).playerRow.id == PlayerID(2))
      #expect(try await store.change(at: 20, login(3, at: 20, browser: 9)).playerRow.id == PlayerID(3))
      #expect(try store.unknownPlayers(among: [PlayerID(5)]) == [PlayerID(5)])
      // After clearing the browser nothing holds but the device.
      #expect(try await store.change(at: 20, hello(6, at: 20, browser: 10)).playerRow.id == PlayerID(6))
      #expect(try await store.change(at: 500, hello(5, at: 500, browser: 7)).playerRow.id == PlayerID(5))
    }
  }

  @Test("An account's ban covers guests of its browsers, and no other account", arguments: BackEnd.allCases)
  func account(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number: UInt8 in 1...3 { try await store.change(hello(number, at: 0, browser: 7)) }
      try await store.change(register(1, "1@example.org", as: "하나"))
      try await store.change(register(2, "2@example.org", as: "둘"))
      try await store.change(at: 10, ban(1, since: 10))
      #expect(try await store.change(at: 20, hello(3, at: 20, browser: 7)) == .banned(until: nil))
      #expect(try await store.change(at: 20, hello(4, at: 20, browser: 7)) == .banned(until: nil))
      #expect(try await store.change(at: 20, login(2, at: 20, browser: 7)).playerRow.id == PlayerID(2))
      let lift = SanctionChange.lift(PlayerID(1), .ban, at: moment(30), entry)
      #expect(try await store.change(at: 30, lift) == .ok)
      #expect(try await store.change(at: 31, hello(3, at: 31, browser: 7)).playerRow.id == PlayerID(3))
    }
  }

  @Test("Of several bans in one browser the one that ends last counts", arguments: BackEnd.allCases)
  func several(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number: UInt8 in 1...3 { try await store.change(hello(number, at: 0, browser: 7)) }
      try await store.change(at: 10, ban(1, since: 10, until: 300))
      try await store.change(at: 10, ban(2, since: 10, until: 200))
      #expect(try await store.change(at: 20, hello(4, at: 20, browser: 7)) == .banned(until: moment(300)))
      try await store.change(at: 20, ban(3, since: 20))
      #expect(try await store.change(at: 20, hello(4, at: 20, browser: 7)) == .banned(until: nil))
    }
  }

  @Test("A ban of a network holds for its new guests alone, for a day at most", arguments: BackEnd.allCases)
  func network(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number: UInt8 in 1...3 { try await store.change(hello(number, at: 0, network: 5)) }
      try await store.change(register(3, "3@example.org", as: "다온"))
      try await store.change(at: 10, ban(1, since: 10, network: 5))
      #expect(try await store.change(at: 20, hello(4, at: 20, network: 5)) == .banned(until: moment(1_000)))
      // Known ones stay and come back, others come from elsewhere, and so may new ones.
      #expect(try await store.change(at: 20, hello(2, at: 20, network: 5)).playerRow.id == PlayerID(2))
      let resumed = SessionChange.resume(session: arrival(2, at: 20, network: 5), at: moment(20))
      #expect(try await store.change(at: 20, resumed).playerRow.barredRooms == [])
      #expect(try await store.change(at: 20, hello(4, at: 20, network: 6)).playerRow.id == PlayerID(4))
      #expect(try await store.change(at: 21, hello(4, at: 21, network: 5)).playerRow.id == PlayerID(4))
      #expect(try await store.change(at: 999, hello(5, at: 999, network: 5)) == .banned(until: moment(1_000)))
      #expect(try await store.change(at: 1_000, hello(5, at: 1_000, network: 5)).playerRow.id == PlayerID(5))
    }
  }

  @Test("A ban of a network in a room names the room to its new guests alone", arguments: BackEnd.allCases)
  func networkInRoom(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number: UInt8 in 1...2 { try await store.change(hello(number, at: 0, network: 5)) }
      try await store.change(at: 10, ban(1, since: 10, network: 5, in: 77))
      #expect(try await store.change(at: 20, hello(2, at: 20, network: 5)).playerRow.barredRooms == [])
      let barred = [BarredRoom(room: RoomID(77), until: moment(1_000))]
      #expect(try await store.change(at: 20, hello(3, at: 20, network: 5)).playerRow.barredRooms == barred)
      #expect(try await store.change(at: 20, hello(3, at: 21, network: 6)).playerRow.barredRooms == [])
      let resumed = SessionChange.resume(session: arrival(3, at: 21, network: 5), at: moment(20))
      #expect(try await store.change(at: 20, resumed).playerRow.barredRooms == barred)
      // Who registers is no guest any more.
      try await store.change(register(3, "3@example.org", as: "다온"))
      #expect(try await store.change(at: 20, resumed).playerRow.barredRooms == [])
      #expect(try await store.change(at: 1_000, hello(4, at: 1_000, network: 5)).playerRow.barredRooms == [])
    }
  }

  @Test("The part for a network is listed with its ban, and goes with it", arguments: BackEnd.allCases)
  func listed(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, at: 0, network: 5))
      func bans(at milliseconds: Int64) async throws -> [AddressBan?] {
        try await withCheckedContinuation { waiting in
          store.sanctions(at: moment(milliseconds), limit: 9) { waiting.resume(returning: $0) }
        }.get().map(\.addressBan)
      }
      let own = AddressBan(network: digest(5), room: RoomID(77), until: moment(1_000))
      try await store.change(at: 10, ban(1, since: 10, network: 5, in: 77))
      #expect(try await bans(at: 20) == [own])
      #expect(try await bans(at: 1_000) == [nil])
      // A new ban replaces all of the one before.
      try await store.change(at: 20, ban(1, since: 20))
      #expect(try await bans(at: 20) == [nil])
      try await store.change(at: 30, ban(1, since: 30, network: 5))
      let lift = SanctionChange.lift(PlayerID(1), .ban, at: moment(40), entry)
      #expect(try await store.change(at: 40, lift) == .ok)
      #expect(try await store.change(at: 41, hello(2, at: 41, network: 5)).playerRow.id == PlayerID(2))
    }
  }

  @Test("The others of a browser are known, those who came last first, and only so many", arguments: BackEnd.allCases)
  func companions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let day: Int64 = 86_400_000
      for number: UInt8 in 1...3 { try await store.change(hello(number, at: Int64(number), browser: 7)) }
      #expect(try await store.change(hello(3, at: 4, browser: 7)).playerRow.companions == [PlayerID(2), PlayerID(1)])
      #expect(try await store.change(hello(3, at: 5)).playerRow.companions == [])
      // Another look is noted a day later at the earliest.
      try await store.change(hello(1, at: day, browser: 7))
      #expect(try await store.change(hello(3, at: day, browser: 7)).playerRow.companions == [PlayerID(2), PlayerID(1)])
      try await store.change(hello(1, at: day + 1, browser: 7))
      let turned = try await store.change(hello(3, at: day + 1, browser: 7)).playerRow.companions
      #expect(turned == [PlayerID(1), PlayerID(2)])
      for number in 1...UInt8(browserPlayersMax) {
        try await store.change(hello(100 + number, at: 2 * day + Int64(number), browser: 7))
      }
      let newest = try await store.change(hello(100 + UInt8(browserPlayersMax), at: 3 * day, browser: 7)).playerRow
      #expect(newest.companions.count == browserPlayersMax - 1 && !newest.companions.contains(PlayerID(1)))
      // Of a player's browsers the newest are kept.
      for number in 1...UInt8(browsersMax) {
        try await store.change(hello(1, at: 4 * day + Int64(number), browser: number + 20))
      }
      #expect(try await store.change(hello(9, at: 5 * day, browser: 21)).playerRow.companions == [PlayerID(1)])
      try await store.change(hello(1, at: 5 * day, browser: 40))
      #expect(try await store.change(hello(10, at: 6 * day, browser: 21)).playerRow.companions == [PlayerID(9)])
    }
  }

  @Test("Unused browsers are forgotten, but not a banned player's", arguments: BackEnd.allCases)
  func forgotten(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let later = Int64(browserRetention.components.seconds) * 1_000 + 10
      for number: UInt8 in 1...2 {
        try await store.change(hello(number, at: 0, browser: number))
        try await store.change(register(UInt128(number), "\(number)@example.org", as: "이름\(number)"))
      }
      try await store.change(at: 5, ban(1, since: 5))
      try await store.maintain(at: later)
      #expect(try await store.change(at: later, hello(3, at: later, browser: 1)) == .banned(until: nil))
      #expect(try await store.change(at: later, hello(4, at: later, browser: 2)).playerRow.companions == [])
      try await store.delete(PlayerID(1))
      #expect(try await store.change(at: later, hello(3, at: later, browser: 1)).playerRow.companions == [])
    }
  }
}
