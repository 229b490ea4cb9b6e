// Every metric of the server: its name, its meaning, and the bounds of its buckets. The one list of them.
//
// Names are in base units; counters end in `_total`. Labels have a few values known beforehand, never a player or a
// room. A label takes the wire's word where there is one: messages like their members in JSON (`createRoom`); codes,
// modes and phases like its enumerations (`BAD_CODE`). Other labels have that form too (`OVER_RATE`). `name` gives the
// label: dashboards and alert rules depend on it, so it must outlive a name in the code. Metrics that begin with
// `process_` have every exporter's standard names.

enum Metric: String, CaseIterable {
  // Connections.
  case connections = "madang_connections"
  case connectionsAccepted = "madang_connections_accepted_total"
  case connectionsRefused = "madang_connections_refused_total"
  case connectionsMoved = "madang_connections_moved_total"
  case connectionsClosed = "madang_connections_closed_total"
  case webSocketsOpened = "madang_websockets_opened_total"
  case webSocketsClosed = "madang_websockets_closed_total"
  case roundTrip = "madang_round_trip_seconds"
  case resumes = "madang_resumes_total"
  // Messages.
  case messagesReceived = "madang_messages_received_total"
  case messagesReceivedBytes = "madang_messages_received_bytes_total"
  case messagesSent = "madang_messages_sent_total"
  case messagesSentBytes = "madang_messages_sent_bytes_total"
  case messagesConflated = "madang_messages_conflated_total"
  case messagesOverRate = "madang_messages_over_rate_total"
  case errors = "madang_errors_total"
  case networkReceivedBytes = "madang_network_received_bytes_total"
  case networkSentBytes = "madang_network_sent_bytes_total"
  case sendQueueBytes = "madang_send_queue_bytes"
  case sendQueueDroppedBytes = "madang_send_queue_dropped_bytes_total"
  case connectionsBehind = "madang_connections_behind"
  // Rooms and players.
  case rooms = "madang_rooms"
  case players = "madang_players"
  case playersConnected = "madang_players_connected"
  case joins = "madang_joins_total"
  case joinsRefused = "madang_joins_refused_total"
  case spoofVerdicts = "madang_spoof_verdicts_total"
  case suspects = "madang_suspects"
  case tickDuration = "madang_tick_duration_seconds"
  case tickLateness = "madang_tick_lateness_seconds"
  // Taps.
  case taps = "madang_taps_total"
  case tapBatches = "madang_tap_batches_total"
  // The store.
  case commitDuration = "madang_commit_duration_seconds"
  case commitSize = "madang_commit_size_bytes"
  case commitFailures = "madang_commit_failures_total"
  case journalLag = "madang_journal_lag_seconds"
  case journalWaitingBytes = "madang_journal_waiting_bytes"
  case isStoreFailing = "madang_store_failing"
  case isClockSuspect = "madang_clock_suspect"
  // Budgets.
  case budgetBound = "madang_budget_bound"
  case budgetUsed = "madang_budget_used"
  case budgetRefusals = "madang_budget_refusals_total"
  // Shards.
  case shardCPU = "madang_shard_cpu_seconds_total"
  case shardTurns = "madang_shard_turns_total"
  case shardConnections = "madang_shard_connections"
  case shardRooms = "madang_shard_rooms"
  case shardAtBeat = "madang_shard_at_beat"
  case isDraining = "madang_draining"
  // The operators' listener.
  case operatorRefusals = "madang_operator_refusals_total"
  // The process.
  case buildInfo = "madang_build_info"
  case residentBytes = "process_resident_memory_bytes"
  case virtualBytes = "process_virtual_memory_bytes"
  case openDescriptors = "process_open_fds"
  case descriptorsMax = "process_max_fds"
  case cpu = "process_cpu_seconds_total"
  case startTime = "process_start_time_seconds"

