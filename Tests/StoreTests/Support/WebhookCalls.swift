// Targets and events of webhooks for tests, and the contract's calls on them, which wait for the answer.
import Game
import Store
import Testing

func webhook(_ number: UInt128, _ types: WebhookEventType..., at: Int64 = 5) -> WebhookTarget {
  WebhookTarget(
    id: WebhookID(number),
    name: "backend \(number)",
    url: "https://example.org/\(number)",
    secret: "whsec_\(number)",
    types: Set(types),
    createdAt: moment(at)
  )
}

/// An event with this many bytes, each the last digit of a name.
func webhookEvent(
  _ type: WebhookEventType = .fence,
  naming players: UInt128...,
  bytes: Int = 10,
  of byte: UInt8 = 1,
  at: Int64 = 0
) -> WebhookEvent {
  WebhookEvent(
    type: type,
    players: players.map { PlayerID($0) },
    at: moment(at),
    bytes: [UInt8](repeating: byte, count: bytes)
  )
}

extension AuditEntry {
  static func webhook(_ action: String) -> AuditEntry {
    AuditEntry(at: moment(5), address: "::1", action: action)
  }
}

extension Store {
  func addWebhook(_ target: WebhookTarget) async throws {
    #expect(try await change(WebhookChange.add(target, .webhook("addWebhook"))) == .ok)
  }

  /// Adds events in one commit each.
  func add(_ events: WebhookEvent...) async throws {
    for event in events { try await change(WebhookChange.event(event)) }
  }

  func allWebhooks() async throws -> [WebhookRow] {
    let rows = try await withCheckedContinuation { waiting in webhooks { waiting.resume(returning: $0) } }.get()
    #expect(try webhooks() == rows)
    return rows
  }

  func webhookRow(_ number: UInt128) async throws -> WebhookRow? {
    try await allWebhooks().first { $0.target.id == WebhookID(number) }
  }

  func pending(
    of number: UInt128,
    through last: Int64? = nil,
    limit: Int = 99,
    bytesMax: Int = 1_000_000
  ) async throws -> [PendingWebhookEvent] {
    try await withCheckedContinuation { waiting in
      pendingWebhookEvents(of: WebhookID(number), through: last, limit: limit, bytesMax: bytesMax) {
        waiting.resume(returning: $0)
      }
    }.get()
  }
}
