// The outboxes of webhooks, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps events for webhooks until they are delivered")
struct WebhookOutboxContractTests {
  @Test("An event waits for each target that has asked for its type, in one order", arguments: BackEnd.allCases)
  func order(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      #expect(try await store.change(WebhookChange.event(webhookEvent())) == .added(dropped: 0, targets: 0))
      try await store.addWebhook(webhook(1, .fence, .suspect))
      try await store.addWebhook(webhook(2, .fence))
      let first = WebhookChange.event(webhookEvent(.fence, of: 1, at: 30))
      #expect(try await store.change(first) == .added(dropped: 0, targets: 2))
      let changes = [webhookEvent(.suspect, of: 2), webhookEvent(.gameEnded, of: 3), webhookEvent(.fence, of: 4)]
      try await store.commit(Batch(at: moment(9), changes: changes.map { WebhookChange.event($0).change }))
      let pending = try await store.pending(of: 1)
      #expect(pending.map(\.bytes.first) == [1, 2, 4])
      #expect(pending.map(\.number) == pending.map(\.number).sorted())
      let numbers = Dictionary(uniqueKeysWithValues: pending.map { ($0.bytes[0], $0.number) })
      let other = try await store.pending(of: 2)
      #expect(other.map(\.bytes.first) == [1, 4] && other.map(\.number) == [numbers[1], numbers[4]])
      let row = try #require(try await store.webhookRow(1))
      #expect(row.pendingCount == 3 && row.pendingBytes == 30 && row.oldestAt == moment(30))
    }
  }

  @Test("A read has the oldest events up to its bounds, and one at least", arguments: BackEnd.allCases)
  func reading(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.addWebhook(webhook(1, .fence))
      for byte: UInt8 in 1...5 { try await store.add(webhookEvent(of: byte)) }
      let all = try await store.pending(of: 1)
      #expect(all.map(\.bytes.first) == [1, 2, 3, 4, 5])
      #expect(try await store.pending(of: 1, limit: 2) == Array(all.prefix(2)))
      #expect(try await store.pending(of: 1, bytesMax: 30) == Array(all.prefix(3)))
      #expect(try await store.pending(of: 1, bytesMax: 29) == Array(all.prefix(2)))
      #expect(try await store.pending(of: 1, bytesMax: 1) == Array(all.prefix(1)))
      #expect(try await store.pending(of: 1, through: all[3].number) == Array(all.prefix(4)))
      #expect(try await store.pending(of: 1, through: all[0].number - 1) == [])
    }
  }

  @Test("What is delivered goes, and no number is given twice", arguments: BackEnd.allCases)
  func delivery(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.addWebhook(webhook(1, .fence))
      try await store.add(webhookEvent(of: 1), webhookEvent(of: 2), webhookEvent(of: 3))
      let numbers = try await store.pending(of: 1).map(\.number)
      #expect(try await store.change(WebhookChange.delivered(WebhookID(1), through: numbers[1])) == .delivered(2))
      #expect(try await store.change(WebhookChange.delivered(WebhookID(1), through: numbers[1])) == .delivered(0))
      #expect(try await store.pending(of: 1).map(\.bytes.first) == [3])
      #expect(try await store.change(WebhookChange.delivered(WebhookID(1), through: numbers[2])) == .delivered(1))
      try await store.add(webhookEvent(of: 4))
      let next = try #require(try await store.pending(of: 1).first)
      #expect(next.number > numbers[2])
      let row = try #require(try await store.webhookRow(1))
      #expect(row.deliveredCount == 3 && row.pendingCount == 1 && row.pendingBytes == 10 && row.droppedCount == 0)
    }
  }

  @Test("An operator's test waits for one target alone, switched off or not", arguments: BackEnd.allCases)
  func test(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.addWebhook(webhook(1, .fence))
      try await store.addWebhook(webhook(2, .fence))
      let failure = WebhookFailure(at: moment(1), text: "gone")
      try await store.change(WebhookChange.failed(WebhookID(2), failure, switchesOff: true))
      let change = WebhookChange.test(WebhookID(2), webhookEvent(.test, of: 9), .webhook("testWebhook"))
      #expect(try await store.change(change) == .ok)
      try await store.add(webhookEvent(of: 1))
      #expect(try await store.pending(of: 1).map(\.bytes.first) == [1])
      #expect(try await store.pending(of: 2).map(\.bytes.first) == [9, 1])
    }
  }

  @Test("A removed target's events are gone, also after it is added again", arguments: BackEnd.allCases)
  func removal(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.addWebhook(webhook(1, .fence))
      for _ in 1...450 { try await store.add(webhookEvent()) }
      try await store.change(WebhookChange.remove(WebhookID(1), .webhook("removeWebhook")))
      #expect(try await store.pending(of: 1) == [])
      try await store.maintain(at: 10)
      #expect(try await store.pending(of: 1) == [])
      try await store.addWebhook(webhook(2, .fence))
      try await store.add(webhookEvent())
      #expect(try await store.webhookRow(2)?.pendingCount == 1)
    }
  }

  @Test("An event goes with the erasure of a player whom it names", arguments: BackEnd.allCases)
  func erasure(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for player: UInt8 in 1...2 { try await store.change(hello(UInt128(player), device: player, session: player)) }
      try await store.addWebhook(webhook(1, .fence, .gameEnded, .playerDeleted))
      try await store.addWebhook(webhook(2, .fence))
      for _ in 1...250 { try await store.add(webhookEvent(naming: 1, of: 1)) }
      try await store.add(webhookEvent(naming: 2, of: 2), webhookEvent(.gameEnded, naming: 1, 2, of: 3))
      try await store.add(webhookEvent(.gameEnded, naming: 2, 7, of: 4))
      // Only the mark ends the naming: rooms may tell of the player until then.
      try await store.change(DeletionChange.begin(PlayerID(1), at: moment(3)))
      try await store.add(webhookEvent(naming: 1, of: 5))
      let deletion = DeletionChange.finish(PlayerID(1), at: moment(4))
      try await store.commit([], deletion, WebhookChange.event(webhookEvent(.playerDeleted, of: 6)))
      try await store.add(webhookEvent(naming: 1, of: 7), webhookEvent(naming: 7, of: 8))
      #expect(try await store.webhookRow(2)?.pendingCount == 252)
      try await store.erase(PlayerID(1))
      #expect(try await store.pending(of: 1).map(\.bytes.first) == [2, 4, 6])
      #expect(try await store.pending(of: 2).map(\.bytes.first) == [2])
      let row = try #require(try await store.webhookRow(1))
      #expect(row.pendingCount == 3 && row.pendingBytes == 30 && row.droppedCount == 0)
    }
  }

  @Test("An event of several players loses the part of one who is erased, and stays", arguments: BackEnd.allCases)
  func parts(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for player: UInt8 in 1...2 { try await store.change(hello(UInt128(player), device: player, session: player)) }
      try await store.addWebhook(webhook(1, .gameEnded))
      let names = (1...3).map { "\"playerId\":\"0\($0)\",\"nickname\":\"가람 \($0)\"" }
      func text(_ members: [String]) -> String { "[{" + members.joined(separator: "},{") + "}]" }
      func padded(_ name: String) -> String {
        let erased = "\"nickname\":\"…\""
        return erased + String(repeating: " ", count: name.utf8.count - erased.utf8.count)
      }
      let length = names[0].utf8.count
      let parts = (0..<3).map { (PlayerID(UInt128($0 + 1)), 2 + $0 * (length + 3)..<2 + $0 * (length + 3) + length) }
      let event = WebhookEvent(
        type: .gameEnded,
        players: (1...3).map { PlayerID($0) },
        at: moment(1),
        bytes: Array(text(names).utf8),
        parts: Dictionary(uniqueKeysWithValues: parts)
      )
      // The third is unknown: a deletion came before the event.
      try await store.add(event)
      func pending() async throws -> [String] {
        try await store.pending(of: 1).map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      #expect(try await pending() == [text([names[0], names[1], padded(names[2])])])
      for (player, left) in [(1, text([padded(names[0]), names[1], padded(names[2])])), (2, text(names.map(padded)))] {
        let id = PlayerID(UInt128(player))
        try await store.change(DeletionChange.begin(id, at: moment(3)))
        try await store.change(DeletionChange.finish(id, at: moment(4)))
        try await store.erase(id)
        #expect(try await pending() == [left])
      }
      let row = try #require(try await store.webhookRow(1))
      #expect(row.pendingCount == 1 && row.pendingBytes == Int64(event.bytes.count))
    }
  }
}