  var help: String {
    switch self {
    case .connections: "TCP connections that are open now."
    case .connectionsAccepted: "TCP connections that were accepted."
    case .connectionsRefused:
      "TCP connections that were refused: over the limit of all, over that of their address, no descriptor left."
    case .connectionsMoved: "Connections that went to the shard of their room."
    case .connectionsClosed: "TCP connections that ended."
    case .webSocketsOpened: "WebSockets of players that were opened."
    case .webSocketsClosed:
      "WebSockets of players that were closed, by the close code; NONE for an end without one, OTHER for an unknown one."
    case .roundTrip:
      "Round-trip times to peers as the kernel smooths them, each connection looked at every half minute."
    case .resumes: "Sessions that were to be resumed, by what came of it."
    case .messagesReceived: "Messages from players, by their types."
    case .messagesReceivedBytes: "Bytes of messages from players, without frames, inflated."
    case .messagesSent: "Messages to players, by their types."
    case .messagesSentBytes: "Bytes of messages to players, without frames, not compressed."
    case .messagesConflated: "Messages that a connection was too far behind to take; newer ones replace them."
    case .messagesOverRate: "Messages over a player's rate, by whether their sender was told."
    case .errors: "Errors that requests were answered with, by their codes."
    case .networkReceivedBytes: "Bytes that were read from connections."
    case .networkSentBytes: "Bytes that the kernel took for connections."
    case .sendQueueBytes: "Bytes that wait to be sent, of all connections now."
    case .sendQueueDroppedBytes: "Bytes that waited to be sent when their connections ended."
    case .connectionsBehind: "Connections with so much unsent that they get no ticks."
    case .rooms: "Rooms that are open now."
    case .players: "Players who have a place in a room now, held ones included."
    case .playersConnected: "Players who are connected now, in a room or not."
    case .joins: "Players who took a place in a room, its creators included."
    case .joinsRefused: "Joins that were refused, by the error's code."
    case .spoofVerdicts: "What the rules against forged positions told players: the reason of a refusal, or CLEARED."
    case .suspects: "Players in running games whose positions are not believed now."
    case .tickDuration: "How long a room's tick takes, from its input to the last send."
    case .tickLateness: "How late ticks begin behind the moment that they were due."
    case .taps: "Taps for schools that counted."
    case .tapBatches: "Batches of taps, by what came of them."
    case .commitDuration: "How long commits take, with their sync."
    case .commitSize: "Bytes of journals in a commit."
    case .commitFailures: "Commits that failed and are tried again."
    case .journalLag: "How long the oldest piece of the journals has waited for its commit."
    case .journalWaitingBytes: "Bytes of journals that wait behind the commit that is under way."
    case .isStoreFailing: "1 while nothing can be committed and durable requests are refused."
    case .isClockSuspect: "1 while the machine's clock is not believed and nothing expires."
    case .budgetBound: "What a budget allows, of a rate at once; docs/BUDGETS.md has the table."
    case .budgetUsed: "What is used of a budget; of a rate the most that anyone had used in the last minute or two."
    case .budgetRefusals: "How often somebody was refused, or gave way, for a budget that was spent."
    case .shardCPU: "CPU time of a shard's thread."
    case .shardTurns: "Turns of a shard: how often it was awake."
    case .shardConnections: "Connections that a shard owns now."
    case .shardRooms: "Rooms that a shard owns now."
    case .shardAtBeat: "1 while a shard reads at a beat, as it does under load."
    case .isDraining: "1 from when the server was told to end."
    case .operatorRefusals: "Requests of operators that were refused: no token or a wrong one, a foreign page or name."
    case .buildInfo: "1, with the release of the program and the version of the rules that it plays by."
    case .residentBytes: "Memory that the process has in RAM."
    case .virtualBytes: "Addresses that the process has."
    case .openDescriptors: "Descriptors that are open."
    case .descriptorsMax: "Descriptors that may be open."
    case .cpu: "CPU time of the process, user and system."
    case .startTime: "When the process began, since the Unix epoch."
    }
  }

  /// The upper bounds of a histogram's buckets; empty for other metrics.
  var bounds: [Double] {
    switch self {
    case .tickDuration: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1]
    // By design up to 5 ms; a phone notices a tenth of a second.
    case .tickLateness: [0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
    case .roundTrip: [0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5]
    case .commitDuration: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    case .commitSize: [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304]
    default: []
    }
  }
}
