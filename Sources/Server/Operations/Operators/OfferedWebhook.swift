// A target of webhooks that an operator offers. A value.
import Game
import Store

package struct OfferedWebhook: Hashable, Sendable {
  package let url: String
  /// The operator's word for it; may be empty.
  package let name: String
  /// The types of events that it asks for.
  package let types: Set<WebhookEventType>

  package init(url: String, name: String = "", types: Set<WebhookEventType>) {
    self.url = url
    self.name = name
    self.types = types
  }

  /// The fault of its name; nil for a sound one.
  var fault: String? { WebhookTarget.fault(ofName: name) }
}