@Suite("Every store bounds the events that wait for a webhook")
struct WebhookBoundContractTests {
  @Test("Beyond the bound the oldest events go, counted for their target", arguments: [true, false])
  func bound(inMemory: Bool) async throws {
    try await withStore(inMemory: inMemory, webhookBytesMax: 100) { store in
      try await store.addWebhook(webhook(1, .fence, .suspect))
      try await store.addWebhook(webhook(2, .suspect))
      for byte: UInt8 in 1...10 { try await store.add(webhookEvent(of: byte)) }
      #expect(try await store.webhookRow(1)?.pendingBytes == 100)
      try await store.add(webhookEvent(.suspect, of: 11))
      #expect(try await store.pending(of: 1).map(\.bytes.first) == Array(2...11))
      let large = WebhookChange.event(webhookEvent(.suspect, bytes: 75, of: 12))
      #expect(try await store.change(large) == .added(dropped: 8, targets: 2))
      #expect(try await store.pending(of: 1).map(\.bytes.first) == [10, 11, 12])
      #expect(try await store.pending(of: 2).map(\.bytes.first) == [11, 12])
      #expect(try await store.allWebhooks().map(\.droppedCount) == [9, 0])
      // Of events too large for it one is kept.
      try await store.add(webhookEvent(.suspect, bytes: 200, of: 13))
      #expect(try await store.pending(of: 1).map(\.bytes.first) == [13])
      #expect(try await store.allWebhooks().map(\.droppedCount) == [12, 2])
      #expect(try await store.allWebhooks().map(\.pendingBytes) == [200, 200])
    }
  }
}
