// The metrics of connections, messages, the store, budgets, shards and the process. Values.
//
// No feature has them: the operators' survey asks the gateway, the sockets and the system for their values, each once
// for all shards (`MetricsOfSurvey`).
import Gateway

extension Metric {
  static let connections = Metric("madang_connections", "TCP connections that are open now.")
  static let connectionsAccepted = Metric("madang_connections_accepted_total", "TCP connections that were accepted.")
  static let connectionsRefused = Metric(
    "madang_connections_refused_total",
    "TCP connections that were refused: over the limit of all, over that of their address, no descriptor left."
  )
  static let connectionsMoved = Metric(
    "madang_connections_moved_total",
    "Connections that went to the shard of their room."
  )
  static let connectionsClosed = Metric("madang_connections_closed_total", "TCP connections that ended.")
  static let webSocketsOpened = Metric("madang_websockets_opened_total", "WebSockets of players that were opened.")
  static let webSocketsClosed = Metric(
    "madang_websockets_closed_total",
    "WebSockets of players that were closed, by the close code; NONE for an end without one, OTHER for an unknown one."
  )
  static let messagesReceived = Metric("madang_messages_received_total", "Messages from players, by their types.")
  static let messagesReceivedBytes = Metric(
    "madang_messages_received_bytes_total",
    "Bytes of messages from players, without frames, inflated."
  )
  static let messagesSent = Metric("madang_messages_sent_total", "Messages to players, by their types.")
  static let messagesSentBytes = Metric(
    "madang_messages_sent_bytes_total",
    "Bytes of messages to players, without frames, not compressed."
  )
  static let messagesConflated = Metric(
    "madang_messages_conflated_total",
    "Messages that a connection was too far behind to take; newer ones replace them."
  )
  static let messagesOverRate = Metric(
    "madang_messages_over_rate_total",
    "Messages over a player's rate, by whether their sender was told."
  )
  static let errors = Metric("madang_errors_total", "Errors that requests were answered with, by their codes.")
  static let networkReceivedBytes = Metric(
    "madang_network_received_bytes_total",
    "Bytes that were read from connections."
  )
  static let networkSentBytes = Metric("madang_network_sent_bytes_total", "Bytes that the kernel took for connections.")
  static let sendQueueBytes = Metric("madang_send_queue_bytes", "Bytes that wait to be sent, of all connections now.")
  static let sendQueueDroppedBytes = Metric(
    "madang_send_queue_dropped_bytes_total",
    "Bytes that waited to be sent when their connections ended."
  )
  static let connectionsBehind = Metric(
    "madang_connections_behind",
    "Connections with so much unsent that they get no ticks."
  )
  static let playersConnected = Metric("madang_players_connected", "Players who are connected now, in a room or not.")
  static let commitFailures = Metric("madang_commit_failures_total", "Commits that failed and are tried again.")
  static let journalLag = Metric(
    "madang_journal_lag_seconds",
    "How long the oldest piece of the journals has waited for its commit."
  )
  static let journalWaitingBytes = Metric(
    "madang_journal_waiting_bytes",
    "Bytes of journals that wait behind the commit that is under way."
  )
  static let isStoreFailing = Metric(
    "madang_store_failing",
    "1 while nothing can be committed and durable requests are refused."
  )
  static let isClockSuspect = Metric(
    "madang_clock_suspect",
    "1 while the machine's clock is not believed and nothing expires."
  )
  static let copyAge = Metric(
    "madang_copy_age_seconds",
    "How old the oldest commit is that the streamed copy lacks; 0 where it has all, and where there is no copy."
  )
  static let isCopyFailing = Metric("madang_copy_failing", "1 while the streamed copy can't be written.")
  static let isCopyAnothers = Metric(
    "madang_copy_taken",
    "1 while another server has the streamed copy for itself, so that nothing is copied."
  )
  static let copyWaitingPictures = Metric("madang_copy_waiting_pictures", "Pictures that the streamed copy lacks.")
  static let copyWrittenBytes = Metric(
    "madang_copy_written_bytes_total",
    "Bytes of files that were written to the streamed copy."
  )
  static let budgetBound = Metric(
    "madang_budget_bound",
    "The bound of a budget; of a rate its burst. docs/BUDGETS.md has the table."
  )
  static let budgetUsed = Metric(
    "madang_budget_used",
    "The used part of a budget; of a rate the most that anyone had used in the last minute or two."
  )
  static let budgetRefusals = Metric(
    "madang_budget_refusals_total",
    "How often somebody was refused, or gave way, for a budget that was spent."
  )
  static let shardCPU = Metric("madang_shard_cpu_seconds_total", "CPU time of a shard.")
  static let shardTurns = Metric("madang_shard_turns_total", "Turns of a shard: how often it was awake.")
  static let shardCalls = Metric("madang_shard_calls_total", "Calls of a shard by Dispatch: how often it left a rest.")
  static let shardConnections = Metric("madang_shard_connections", "Connections that a shard owns now.")
  static let shardAtBeat = Metric("madang_shard_at_beat", "1 while a shard reads at a beat, as it does under load.")
  static let shardLoad = Metric(
    "madang_shard_load_ratio",
    "The share of time in which a shard works instead of waiting, over the last seconds; by the wall clock."
  )
  static let shardOverloaded = Metric(
    "madang_shard_overloaded",
    "1 while a shard has more to do than it can: its ticks come late, and no new room is made on it."
  )
  static let isDraining = Metric("madang_draining", "1 from when the server was told to end.")
  static let operatorRefusals = Metric(
    "madang_operator_refusals_total",
    "Requests of operators that were refused: no token or a wrong one, a foreign page or name."
  )
  static let buildInfo = Metric(
    "madang_build_info",
    "1, with the release of the program and the version of the rules that it plays by."
  )
  static let residentBytes = Metric("process_resident_memory_bytes", "Memory that the process has in RAM.")
  static let virtualBytes = Metric("process_virtual_memory_bytes", "Addresses that the process has.")
  static let openDescriptors = Metric("process_open_fds", "Descriptors that are open.")
  static let descriptorsMax = Metric("process_max_fds", "Descriptors that may be open.")
  static let cpu = Metric("process_cpu_seconds_total", "CPU time of the process, user and system.")
  static let startTime = Metric("process_start_time_seconds", "When the process began, since the Unix epoch.")

  /// The metrics of the whole server that no feature has.
  static let ofServer: [Metric] = [
    .connections, .connectionsAccepted, .connectionsRefused, .connectionsMoved, .connectionsClosed,
    .webSocketsOpened, .webSocketsClosed, .messagesReceived, .messagesReceivedBytes, .messagesSent,
    .messagesSentBytes, .messagesConflated, .messagesOverRate, .errors, .networkReceivedBytes, .networkSentBytes,
    .sendQueueBytes, .sendQueueDroppedBytes, .connectionsBehind, .playersConnected, .commitFailures, .journalLag,
    .journalWaitingBytes, .isStoreFailing, .isClockSuspect, .copyAge, .isCopyFailing, .isCopyAnothers,
    .copyWaitingPictures,
    .copyWrittenBytes, .budgetBound, .budgetUsed, .budgetRefusals, .shardCPU, .shardTurns, .shardCalls,
    .shardConnections, .shardAtBeat, .shardLoad, .shardOverloaded, .isDraining,
    .operatorRefusals, .buildInfo,
    .residentBytes, .virtualBytes, .openDescriptors, .descriptorsMax, .cpu, .startTime,
  ]
}
