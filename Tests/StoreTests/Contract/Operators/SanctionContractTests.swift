// Bans, mutes and the audit log, over every back end.
import Game
import Store
import Testing

private func ban(_ player: UInt128, since: Int64 = 0, until: Int64? = nil, reason: String = "") -> SanctionChange {
  sanction(.ban, player, since: since, until: until, reason: reason)
}

private func mute(_ player: UInt128, since: Int64 = 0, until: Int64? = nil) -> SanctionChange {
  sanction(.mute, player, since: since, until: until)
}

private func sanction(
  _ kind: SanctionKind,
  _ player: UInt128,
  since: Int64,
  until: Int64?,
  reason: String = ""
) -> SanctionChange {
  .put(
    Sanction(
      player: PlayerID(player),
      kind: kind,
      since: moment(since),
      until: until.map(moment),
      reason: reason
    ),
    entry(kind.rawValue, player, at: since)
  )
}

private func lift(_ kind: SanctionKind, _ player: UInt128, at: Int64) -> SanctionChange {
  .lift(PlayerID(player), kind, at: moment(at), entry("un\(kind)", player, at: at))
}

private func entry(_ action: String, _ player: UInt128?, at: Int64) -> AuditEntry {
  AuditEntry(at: moment(at), address: "127.0.0.1", action: action, player: player.map { PlayerID($0) })
}

