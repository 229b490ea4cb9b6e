// The parts of the gateway that all shards of a server share.
//
// Immutable but for parts that guard themselves; any thread may hold it.
import Game
import Net
import Store

package final class GatewayContext: Sendable {
  package let configuration: GatewayConfiguration
  package let store: any Store
  package let directory: Directory
  package let budgets: Budgets
  package let commits: GroupCommit
  /// The time by which things expire.
  package let expiry: ExpiryClock
  package let metrics: GatewayMetrics
  package let words: SharedWords
  /// The marks by which browsers are known again.
  package let browsers: BrowserMarks
  package let notify: @Sendable (GatewayNotification) -> Void

  /// Makes the context of a server.
  ///
  /// `lastAliveAt` is the server's time at the last commit before the start, nil for a new store. `limitsLoopback`
  /// tells whether the loopback is limited like other addresses. `contributors` are the features' states that add to
  /// each commit. `browsers` are the marks of browsers. `notify` notifies the operator, and is called on any thread.
  package init(
    _ configuration: GatewayConfiguration,
    _ store: any Store,
    lastAliveAt: Instant?,
    limitsLoopback: Bool,
    contributors: [any CommitContributor],
    metrics: GatewayMetrics,
    browsers: BrowserMarks,
    clock: any Clock,
    notify: @escaping @Sendable (GatewayNotification) -> Void
  ) {
    self.configuration = configuration
    self.store = store
    self.metrics = metrics
    words = SharedWords(configuration.words)
    self.browsers = browsers
    self.notify = notify
    budgets = Budgets(limitsLoopback: limitsLoopback)
    directory = Directory()
    expiry = ExpiryClock(
      configuration.clockRecord,
      lastAliveAt: lastAliveAt,
      acceptsClock: configuration.acceptsClock,
      clock: clock
    )
    commits = GroupCommit(store, contributors, metrics, expiry, clock: clock)
  }

  /// An unpredictable random number.
  package func drawNumber<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    Number(drawnBy: configuration.random)
  }
}
