// Passwords that players set by operators' links, over every back end.
import Game
import Store
import Testing

private let entry = AuditEntry(at: moment(5), address: "::1", action: "resetPassword", player: PlayerID(1))

private func offer(_ link: UInt8, to player: UInt128 = 1, until: Int64 = 100) -> AccountChange {
  .offerReset(PlayerID(player), digest: digest(link), expiresAt: moment(until), entry)
}

private func reset(_ link: UInt8, to hash: String = "new hash") -> AccountChange {
  .resetPassword(digest: digest(link), hash: hash)
}

@Suite("Every store resets passwords by links")
struct PasswordResetContractTests {
  @Test("A link sets the password once, ends all sessions and forgets the device", arguments: BackEnd.allCases)
  func once(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      #expect(try await store.change(offer(50)) == .notFound, "a guest has no password")
      try await store.change(register(1, "garam@example.org", as: "가람"))
      #expect(try await store.change(at: 5, offer(50)) == .ok)
      #expect(try await store.password(of: PlayerID(1))?.hash == "hash of garam@example.org")
      #expect(try await store.change(at: 6, reset(51)) == .notFound)
      #expect(try await store.change(at: 6, reset(50)) == .reset(PlayerID(1)))
      #expect(try await store.password(of: PlayerID(1))?.hash == "new hash")
      #expect(try await store.change(at: 7, reset(50, to: "another")) == .notFound)
      let resumed = SessionChange.resume(session: session(1), at: moment(7))
      #expect(try await store.change(at: 7, resumed) == .sessionEnded)
      #expect(try await store.change(at: 8, hello(2, device: 1, session: 2)).playerRow.id == PlayerID(2))
      let rows = try await withCheckedContinuation { waiting in
        store.audit(before: nil, limit: 9) { waiting.resume(returning: $0) }
      }.get()
      #expect(rows.map(\.entry) == [entry])
    }
  }

  @Test("A link is good no more once its owner has set a password", arguments: BackEnd.allCases)
  func overtaken(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.change(register(1, "garam@example.org", as: "가람"))
      try await store.change(offer(50))
      let change = AccountChange.setPassword(PlayerID(1), hash: "own hash", session: digest(1), device: nil)
      #expect(try await store.change(change) == .ok)
      #expect(try await store.change(at: 6, reset(50)) == .notFound)
      #expect(try await store.password(of: PlayerID(1))?.hash == "own hash")
    }
  }

  @Test("A new link replaces the one before, and none is good beyond its end", arguments: BackEnd.allCases)
  func ends(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.change(register(1, "garam@example.org", as: "가람"))
      try await store.change(offer(50))
      try await store.change(offer(51))
      #expect(try await store.change(at: 99, reset(50)) == .notFound)
      #expect(try await store.change(at: 100, reset(51)) == .notFound)
      try await store.maintain(at: 100)
      try await store.change(offer(52, until: 200))
      #expect(try await store.change(at: 199, reset(52)) == .reset(PlayerID(1)))
      try await store.change(offer(53, until: 900))
      try await store.delete(PlayerID(1))
      #expect(try await store.change(at: 300, reset(53)) == .notFound)
    }
  }
}