extension Store {
  fileprivate func sanctions(at milliseconds: Int64, limit: Int = 100) async throws -> [SanctionRow] {
    let now = moment(milliseconds)
    return try await withCheckedContinuation { waiting in
      sanctions(at: now, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  fileprivate func audit(before number: Int64? = nil, limit: Int = 100) async throws -> [AuditRow] {
    try await withCheckedContinuation { waiting in
      audit(before: number, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }
}

@Suite("Every store keeps sanctions and the audit log")
struct SanctionContractTests {
  @Test(
    "A banned player gets no session by hello, login or resume, and nothing of them changes",
    arguments: BackEnd.allCases
  )
  func banned(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.change(register(1, "garam@example.org", as: "가람"))
      try await store.change(hello(2, device: 2, session: 2, as: "나래"))
      #expect(try await store.change(at: 10, ban(1, since: 10)) == .ok)
      #expect(try await store.change(at: 11, ban(2, since: 11, until: 500)) == .ok)

      let refused = SessionOutcome.banned(until: nil)
      #expect(try await store.change(at: 20, hello(3, device: 1, session: 3)) == refused)
      let login = SessionChange.login(
        PlayerID(1),
        passwordHash: "hash of garam@example.org",
        session: session(3),
        at: moment(20)
      )
      #expect(try await store.change(at: 20, login) == refused)
      #expect(try await store.change(at: 20, SessionChange.resume(session: session(1), at: moment(20))) == refused)
      #expect(
        try await store.change(at: 20, hello(3, device: 2, session: 3, as: "다온")) == .banned(until: moment(500))
      )
      #expect(try await store.change(at: 20, SessionChange.resume(session: session(3), at: moment(20))) == .badToken)
      // A connection without a session there learns nothing of bans.
      #expect(try await store.change(at: 20, SessionChange.resume(session: session(9), at: moment(20))) == .badToken)

      // The batch's time counts, and the end is not part of the ban.
      #expect(
        try await store.change(at: 499, SessionChange.resume(session: session(2), at: moment(500)))
          == .banned(until: moment(500))
      )
      let back = try await store.change(at: 500, SessionChange.resume(session: session(2), at: moment(499))).playerRow
      #expect(back.nickname == "나래" && back.session == digest(2))
      // Another device is another player.
      #expect(try await store.change(at: 20, hello(4, device: 4, session: 4)).playerRow.id == PlayerID(4))
    }
  }

  @Test("A ban applies to later changes in the same batch", arguments: BackEnd.allCases)
  func sameBatch(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      let outcomes = try await store.commit(
        at: 10,
        [],
        hello(1, device: 1, session: 2),
        ban(1, since: 10),
        hello(1, device: 1, session: 3)
      )
      #expect(try outcomes[0].playerRow.id == PlayerID(1))
      #expect(Array(outcomes.dropFirst()) == [.sanction(.ok), .session(.banned(until: nil))])
    }
  }

  @Test("Bans and mutes are listed, newest first, until they end or are lifted", arguments: BackEnd.allCases)
  func listed(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number: UInt8 in 1...3 { try await store.change(hello(UInt128(number), device: number, session: number)) }
      try await store.change(at: 10, ban(1, since: 10, reason: "욕설"))
      try await store.change(at: 20, mute(2, since: 20, until: 100))
      try await store.change(at: 30, ban(2, since: 30, until: 90))
      #expect(
        try await store.sanctions(at: 40) == [
          SanctionRow(
            Sanction(player: PlayerID(2), kind: .ban, since: moment(30), until: moment(90), reason: ""),
            nickname: "가람"
          ),
          SanctionRow(
            Sanction(player: PlayerID(2), kind: .mute, since: moment(20), until: moment(100), reason: ""),
            nickname: "가람"
          ),
          SanctionRow(
            Sanction(player: PlayerID(1), kind: .ban, since: moment(10), until: nil, reason: "욕설"),
            nickname: "가람"
          ),
        ]
      )
      #expect(try await store.sanctions(at: 40, limit: 1).map(\.kind) == [.ban])
      #expect(try await store.sanctions(at: 90).map(\.kind) == [.mute, .ban])
      #expect(try await store.sanctions(at: 100).map(\.player) == [PlayerID(1)])

      // A newer sanction replaces the older one of its kind.
      try await store.change(at: 50, ban(2, since: 50, until: 60))
      #expect(try await store.sanctions(at: 55).first?.until == moment(60))
      #expect(try await store.sanctions(at: 60).map(\.kind) == [.mute, .ban])

      #expect(try await store.change(at: 70, lift(.ban, 1, at: 70)) == .ok)
      #expect(try await store.sanctions(at: 70).map(\.kind) == [.mute])
      #expect(try await store.change(at: 71, hello(1, device: 1, session: 4)).playerRow.id == PlayerID(1))
    }
  }

  @Test("A player's row reports a mute while it is in force", arguments: BackEnd.allCases)
  func muted(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      func row(at: Int64) async throws -> PlayerRow {
        try await store.change(at: at, SessionChange.resume(session: session(1), at: moment(at))).playerRow
      }
      #expect(try await row(at: 5).mute == nil)
      try await store.change(at: 10, mute(1, since: 10, until: 100))
      #expect(try await row(at: 99).mute == Mute(until: moment(100)))
      #expect(try await row(at: 100).mute == nil)
      try await store.change(at: 110, mute(1, since: 110))
      #expect(try await row(at: 120).mute == Mute(until: nil))
      #expect(try await store.change(at: 130, hello(1, device: 1, session: 2)).playerRow.mute == Mute(until: nil))
      try await store.change(at: 140, lift(.mute, 1, at: 140))
      #expect(
        try await store.change(at: 150, SessionChange.login(PlayerID(1), session: session(3), at: moment(150)))
          .playerRow.mute == nil
      )
    }
  }

  @Test("A failed action is not in the audit log", arguments: BackEnd.allCases)
  func notDone(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      #expect(try await store.change(ban(7)) == .notFound)
      #expect(try await store.change(lift(.ban, 1, at: 5)) == .notFound)
      #expect(try await store.change(lift(.ban, 7, at: 5)) == .notFound)
      try await store.change(ban(1, until: 50))
      #expect(try await store.change(lift(.ban, 1, at: 50)) == .notFound, "the ban has expired")
      #expect(try await store.change(lift(.mute, 1, at: 10)) == .notFound, "a sanction of another kind")
      #expect(try await store.change(lift(.ban, 1, at: 49)) == .ok)
      #expect(try await store.change(lift(.ban, 1, at: 49)) == .notFound, "already lifted")
      #expect(try await store.audit().map(\.action) == ["unban", "ban"])
    }
  }

  @Test("The audit log is read newest first, in pages, with current nicknames", arguments: BackEnd.allCases)
  func auditPages(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.change(ban(1, since: 3))
      var kick = entry("kick", 1, at: 4)
      kick.room = RoomID(9)
      try await store.commit(at: 4, [], kick, entry("drain", nil, at: 4))
      try await store.change(AccountChange.setNickname(PlayerID(1), "나래"))
      let rows = try await store.audit()
      #expect(
        rows == [
          AuditRow(entry("drain", nil, at: 4), number: 3, nickname: nil),
          AuditRow(kick, number: 2, nickname: "나래"),
          AuditRow(entry("ban", 1, at: 3), number: 1, nickname: "나래"),
        ]
      )
      #expect(try await store.audit(limit: 2) == Array(rows[..<2]))
      #expect(try await store.audit(before: 2, limit: 2) == Array(rows[2...]))
      #expect(try await store.audit(before: 1).isEmpty)
    }
  }

  @Test(
    "A player's deletion removes the sanctions; the audit log keeps the identifier and no nickname",
    arguments: BackEnd.allCases
  )
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.commit(at: 5, [], ban(1), mute(1))
      try await store.change(at: 6, DeletionChange.finish(PlayerID(1), at: moment(6)))
      #expect(try await store.sanctions(at: 7).isEmpty)
      let rows = try await store.audit()
      #expect(rows.map(\.player) == [PlayerID(1), PlayerID(1)])
      #expect(rows.allSatisfy { $0.nickname == nil })
      #expect(try await store.change(at: 8, hello(2, device: 1, session: 2)).playerRow.id == PlayerID(2))
    }
  }

  @Test(
    "A banned guest is not forgotten before the ban has ended, and is forgotten afterwards",
    arguments: BackEnd.allCases
  )
  func maintenance(backEnd: BackEnd) async throws {
    let month: Int64 = 30 * 86_400_000
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.change(at: 10, ban(1, since: 10, until: 3 * month))
      try await store.maintain(at: 2 * month)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]).isEmpty, "the session is forgotten, the player is not")
      #expect(
        try await store.change(at: 2 * month, hello(2, device: 1, session: 2)) == .banned(until: moment(3 * month))
      )
      try await store.maintain(at: 3 * month - 1)
      #expect(try await store.sanctions(at: 0).count == 1)
      try await store.maintain(at: 3 * month)
      #expect(try await store.sanctions(at: 0).isEmpty)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [PlayerID(1)])
      #expect(try await store.audit().count == 1, "the audit log is complete")
    }
  }
}
