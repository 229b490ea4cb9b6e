// The operator's backend in a run: a receiver that fails, and the referee of what it receives.
//
// Used by one simulation on its thread. It outlives the server.
import MadangProtocol
import Net
import SeededRandom
import Store

final class SimulatedBackend {
  let receiver: SimulatedReceiver
  private var referee = WebhookReferee()

  init(clock: VirtualClock, random: SplitMix64) {
    receiver = SimulatedReceiver(clock: clock, random: random)
  }

  /// Takes a batch that the store has written.
  func take(_ batch: Batch) throws(BrokenRule) {
    try referee.take(batch)
  }

  /// Receives and answers everything due, and checks it.
  func act(at now: Timestamp) throws(BrokenRule) {
    receiver.act(at: now)
    for request in receiver.takeReceived() { try referee.take(request) }
    try BrokenRule.unless(receiver.underWayMost <= 1, .webhooksInOrder, "\(receiver.underWayMost) requests at a time")
  }

  /// Checks that an event at a fence is written when a player is told of it, or later where the store has failed.
  func check(_ change: WireFenceChange, to player: String, storeHasFailed: Bool) throws(BrokenRule) {
    try referee.check(change, to: player, storeHasFailed: storeHasFailed)
  }

  /// The server is lost.
  func crash() {
    receiver.crash()
    referee.crash()
  }

  /// Checks that everything was received, and counts it.
  func finish(_ report: inout Report) throws(BrokenRule) {
    try referee.checkComplete()
    report.webhookEvents = referee.writtenCount
    report.webhookDeliveries = referee.deliveries
    report.webhookFailures = receiver.failures
  }
}
