// The gateway's own budgets: what all features use.
import MadangProtocol

extension Budget {
  // A phone that walks for hours and chats stays far below. A new phone has enough for a minute of the densest chat.
  package static let journal = Budget("JOURNAL_BYTES", for: .player, .perHour(4 << 20, burst: 256 << 10))
  // Enough for 400 phones at two positions a second behind one address. Sixteen such addresses write 25 MiB
  // in a minute.
  package static let journalOfAddress = Budget(
    "JOURNAL_BYTES",
    for: .address,
    .perHour(64 << 20, burst: 512 << 10),
    exemptsLoopback: true
  )
  package static let queries = Budget("QUERIES", for: .player, .perMinute(Limits.queriesPerMinute))
  package static let queriesOfAddress = Budget(
    "QUERIES",
    for: .address,
    .perMinute(Limits.queriesPerMinuteForAddress),
    exemptsLoopback: true
  )

  // Amounts.
  static let waitingJournals = Budget(amountOf: "WAITING_JOURNAL_BYTES", for: .process)
  package static let connections = Budget(amountOf: "CONNECTIONS", for: .process)
  package static let connectionsOfAddress = Budget(amountOf: "CONNECTIONS", for: .address)
  static let requestsOfAddress = Budget(amountOf: "HTTP_REQUESTS", for: .address)
  static let upgradesOfAddress = Budget(amountOf: "UPGRADES", for: .address)
  static let handshakes = Budget(amountOf: "TLS_HANDSHAKES", for: .process)
  package static let unsentBytes = Budget(amountOf: "UNSENT_BYTES", for: .process)
  package static let dataBytes = Budget(amountOf: "DATA_BYTES", for: .process)

  package static let ofGateway: [Budget] = [
    .journal, .journalOfAddress, .queries, .queriesOfAddress, .waitingJournals, .connections, .connectionsOfAddress,
    .requestsOfAddress, .upgradesOfAddress, .handshakes, .unsentBytes, .dataBytes,
  ]
}

extension ShardGateway {
  /// The current use of all budgets that are amounts.
  package var amounts: [BudgetAmount] { ownAmounts + features.flatMap { $0.amounts } }

  private var ownAmounts: [BudgetAmount] {
    let (net, limits, commits) = (core.budgets, core.limits, context.commits)
    let usage = context.store.usage
    return [
      BudgetAmount(.waitingJournals, used: commits.waitingBytes, bound: GroupCommit.waitingBytesMax),
      BudgetAmount(.connections, used: net.connections.used.inAll, bound: limits.connectionsMax),
      BudgetAmount(.connectionsOfAddress, used: net.connections.used.ofAddress, bound: limits.connectionsPerAddressMax),
      BudgetAmount(
        .requestsOfAddress,
        used: net.requests.mostUsed(at: core.now),
        bound: limits.requestsPerMinuteForAddress,
        refusals: net.requests.refusals
      ),
      BudgetAmount(
        .upgradesOfAddress,
        used: net.upgrades.mostUsed(at: core.now),
        bound: limits.upgradesPerMinuteForAddress,
        refusals: net.upgrades.refusals
      ),
      BudgetAmount(.handshakes, used: net.handshakes.count, bound: net.handshakes.totalMax),
      BudgetAmount(.unsentBytes, used: net.unsent.usedBytes, bound: net.unsent.bytesMax),
      BudgetAmount(.dataBytes, used: usage?.usedBytes ?? 0, bound: usage?.bytesMax ?? 0),
    ]
  }
}
