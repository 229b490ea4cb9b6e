// Changes of webhooks in a store or by the running server, and their lines.
import ArgumentParser
import ConsoleProtocol
import Game
import HTTPClient
import Store

extension OpenedList {
  /// Adds a webhook.
  ///
  /// - Returns: its identifier and its secret, for the operator.
  func addWebhook(
    _ url: String,
    _ name: String,
    _ types: Set<WebhookEventType>,
    allowsPrivate: Bool
  ) async throws -> String {
    switch self {
    case .store(let store):
      if let fault = WebhookAddress.fault(url, allowsPrivate: allowsPrivate) {
        throw ValidationError("nothing is added: \(fault).")
      }
      var random = SystemRandomNumberGenerator()
      let target = WebhookTarget(
        id: WebhookID(UInt128.random(in: .min ... .max, using: &random)),
        name: name,
        url: url,
        secret: WebhookSecret.make().text,
        types: types,
        createdAt: .now
      )
      switch try await store.commit(WebhookChange.add(target, .byCommand("addWebhook", target.auditText))) {
      case .ok: return target.secretText
      case .tooMany:
        throw ValidationError(
          "nothing is added: there are \(WebhookTarget.countMax) webhooks already; remove one first."
        )
      default: throw ValidationError("nothing is added: the store is damaged there; see madang check.")
      }
    case .server(let feed, _):
      let request = FeedAddWebhook.with {
        $0.url = url
        if !name.isEmpty { $0.name = name }
        $0.events = types.sorted().map(\.name)
      }
      return try feed.act("addWebhook", request.consoleJSON)
    }
  }

  /// Does something with a webhook.
  ///
  /// - Returns: what was done, in words.
  func act(
    _ action: String,
    on webhook: WebhookID,
    _ change: ((WebhookID, AuditEntry) -> WebhookChange)?
  ) async throws -> String {
    switch self {
    case .store(let store):
      guard let change else { throw ValidationError("nothing is done: no server runs on the folder.") }
      switch try await store.commit(change(webhook, .byCommand(action, "\(webhook)"))) {
      case .ok: return "\(webhook)  done"
      case .notFound: throw ValidationError("nothing is done: there is no webhook \(webhook).")
      default: throw ValidationError("nothing is done: the store is damaged there; see madang check.")
      }
    case .server(let feed, _):
      return try feed.act(action, FeedActOnWebhook.with { $0.webhook = webhook.description }.consoleJSON)
    }
  }
}

extension WebhookRow {
  /// The lines for an operator: the target, what waits for it, and the state of its deliveries.
  func text(at now: Instant) -> String {
    let types = target.types.sorted().map(\.name).joined(separator: ",")
    let name = target.name.isEmpty ? "" : "  \(target.name.printable)"
    let age = oldestAt.map { ", the oldest for \(max(0, (now - $0).components.seconds)) s" } ?? ""
    var lines = ["\(target.id)  \(target.url.printable(2_100))  \(types)\(name)"]
    lines.append("  \(pendingCount) pending (\(pendingBytes) bytes\(age))")
    lines.append("  \(deliveredCount) delivered, \(droppedCount) dropped")
    if let switchedOff {
      lines.append("  switched off since \(switchedOff.at.utc): \(switchedOff.text.printable(300))")
    } else if let failingSince {
      lines.append("  failing since \(failingSince.utc)")
    } else {
      lines.append("  enabled")
    }
    if let lastFailure { lines.append("  last failure \(lastFailure.at.utc): \(lastFailure.text.printable(300))") }
    return lines.joined(separator: "\n")
  }
}
