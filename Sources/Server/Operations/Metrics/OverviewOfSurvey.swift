// The server's figures as a message, for people, scripts, `madang top` and consoles: made from a survey. Pure.
//
// All counts are since the start, so a client that asks twice has rates over its own interval.
import ConsoleProtocol
import Game
import Gateway
import Net
import Store

extension FeedOverview {
  init(_ survey: ServerSurvey, withShards: Bool = true) {
    self.init()
    let (net, play) = (survey.net, survey.play)
    atMs = survey.at.milliseconds
    version = GameServer.version
    uptimeSeconds = survey.at.microseconds(since: survey.beganAt).inSeconds
    draining = survey.isDraining
    overloaded = survey.isOverloaded
    connections = Connections(net, play, survey)
    messages = Messages(survey.messages, net, survey)
    rooms = Rooms(play.rooms.census, survey)
    ticks.ticks = Int64(play.rooms.lateness.count)
    ticks.frames = Int64(play.rooms.tickFrames)
    ticks.lateness = LatencyHistogram(play.rooms.lateness)
    taps.season = survey.season
    taps.counted = Int64(play.taps.taps)
    taps.batches = Int64(play.taps.batches)
    taps.abnormalBatches = Int64(play.taps.abnormalBatches)
    commits = Commits(survey)
    if withShards { shards = survey.shards.map(Shard.init) }
    process = Process(survey.process)
    if let status = survey.copy { copy = Copy(status) }
  }
}

extension FeedOverview.Copy {
  fileprivate init(_ status: CopyStatus) {
    self.init()
    ageSeconds = Double(status.age.wholeMilliseconds) / 1_000
    if let why = status.failure { failure = why }
    if let moment = status.generationBeganAt { beganAtMs = moment.milliseconds }
    waitingPictures = Int64(status.waitingPictures)
    writtenBytes = Int64(status.writtenBytes)
  }
}

extension FeedOverview.Connections {
  fileprivate init(_ net: ShardCounters, _ play: PlayStatistics, _ survey: ServerSurvey) {
    self.init()
    open = Int64(survey.sum(\.connections))
    players = Int64(survey.playersConnected)
    behind = Int64(survey.sum(\.connectionsBehind))
    accepted = Int64(net.connectionsAccepted)
    refused = Int64(net.connectionsRefused)
    webSocketsOpened = Int64(play.gateway.opened)
    let closed = MetricsCollector.closesByLabel(play.gateway.closed).filter { $0.value > 0 }
    webSocketsClosed = closed.mapValues { Int64($0) }
  }
}

extension FeedOverview.Messages {
  fileprivate init(_ messages: MessageCounts, _ net: ShardCounters, _ survey: ServerSurvey) {
    self.init()
    received = Int64(messages.received.total)
    sent = Int64(messages.sent.total)
    errors = Int64(messages.errors.values.reduce(0, +))
    conflated = Int64(messages.conflated.total)
    overRate = Int64(messages.overRateRefused + messages.overRateDropped)
    bytesReceived = Int64(net.bytesIn)
    bytesSent = Int64(net.bytesOut)
    sendQueueBytes = Int64(survey.sum(\.unsentBytes))
  }
}

extension FeedOverview.Rooms {
  fileprivate init(_ census: RoomCensus, _ survey: ServerSurvey) {
    self.init()
    open = Int64(census.roomCount)
    suspects = Int64(census.suspects)
    byKind = RoomKind.all.map { kind in
      .with {
        $0.mode = kind.mode.name
        $0.phase = kind.phase.name
        $0.rooms = Int64(census.rooms[kind.index])
        $0.players = Int64(census.players[kind.index])
      }
    }
    busiest = survey.busiestRooms.map(\.message)
  }
}

extension FeedOverview.Commits {
  fileprivate init(_ survey: ServerSurvey) {
    self.init()
    commits = Int64(survey.commits.commits)
    failures = Int64(survey.commits.failures)
    failing = survey.isStoreFailing
    journalBytes = Int64(survey.commits.bytes)
    journalWaitingBytes = Int64(survey.waitingBytes)
    journalLagSeconds = survey.journalLagMicroseconds.inSeconds
    duration = FeedOverview.LatencyHistogram(survey.commits.durations)
  }
}

extension FeedOverview.LatencyHistogram {
  private static let boundsMilliseconds = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 250, 500, 1_000]

  fileprivate init(_ durations: Gateway.LatencyHistogram) {
    self.init()
    p50Seconds = durations.quantileMicroseconds(0.5).inSeconds
    p99Seconds = durations.quantileMicroseconds(0.99).inSeconds
    maxSeconds = durations.maxMicroseconds.inSeconds
    let counts = durations.counts(upToMilliseconds: Self.boundsMilliseconds)
    for (bound, count) in zip(Self.boundsMilliseconds, counts) { upToMilliseconds[Int64(bound)] = Int64(count) }
    count = Int64(durations.count)
  }
}

extension FeedOverview.Shard {
  fileprivate init(_ survey: ShardSurvey) {
    self.init()
    shard = Int64(survey.index)
    connections = Int64(survey.connections)
    rooms = Int64(survey.play.rooms.census.roomCount)
    cpuSeconds = survey.cpuMicroseconds.inSeconds
    turns = Int64(survey.net.turns)
    atBeat = survey.isCoalescingReads
    load = (survey.load * 1_000).rounded() / 1_000
    overloaded = survey.isOverloaded
    messagesReceived = Int64(survey.messages.received.total)
    sendQueueBytes = Int64(survey.unsentBytes)
    lateness = FeedOverview.LatencyHistogram(survey.play.rooms.lateness)
    journalLagSeconds = survey.journalLagMicroseconds.inSeconds
  }
}

extension FeedOverview.Process {
  fileprivate init(_ usage: ProcessUsage) {
    self.init()
    cpuSeconds = usage.cpuMicroseconds.inSeconds
    residentBytes = Int64(usage.residentBytes)
    virtualBytes = Int64(usage.virtualBytes)
    openDescriptors = Int64(usage.openDescriptors)
    descriptorsMax = Int64(usage.descriptorsMax)
  }
}

extension Int64 {
  /// Seconds, of microseconds.
  fileprivate var inSeconds: Double { Double(self) / 1_000_000 }
}
