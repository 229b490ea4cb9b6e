// The targets of webhooks, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps the targets of webhooks")
struct WebhookTargetContractTests {
  private static func actions(in store: any Store) async throws -> [String] {
    try await withCheckedContinuation { waiting in
      store.audit(before: nil, limit: 9) { waiting.resume(returning: $0) }
    }.get().map(\.action)
  }

  @Test("Targets are added once, by the time of their addition, and removed", arguments: BackEnd.allCases)
  func targets(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.addWebhook(webhook(2, .fence, .suspect, at: 6))
      try await store.addWebhook(webhook(1, .gameEnded))
      try await store.addWebhook(webhook(1, .fence))
      let rows = try await store.allWebhooks()
      #expect(
        rows == [WebhookRow(target: webhook(1, .gameEnded)), WebhookRow(target: webhook(2, .fence, .suspect, at: 6))]
      )
      #expect(try await store.change(WebhookChange.remove(WebhookID(1), .webhook("removeWebhook"))) == .ok)
      #expect(try await store.change(WebhookChange.remove(WebhookID(1), .webhook("removeWebhook"))) == .notFound)
      #expect(try await store.allWebhooks().map(\.target.id) == [WebhookID(2)])
      #expect(try await Self.actions(in: store) == ["removeWebhook", "addWebhook", "addWebhook"])
    }
  }

  @Test("There are eight at most", arguments: BackEnd.allCases)
  func bound(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number in 1...UInt128(WebhookTarget.countMax) { try await store.addWebhook(webhook(number, .fence)) }
      let ninth = WebhookChange.add(webhook(9, .fence), .webhook("addWebhook"))
      #expect(try await store.change(ninth) == .tooMany)
      #expect(try await store.allWebhooks().count == WebhookTarget.countMax)
      #expect(try await Self.actions(in: store).count == WebhookTarget.countMax)
      try await store.change(WebhookChange.remove(WebhookID(3), .webhook("removeWebhook")))
      #expect(try await store.change(ninth) == .ok)
    }
  }

  @Test(
    "The first failure since a success is kept, until a success or until it is enabled",
    arguments: BackEnd.allCases
  )
  func failures(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.addWebhook(webhook(1, .fence))
      func fail(_ at: Int64, switchesOff: Bool = false) -> WebhookChange {
        .failed(WebhookID(1), WebhookFailure(at: moment(at), text: "no \(at)"), switchesOff: switchesOff)
      }
      for at: Int64 in [7, 8] { #expect(try await store.change(fail(at)) == .ok) }
      var row = try #require(try await store.webhookRow(1))
      #expect(row.failingSince == moment(7) && row.lastFailure == WebhookFailure(at: moment(8), text: "no 8"))
      #expect(try await store.change(WebhookChange.delivered(WebhookID(1), through: 0)) == .delivered(0))
      row = try #require(try await store.webhookRow(1))
      #expect(row.failingSince == nil && row.lastFailure?.at == moment(8) && row.switchedOff == nil)
      try await store.change(fail(9, switchesOff: true))
      row = try #require(try await store.webhookRow(1))
      #expect(row.failingSince == moment(9) && row.switchedOff == WebhookFailure(at: moment(9), text: "no 9"))
      #expect(try await store.change(WebhookChange.enable(WebhookID(1), .webhook("enableWebhook"))) == .ok)
      row = try #require(try await store.webhookRow(1))
      #expect(row.failingSince == nil && row.switchedOff == nil && row.lastFailure?.text == "no 9")
      #expect(try await Self.actions(in: store) == ["enableWebhook", "addWebhook"])
    }
  }

  @Test("An unknown target is an outcome, and nothing is written", arguments: BackEnd.allCases)
  func unknown(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let failure = WebhookFailure(at: moment(1), text: "no")
      let changes: [WebhookChange] = [
        .enable(WebhookID(1), .webhook("enableWebhook")),
        .test(WebhookID(1), webhookEvent(.test), .webhook("testWebhook")),
        .delivered(WebhookID(1), through: 9),
        .failed(WebhookID(1), failure, switchesOff: true),
      ]
      for change in changes {
        let outcome = try await store.change(change)
        #expect(outcome == .notFound)
      }
      #expect(try await Self.actions(in: store) == [])
      #expect(try await store.pending(of: 1) == [])
    }
  }
}
