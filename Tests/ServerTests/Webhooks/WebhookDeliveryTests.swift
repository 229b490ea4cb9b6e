// The machine of a target's deliveries, rule by rule: the test is its store, its target and its clock.
import Game
import Server
import Store
import Testing

@Suite("Deliveries to a webhook")
struct WebhookDeliveryTests {
  typealias Step = WebhookDelivery.Step

  private static let target = WebhookTarget(
    id: WebhookID(1),
    url: "https://example.org/",
    secret: "whsec_",
    types: [.fence],
    createdAt: at(0)
  )

  private static func at(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1_000) }

  private static func events(_ numbers: ClosedRange<Int64>) -> [PendingWebhookEvent] {
    numbers.map { PendingWebhookEvent(number: $0, bytes: Array("{\"n\":\($0)}".utf8)) }
  }

  private static func batch(_ numbers: ClosedRange<Int64>) -> WebhookBatch {
    WebhookBatch(numbers: numbers, events: events(numbers))
  }

  private static func failure(_ text: String, at seconds: Int64, switchesOff: Bool = false) -> Step {
    .noteFailure(WebhookFailure(at: at(seconds), text: text), switchesOff: switchesOff)
  }

  /// A machine that is sending these events.
  private static func sending(
    _ numbers: ClosedRange<Int64> = 1...3,
    _ row: WebhookRow = WebhookRow(target: target)
  ) -> WebhookDelivery {
    var delivery = WebhookDelivery(row)
    #expect(delivery.eventsAdded() == [.read(through: nil)])
    #expect(delivery.eventsRead(.success(events(numbers))) == [.send(batch(numbers))])
    return delivery
  }

  /// Has the request fail, and the batch be read and sent again.
  private static func fail(
    _ delivery: inout WebhookDelivery,
    _ response: WebhookResponse = .answered(status: 500),
    at seconds: Int64 = 0,
    random: UInt64 = 0,
    through last: Int64 = 3
  ) -> Int64? {
    let steps = delivery.answered(response, at: at(seconds), random: random)
    guard steps.count == 2, case .wait(let ms) = steps[1] else { return nil }
    #expect(delivery.timerFired() == [.read(through: last)])
    #expect(delivery.eventsRead(.success(events(1...last))) == [.send(batch(1...last))])
    return ms
  }

  @Test("Delivered events are committed before the next are read, until none wait")
  func success() {
    var delivery = Self.sending()
    #expect(delivery.eventsAdded() == [])
    #expect(delivery.answered(.answered(status: 204), at: Self.at(1), random: 0) == [.noteDelivery(through: 3)])
    #expect(delivery.eventsAdded() == [] && delivery.timerFired() == [])
    #expect(delivery.deliveryNoted(.delivered(3)) == [.read(through: nil)])
    #expect(delivery.eventsRead(.success([])) == [])
    #expect(delivery.eventsAdded() == [.read(through: nil)])
  }

  @Test("Events that come while the outbox is read are found")
  func news() {
    var delivery = WebhookDelivery(WebhookRow(target: Self.target))
    #expect(delivery.eventsAdded() == [.read(through: nil)])
    #expect(delivery.eventsAdded() == [])
    #expect(delivery.eventsRead(.success([])) == [.read(through: nil)])
    #expect(delivery.eventsRead(.success([])) == [])
  }

  @Test("A failed batch comes again with its name, without events that came later and without those that went")
  func sameBatch() {
    var delivery = Self.sending(4...9)
    let steps = delivery.answered(.failed("no route"), at: Self.at(1), random: 0)
    #expect(steps == [Self.failure("FAILED: no route", at: 1), .wait(ms: 1_000)])
    #expect(delivery.eventsAdded() == [])
    #expect(delivery.timerFired() == [.read(through: 9)])
    let rest = WebhookBatch(numbers: 4...9, events: Self.events(6...8))
    #expect(delivery.eventsRead(.success(Self.events(6...8))) == [.send(rest)])
    #expect(rest.id(for: WebhookID(1)) == Self.batch(4...9).id(for: WebhookID(1)))
    #expect(delivery.answered(.answered(status: 200), at: Self.at(2), random: 0) == [.noteDelivery(through: 9)])
  }

  @Test("Where nothing of a batch is left, the events behind it are next")
  func lostBatch() {
    var delivery = Self.sending(1...3)
    _ = delivery.answered(.failed("no"), at: Self.at(1), random: 0)
    #expect(delivery.timerFired() == [.read(through: 3)])
    #expect(delivery.eventsRead(.success([])) == [.read(through: nil)])
    #expect(delivery.eventsRead(.success(Self.events(7...8))) == [.send(Self.batch(7...8))])
  }

  @Test("The wait doubles from 1 s to 5 min, less up to half of it at random, and begins anew with a success")
  func backoff() {
    var delivery = Self.sending()
    let waits = (0..<11).map { _ in Self.fail(&delivery) }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { $0 * 1_000 })
    _ = delivery.answered(.answered(status: 200), at: Self.at(1), random: 0)
    _ = delivery.deliveryNoted(.delivered(3))
    _ = delivery.eventsRead(.success(Self.events(1...3)))
    #expect(Self.fail(&delivery, random: .max) == 1_000 - Int64(UInt64.max % 501))
    #expect(Self.fail(&delivery, random: 1_000) == 1_000)
  }

  @Test(
    "A busy target is asked again when it wants to be, within an hour",
    arguments: [(429, 30, 30), (503, 7_200, 3_600), (503, 0, 1), (500, 30, 1), (503, -5, 1)] as [(Int, Int64, Int64)]
  )
  func retryAfter(status: Int, asked: Int64, waits: Int64) {
    var delivery = Self.sending()
    #expect(Self.fail(&delivery, .answered(status: status, retryAfterS: asked)) == waits * 1_000)
  }

  @Test("Every status but those of success is a failure, redirects too", arguments: [302, 308, 400, 404, 500])
  func statuses(status: Int) {
    var delivery = Self.sending()
    let steps = delivery.answered(.answered(status: status), at: Self.at(1), random: 0)
    #expect(steps.count == 2 && steps[1] == .wait(ms: 1_000))
    guard case .noteFailure(let failure, false) = steps[0] else {
      Issue.record("no failure")
      return
    }
    #expect(failure.text.contains("redirect") == (300..<400 ~= status))
  }

  @Test("410 switches a target off at once, and it stays so until it is enabled")
  func gone() {
    var delivery = Self.sending()
    let steps = delivery.answered(.answered(status: 410), at: Self.at(1), random: 0)
    #expect(steps == [Self.failure("STATUS_410: the answer has the status 410", at: 1, switchesOff: true)])
    #expect(delivery.isOff && delivery.eventsAdded() == [] && delivery.timerFired() == [])
    #expect(delivery.enable() == [.read(through: 3)])
    #expect(!delivery.isOff)
  }

  @Test("A day without a success switches a target off; a success begins the day anew")
  func day() {
    let day: Int64 = 24 * 60 * 60
    var delivery = Self.sending()
    _ = Self.fail(&delivery, at: 100)
    #expect(Self.fail(&delivery, at: 99 + day) != nil)
    let steps = delivery.answered(.failed("no route"), at: Self.at(100 + day), random: 0)
    #expect(steps == [Self.failure("nothing delivered for a day: FAILED: no route", at: 100 + day, switchesOff: true)])
    delivery = Self.sending()
    _ = Self.fail(&delivery, at: 100)
    _ = delivery.answered(.answered(status: 200), at: Self.at(99 + day), random: 0)
    _ = delivery.deliveryNoted(.delivered(3))
    _ = delivery.eventsRead(.success(Self.events(1...3)))
    #expect(Self.fail(&delivery, at: 100 + day) != nil)
  }

  @Test("A restart goes on with the day, and with the switching off")
  func restart() {
    let day: Int64 = 24 * 60 * 60
    var row = WebhookRow(target: Self.target)
    row.failingSince = Self.at(100)
    var delivery = Self.sending(1...3, row)
    #expect(Self.fail(&delivery, at: 100 + day) != nil, "a server that was down has tried nothing")
    #expect(Self.fail(&delivery, at: 100 + day + 3_599) != nil)
    #expect(delivery.answered(.failed("no"), at: Self.at(100 + day + 3_600), random: 0).count == 1)
    row.switchedOff = WebhookFailure(at: Self.at(9), text: "no")
    delivery = WebhookDelivery(row)
    #expect(delivery.isOff && delivery.eventsAdded() == [])
    #expect(delivery.enable() == [.read(through: nil)])
    #expect(delivery.eventsRead(.success(Self.events(1...3))) == [.send(Self.batch(1...3))])
    #expect(Self.fail(&delivery, at: 101 + day) == 1_000)
  }

  @Test("A target whose pending events have gone is failing no more")
  func emptied() {
    var delivery = Self.sending()
    _ = delivery.answered(.failed("no"), at: Self.at(1), random: 0)
    #expect(delivery.timerFired() == [.read(through: 3)])
    #expect(delivery.eventsRead(.success([])) == [.read(through: nil)])
    // The store is told, so that a restart knows of no failure either.
    #expect(delivery.eventsRead(.success([])) == [.noteDelivery(through: 0)])
    #expect(delivery.deliveryNoted(.delivered(0)) == [.read(through: nil)])
    #expect(delivery.eventsRead(.success([])) == [])
    #expect(delivery.eventsAdded() == [.read(through: nil)])
    #expect(delivery.eventsRead(.success(Self.events(7...8))) == [.send(Self.batch(7...8))])
    let day: Int64 = 24 * 60 * 60
    #expect(delivery.answered(.failed("no"), at: Self.at(1 + day), random: 0).count == 2)
  }

  @Test("Enabling tries a failing target at once, and disturbs no request that is under way")
  func enabling() {
    var delivery = Self.sending()
    #expect(delivery.enable() == [])
    _ = delivery.answered(.failed("no"), at: Self.at(1), random: 0)
    #expect(delivery.enable() == [.read(through: 3)])
    #expect(delivery.timerFired() == [])
  }

  @Test("An outbox that can't be read or written is tried again later")
  func store() {
    var delivery = WebhookDelivery(WebhookRow(target: Self.target))
    _ = delivery.eventsAdded()
    #expect(delivery.eventsRead(.failure(.full)) == [.wait(ms: 1_000)])
    #expect(delivery.timerFired() == [.read(through: nil)])
    #expect(delivery.eventsRead(.success(Self.events(1...3))) == [.send(Self.batch(1...3))])
    _ = delivery.answered(.answered(status: 200), at: Self.at(1), random: 0)
    #expect(delivery.deliveryNoted(.unavailable) == [.wait(ms: 300_000)])
    #expect(delivery.timerFired() == [.read(through: nil)])
  }

  @Test("A batch is one JSON object of its events in their order")
  func body() {
    #expect(String(decoding: Self.batch(2...3).body, as: UTF8.self) == #"{"events":[{"n":2},{"n":3}]}"#)
    #expect(Self.batch(2...3).id(for: WebhookID(255)) == "000000000000000000000000000000ff-2-3")
  }
}
