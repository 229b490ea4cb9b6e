// The mapping of a survey's numbers to metrics and labels.
//
// On the operators' shard. Each series exists from the first scrape on, with 0 where nothing has happened, so that a
// first event shows as an increase.
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

extension MetricsCollector {
  mutating func take(_ survey: ServerSurvey, operatorRefusals: Int) {
    takeConnections(survey.net, survey.play, survey)
    takeMessages(survey.messages, survey.net, survey)
    survey.play.features.set(in: &self)
    survey.places.set(in: &self)
    survey.moderation.set(in: &self)
    takeStore(survey)
    for shard in survey.shards { takeShard(shard) }
    takeProcess(survey)
    for row in survey.shards.flatMap(\.budgets) { takeBudget(row, survey.net) }
    count(.operatorRefusals, operatorRefusals)
    gauge(.isDraining, survey.isDraining ? 1 : 0)
  }

  private mutating func takeConnections(_ net: ShardCounters, _ play: PlayStatistics, _ survey: ServerSurvey) {
    gauge(.connections, survey.sum(\.connections))
    gauge(.playersConnected, survey.playersConnected)
    count(.connectionsAccepted, net.connectionsAccepted)
    count(.connectionsRefused, net.connectionsOverLimit, ("reason", "LIMIT"))
    count(.connectionsRefused, net.connectionsOverAddressLimit, ("reason", "ADDRESS_LIMIT"))
    count(.connectionsRefused, net.connectionsWithoutDescriptor, ("reason", "DESCRIPTORS"))
    count(.connectionsMoved, net.connectionsAdopted)
    count(.connectionsClosed, net.connectionsClosed)
    count(.webSocketsOpened, play.gateway.opened)
    for (code, total) in Self.closesByLabel(play.gateway.closed) { count(.webSocketsClosed, total, ("code", code)) }
  }

  /// The closes by label. A peer may send any code: codes without a meaning share one label.
  static func closesByLabel(_ closed: [UInt16: Int]) -> [String: Int] {
    var totals: [String: Int] = ["NONE": 0, "OTHER": 0]
    for code in knownCloseCodes { totals[String(code)] = 0 }
    for (code, total) in closed {
      let label = knownCloseCodes.contains(code) ? String(code) : "OTHER"
      totals[code == GatewayStatistics.noCloseCode ? "NONE" : label, default: 0] += total
    }
    return totals
  }

  private static let knownCloseCodes =
    [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1011] + CloseCode.allCases.map(\.rawValue)

  private mutating func takeMessages(_ messages: MessageCounts, _ net: ShardCounters, _ survey: ServerSurvey) {
    for type in ReceivedType.allCases {
      count(.messagesReceived, messages.received[type], ("type", type.name))
      count(.messagesReceivedBytes, messages.receivedBytes[type], ("type", type.name))
    }
    for type in SentType.allCases {
      count(.messagesSent, messages.sent[type], ("type", type.name))
      count(.messagesSentBytes, messages.sentBytes[type], ("type", type.name))
    }
    for type in [SentType.tick, .ranking, .postNews, .feedNews] {
      count(.messagesConflated, messages.conflated[type], ("type", type.name))
    }
    count(.messagesOverRate, messages.overRateRefused, ("outcome", "REFUSED"))
    count(.messagesOverRate, messages.overRateDropped, ("outcome", "DROPPED"))
    for code in WireErrorCode.allCases where code != .unspecified {
      count(.errors, messages.errors[code] ?? 0, ("code", code.name))
    }
    count(.networkReceivedBytes, net.bytesIn)
    count(.networkSentBytes, net.bytesOut)
    count(.sendQueueDroppedBytes, net.bytesDropped)
    gauge(.sendQueueBytes, survey.sum(\.unsentBytes))
    gauge(.connectionsBehind, survey.sum(\.connectionsBehind))
  }

  private mutating func takeStore(_ survey: ServerSurvey) {
    count(.commitFailures, survey.commits.failures)
    gauge(.journalLag, Double(survey.journalLagMicroseconds) / 1e6)
    gauge(.journalWaitingBytes, survey.waitingBytes)
    gauge(.isStoreFailing, survey.isStoreFailing ? 1 : 0)
    gauge(.isClockSuspect, survey.isClockSuspect ? 1 : 0)
    gauge(.copyAge, Double((survey.copy?.age ?? .zero).wholeMilliseconds) / 1e3)
    gauge(.isCopyFailing, survey.copy?.failure == nil ? 0 : 1)
    gauge(.isCopyAnothers, survey.copy?.isAnothers == true ? 1 : 0)
    gauge(.copyWaitingPictures, survey.copy?.waitingPictures ?? 0)
    count(.copyWrittenBytes, survey.copy?.writtenBytes ?? 0)
  }

  private mutating func takeShard(_ shard: ShardSurvey) {
    let label = ("shard", String(shard.index))
    count(.shardCPU, microseconds: shard.cpuMicroseconds, label)
    count(.shardTurns, shard.net.turns, label)
    count(.shardCalls, shard.net.calls, label)
    gauge(.shardConnections, shard.connections, label)
    gauge(.shardAtBeat, shard.isCoalescingReads ? 1 : 0, label)
    gauge(.shardLoad, shard.load, label)
    gauge(.shardOverloaded, shard.isOverloaded ? 1 : 0, label)
    shard.play.features.set(in: &self, ofShard: label)
  }

  private mutating func takeBudget(_ row: BudgetRow, _ net: ShardCounters) {
    let labels = (("budget", row.budget.resource), ("scope", row.budget.scope.rawValue))
    gauge(.budgetBound, Double(row.bound), labels.0, labels.1)
    gauge(.budgetUsed, Double(row.used), labels.0, labels.1)
    count(.budgetRefusals, row.refusals(with: net), labels.0, labels.1)
  }

  private mutating func takeProcess(_ survey: ServerSurvey) {
    let process = survey.process
    gauge(.buildInfo, 1, ("version", GameServer.version), ("rules", String(RulesVersion.current)))
    gauge(.residentBytes, process.residentBytes)
    gauge(.virtualBytes, process.virtualBytes)
    gauge(.openDescriptors, process.openDescriptors)
    gauge(.descriptorsMax, process.descriptorsMax)
    count(.cpu, microseconds: process.cpuMicroseconds)
    gauge(.startTime, Double(survey.beganAt.milliseconds) / 1e3)
  }
}
