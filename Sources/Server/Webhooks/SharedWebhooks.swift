// The types of events that targets of webhooks have asked for, which every shard reads with each event; and the events
// that wait in memory for a failing store.
//
// Any thread; atomic values, and a lock of the kept events.
import Store
import Synchronization

final class SharedWebhooks: Sendable {
  private let types: Atomic<Int64>
  private let isNoticePosted = Atomic<Bool>(false)
  let kept: KeptEvents

  init(_ rows: [WebhookRow], keptBytesMax: Int) {
    kept = KeptEvents(bytesMax: keptBytesMax)
    types = Atomic(Self.bits(rows))
  }

  private static func bits(_ rows: [WebhookRow]) -> Int64 { rows.reduce(0) { $0 | $1.target.types.bits } }

  /// Whether some target has asked for events of a type.
  func wants(_ type: WebhookEventType) -> Bool {
    types.load(ordering: .relaxed) & Set([type]).bits != 0
  }

  func set(_ rows: [WebhookRow]) {
    types.store(Self.bits(rows), ordering: .relaxed)
  }

  /// Notes that events were added. Returns whether the caller has to tell the deliveries; another shard has it posted
  /// already otherwise.
  func noteAdded() -> Bool { !isNoticePosted.exchange(true, ordering: .acquiringAndReleasing) }

  /// The deliveries look at their outboxes now.
  func takeNotice() { isNoticePosted.store(false, ordering: .releasing) }
}
